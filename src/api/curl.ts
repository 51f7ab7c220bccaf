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
      // curl sends POST if there is data, else GET.
      const usual = body === undefined ? 'GET' : 'POST';
      return [
        'curl',
        ...(method === usual ? [] : ['-X', method]),
        quote(origin + target),
        ...credentials(schema, operation),
        ...(body === undefined
          ? []
          : ["-H 'content-type: application/json' -d", quote(JSON.stringify(body))]),
      ].join(' ');
    }
    case 'subscription': {
      const variables = exampleArguments(schema, operation.arguments);
      return [
        `curl -N --get ${quote(origin + endpoint)} -H 'accept: text/event-stream'`,
        ...credentials(schema, operation),
        `--data-urlencode ${quote(`query=${subscriptionText(schema, operation)}`)}`,
        ...(operation.arguments.length === 0 ? [] : [`--data-urlencode ${quote(variablesText(variables))}`]),
      ].join(' ');
    }
  }
}

/** The header with the credentials, which the shell has in a variable; none if the call requires no authentication. */
function credentials({ security = [] }: GqlSchema, { auth }: GqlOperation): readonly string[] {
  const [scheme] = security;
  if (scheme === undefined || auth !== 'required') return [];
  const start = scheme.type === 'bearer' ? 'authorization: Bearer ' : `${scheme.header}: `;
  return [`-H ${quote(start)}"$TOKEN"`];
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
