import type { LineMap } from '../../../base/source/source-file.js';
import { defined } from '../../../base/values/defined.js';
import { describeAccess, withReason } from '../../api/access.js';
import { type EventFormat, exampleCloudEvent } from '../../api/cloud-event.js';
import { exampleArgument, exampleResult } from '../../api/examples.js';
import { answerType, placeArguments, restRoute } from '../../api/rest-routes.js';
import { defaultSelection } from '../../api/selection.js';
import { baseName } from '../../graph/type-ref.js';
import type { GqlArgument, GqlEdgeOrigin, GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { leafText } from '../../schema/wire.js';
import { topologyEdge } from '../openapi/operations.js';
import { queryParameter } from '../openapi/parameters.js';
import { problemName } from '../openapi/problems.js';
import { securityRequirements } from '../openapi/security.js';
import { afterParameter, cloudEventSchema } from '../openapi/streams.js';
import { componentRef, type JsonSchema, setDescription, typeSchema } from '../openapi/type-schema.js';
import type { SchemaComponents, SchemaObject } from './draft-07.js';
import { operationOn, type Reference, type Servers } from './servers.js';

/** The parts that the channels of a document share. */
export interface ChannelContext {
  readonly schema: GqlSchema;
  readonly components: SchemaComponents;
  readonly eventFormat: EventFormat;
  readonly sources: ReadonlyMap<string, LineMap>;
  /** The mutations that publish to each subscription; those without any are absent. */
  readonly publishers: ReadonlyMap<GqlOperation, readonly GqlOperation[]>;
}

/** The channel of a subscription: its stream over REST. */
export function eventChannel(context: ChannelContext, operation: GqlOperation, servers: Servers['http']): object {
  const route = restRoute(operation);
  const { path: inPath } = placeArguments(route);
  return {
    address: route.path,
    title: operation.name,
    summary: 'The events of the subscription as Server-Sent Events.',
    ...servers,
    messages: {
      event: eventMessage(context, operation),
      error: { $ref: '#/components/messages/error' },
      complete: { $ref: '#/components/messages/complete' },
    },
    ...(inPath.length > 0 && { parameters: pathParameters(context, inPath) }),
  };
}

/** The operation of a subscription: the server sends its events to clients that ask for them. */
export function eventOperation(context: ChannelContext, operation: GqlOperation): object {
  const { name, tags = [], edges } = operation;
  const { schema, sources, publishers } = context;
  const mutations = publishers.get(operation) ?? [];
  const known = schema.info?.tags ?? [];
  const texts = [
    withReason(operation.description, operation.deprecated),
    publishedBy(mutations),
    describeAccess(operation),
  ].filter(Boolean);
  const from = new Set(edges.flatMap((edge) => edge.from));
  /** An item of `x-topology`, with the file of its line. */
  const edgeOf = (edge: GqlEdgeOrigin) => ({
    ...topologyEdge(edge, sources),
    ...(sources.has(edge.span.file) && { file: edge.span.file }),
  });
  const topology = [
    ...edges.map(edgeOf),
    // The FOLD edges of the mutations whose results are published.
    ...mutations.flatMap(({ name: mutation, edges: folds }) =>
      folds.filter(({ to }) => from.has(to)).map((edge) => ({ ...edgeOf(edge), mutation })),
    ),
  ];
  const { action, channel, messages } = operationOn('send', name, ['event', 'error', 'complete']);
  return defined({
    action,
    channel,
    title: name,
    description: texts.length === 0 ? undefined : texts.join('\n\n'),
    security: securityOf(schema, operation),
    tags:
      tags.length === 0 ? undefined : tags.map((tag) => known.find(({ name: one }) => one === tag) ?? { name: tag }),
    bindings: { http: { method: 'GET', query: queryOf(context, operation), bindingVersion: '0.3.0' } },
    messages,
    'x-partition': operation.partition,
    'x-topology': topology.length === 0 ? undefined : topology,
  });
}

/** The common parts of the messages of all streams over REST, as components. */
export function streamComponents({ schema, components, eventFormat }: ChannelContext) {
  return {
    messages: {
      error: {
        name: 'error',
        summary: 'An event that failed. The stream continues.',
        contentType: 'application/problem+json',
        headers: headersOf('error', { id: eventId }),
        payload: components.convert(componentRef(problemName(schema))),
      },
      complete: completion,
    },
    messageTraits: {
      event: {
        contentType: eventFormat === 'json' ? 'application/json' : 'application/cloudevents+json',
        headers: { type: 'object', properties: { id: eventId } },
      },
    },
  };
}

/** The fields of a server-sent event beside its data, as the headers of a message. */
export function headersOf(event: string, others: Readonly<Record<string, object>> = {}): SchemaObject {
  return { type: 'object', properties: { event: { type: 'string', const: event }, ...others }, required: ['event'] };
}

/** The last message of a stream. */
export const completion = {
  name: 'complete',
  summary: 'The end of the stream.',
  contentType: 'text/plain',
  headers: headersOf('complete'),
  payload: { type: 'string', const: '' },
};

/** The field `id` of a server-sent event. */
export const eventId = {
  type: 'string',
  description:
    'The position of the event in the log. A client that sends it as `Last-Event-ID` gets the events after it. Absent if no log keeps the event.',
};

function eventMessage({ schema, components, eventFormat }: ChannelContext, operation: GqlOperation): object {
  const { name, deprecated } = operation;
  const type = answerType(operation);
  const inEnvelope = eventFormat === 'cloudevents';
  const data = typeSchema(schema, type);
  const example = exampleResult(schema, type, defaultSelection(schema, type));
  return {
    name,
    title: baseName(type),
    payload: components.convert(inEnvelope ? cloudEventSchema(operation, data) : data),
    traits: [{ $ref: '#/components/messageTraits/event' }],
    ...(deprecated !== undefined && { deprecated: true }),
    examples: [{ payload: inEnvelope ? exampleCloudEvent(operation, example) : example }],
  };
}

/**
 * The filters and the position in the query string. A value in a style of its own says so, because the binding has no
 * styles.
 */
function queryOf({ schema, components }: ChannelContext, operation: GqlOperation): object {
  const { query } = placeArguments(restRoute(operation));
  const parameters = query.map((argument) => queryParameter(schema, argument));
  if (operation.arguments.every(({ name }) => name !== 'after')) parameters.push(afterParameter());
  const properties = parameters.map(({ name, description, deprecated, schema: text, content, example }) => {
    const json = content?.['application/json'];
    const made: JsonSchema & { description?: string } = { ...((json?.schema ?? text) as JsonSchema) };
    const style = json === undefined ? undefined : 'The value is JSON text.';
    setDescription(made, [description, style].filter(Boolean).join('\n\n'));
    const shown = json?.example ?? example;
    Object.assign(made, deprecated && { deprecated }, shown !== undefined && { examples: [shown] });
    return [name, components.convert(made)] as const;
  });
  const required = parameters.flatMap((parameter) => (parameter.required ? [parameter.name] : []));
  return { type: 'object', properties: Object.fromEntries(properties), ...(required.length === 0 ? {} : { required }) };
}

function pathParameters({ schema }: ChannelContext, args: readonly GqlArgument[]): Record<string, object> {
  const parameters = args.map((argument) => {
    const made: { description?: string; examples: readonly string[] } = {
      examples: [leafText(exampleArgument(schema, argument))],
    };
    setDescription(made, withReason(argument.description, argument.deprecated));
    return [argument.name, made] as const;
  });
  return Object.fromEntries(parameters);
}

function publishedBy(mutations: readonly GqlOperation[]): string | undefined {
  if (mutations.length === 0) return undefined;
  const names = mutations.map(({ name }) => `\`${name}\``).join(', ');
  return `Published by the ${mutations.length === 1 ? 'mutation' : 'mutations'} ${names}.`;
}

/** The schemes, any of which is enough. A list of AsyncAPI cannot say that a caller may do without. */
function securityOf(schema: GqlSchema, operation: GqlOperation): readonly Reference[] | undefined {
  if (operation.auth !== 'required') return undefined;
  const names = (securityRequirements(schema, operation) ?? []).flatMap((scheme) => Object.keys(scheme));
  return names.map((name) => ({ $ref: `#/components/securitySchemes/${name}` }));
}
