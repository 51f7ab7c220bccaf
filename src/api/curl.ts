import type { JsonValue } from '../graph/json-value.js';
import type { GqlOperation, GqlSchema } from '../schema/gql-schema.js';
import { exampleArguments } from './examples.js';
import { operationDocument } from './operation-document.js';
import { printSelection } from './print-selection.js';
import { exampleRequest } from './rest-request.js';
import { restRoute } from './rest-routes.js';
import { defaultSelection } from './selection.js';

/** The addresses of a server. */
export interface Addresses {
  /** `http://localhost:4000` */
  readonly origin: string;
  readonly endpoint: string;
}

/** A request to write as a command. */
export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly CurlHeader[];
  readonly body?: string;
  /** Whether the response is a stream of events. */
  readonly isStream?: boolean;
}

/** A header. */
export interface CurlHeader {
  readonly name: string;
  readonly value: string;
  /** The variable of the shell whose value follows `value`: a secret does not stand in the command. */
  readonly variable?: string;
}

/**
 * A command that calls an operation with example values and can be pasted into a shell: a query and a
 * mutation over REST, a subscription over GraphQL, as a stream of events.
 */
export function curlLine(
  schema: GqlSchema,
  operation: GqlOperation,
  { origin, endpoint }: Addresses,
): string {
  switch (operation.kind) {
    case 'query':
    case 'mutation': {
      const { method, target, body } = exampleRequest(schema, restRoute(operation));
      return curlCommand({
        method,
        url: origin + target,
        headers: [
          ...credentials(schema, operation),
          ...(body === undefined ? [] : [{ name: 'content-type', value: 'application/json' }]),
        ],
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    }
    case 'subscription': {
      const variables = exampleArguments(schema, operation.arguments);
      return [
        `curl -N --get ${quote(origin + endpoint)} -H 'accept: text/event-stream'`,
        ...credentials(schema, operation).map(headerOption),
        `--data-urlencode ${quote(`query=${subscriptionText(schema, operation)}`)}`,
        ...(operation.arguments.length === 0 ? [] : [`--data-urlencode ${quote(variablesText(variables))}`]),
      ].join(' ');
    }
  }
}

/** A request as a command. */
export function curlCommand({ method, url, headers, body, isStream = false }: CurlRequest): string {
  // curl sends POST if there is data, else GET.
  const usual = body === undefined ? 'GET' : 'POST';
  return [
    isStream ? 'curl -N' : 'curl',
    ...(method === usual ? [] : ['-X', method]),
    quote(url),
    ...headers.map(headerOption),
    ...(body === undefined ? [] : ['-d', quote(body)]),
  ].join(' ');
}

/** The header with the credentials, which the shell has in a variable; none if the call requires no authentication. */
function credentials({ security = [] }: GqlSchema, { auth }: GqlOperation): readonly CurlHeader[] {
  const [scheme] = security;
  if (scheme === undefined || auth !== 'required') return [];
  return [
    scheme.type === 'bearer'
      ? { name: 'authorization', value: 'Bearer ', variable: 'TOKEN' }
      : { name: scheme.header, value: '', variable: 'TOKEN' },
  ];
}

function headerOption({ name, value, variable }: CurlHeader): string {
  return `-H ${quote(`${name}: ${value}`)}${variable === undefined ? '' : `"$${variable}"`}`;
}

function subscriptionText(schema: GqlSchema, operation: GqlOperation): string {
  const selection = defaultSelection(schema, operation.type);
  const fields = selection === undefined ? '' : printSelection(selection).replace(/\s+/g, ' ');
  return operationDocument(schema, operation, fields, { withDefaults: true });
}

function variablesText(variables: JsonValue): string {
  return `variables=${JSON.stringify(variables)}`;
}

/** Between single quotes a shell reads everything as it is, except a single quote. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
