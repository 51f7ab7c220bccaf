import type { SchemaObject } from './draft-07.js';
import { completion, eventId, headersOf } from './event-channels.js';
import { operationOn, type Servers } from './servers.js';

type Entries = Readonly<Record<string, object>>;

/**
 * The channels of GraphQL, where clients choose the fields of events, and their operations: Server-Sent Events in
 * distinct connections mode, and a WebSocket with the protocol `graphql-transport-ws`, without its messages about the
 * connection itself. Names of operations have no hyphen, so these keys are free.
 */
export function graphqlChannels({ endpoint, http, webSocket }: Servers) {
  return {
    channels: {
      'graphql-sse': {
        address: endpoint,
        title: 'GraphQL over Server-Sent Events',
        summary: 'Any subscription, with the fields that the client selects.',
        ...http,
        messages: { subscribe, next, complete: completion },
      },
      'graphql-ws': {
        address: endpoint,
        title: 'GraphQL over WebSocket',
        summary: 'Any subscription, with the fields that the client selects: the protocol `graphql-transport-ws`.',
        ...webSocket,
        messages: {
          subscribe: frame('subscribe', { payload: requestSchema }),
          next: frame('next', { payload: resultSchema }),
          error: frame('error', { payload: errorsSchema }),
          complete: frame('complete', {}),
        },
        bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
      },
    },
    operations: {
      'graphql-sse-subscribe': {
        ...operationOn('receive', 'graphql-sse', ['subscribe']),
        bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
      },
      'graphql-sse-events': operationOn('send', 'graphql-sse', ['next', 'complete']),
      'graphql-ws-subscribe': operationOn('receive', 'graphql-ws', ['subscribe', 'complete']),
      'graphql-ws-events': operationOn('send', 'graphql-ws', ['next', 'error', 'complete']),
    },
  };
}

const requestSchema: SchemaObject = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'A GraphQL document.' },
    operationName: { type: ['string', 'null'] },
    variables: { type: ['object', 'null'] },
  },
  required: ['query'],
};

const errorsSchema: SchemaObject = {
  type: 'array',
  items: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
};

const resultSchema: SchemaObject = {
  type: 'object',
  properties: {
    data: { type: ['object', 'null'], description: 'The event, below the name of the subscription.' },
    errors: errorsSchema,
    extensions: { type: 'object' },
  },
};

const subscribe = { name: 'subscribe', contentType: 'application/json', payload: requestSchema };

const next = {
  name: 'next',
  contentType: 'application/json',
  headers: headersOf('next', { id: eventId }),
  payload: resultSchema,
};

/** A message of a WebSocket: its type, the id of its operation, and other members. */
function frame(type: string, members: Entries): object {
  const properties = { type: { type: 'string', const: type }, id: { type: 'string' }, ...members };
  return {
    name: type,
    contentType: 'application/json',
    payload: { type: 'object', properties, required: Object.keys(properties) },
  };
}
