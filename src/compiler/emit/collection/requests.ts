import { defined } from '../../../base/values/defined.js';
import { withAccess, withReason } from '../../api/access.js';
import { exampleArguments, exampleResult } from '../../api/examples.js';
import { isRequired } from '../../api/is-required.js';
import { operationDocument } from '../../api/operation-document.js';
import { printSelection } from '../../api/print-selection.js';
import { fillPath, hasContent, placeArguments, type RestRoute, restRoute } from '../../api/rest-routes.js';
import { defaultSelection, type Selection } from '../../api/selection.js';
import type { JsonValue } from '../../graph/json-value.js';
import type { GqlArgument, GqlOperation, GqlSchema, GqlSecurityScheme } from '../../schema/gql-schema.js';
import { argumentsIn, segmentsOf } from '../../schema/route-path.js';
import { leafText, queryPairs } from '../../schema/wire.js';
import { flat } from '../text/text-collector.js';
import type { Addresses } from './addresses.js';
import type {
  CollectionAuth,
  CollectionAuthPart,
  CollectionHeader,
  CollectionItem,
  CollectionQueryPair,
  CollectionRequest,
  CollectionUrl,
  CollectionVariable,
  JsonBody,
} from './format.js';
import { pathVariable, postmanSegments } from './path-variables.js';
import { stableId } from './stable-id.js';

/** The parts that the REST and the GraphQL request of an operation share. */
export interface OperationCall {
  readonly schema: GqlSchema;
  readonly operation: GqlOperation;
  readonly selection: Selection | undefined;
  /** The arguments, and the same as JSON text. */
  readonly values: { readonly [name: string]: JsonValue };
  readonly valuesText: string;
  readonly exampleText: string;
  /** The example of the REST response, which has the items of a page only. */
  readonly restExampleText: string;
}

/** The request for one route of the REST inventory. */
export function restItem(call: OperationCall, addresses: Addresses): CollectionItem {
  const { operation, values, valuesText, restExampleText } = call;
  const route = restRoute(operation);
  const { path, query, body } = placeArguments(route);
  const { method } = route;
  const url = restUrl(route, addresses, pathVariables(call, route, path), pairsOf(call, query));
  const sent = Object.fromEntries((body ?? []).map(({ name }) => [name, values[name] ?? null]));
  const raw = path.length === 0 ? valuesText : JSON.stringify(sent, null, 2);
  const request = requestOf(call, method, url, body && { mode: 'raw', raw, options: jsonOptions });
  const key = `rest/${operation.kind}/${operation.name}`;
  return item(key, operation.name, request, hasContent(operation) ? restExampleText : '', operation.status);
}

/** The request for a stream: with its required filters only, so that it has all events. */
export function streamItem(
  schema: GqlSchema,
  { operation }: RestRoute,
  addresses: Addresses,
): CollectionItem {
  const selection = defaultSelection(schema, operation.type);
  const values = exampleArguments(schema, operation.arguments.filter(isRequired));
  const example = JSON.stringify(exampleResult(schema, operation.type, selection));
  const call = { schema, operation, selection, values, valuesText: '', exampleText: '', restExampleText: '' };
  const { request, response, ...item } = restItem(call, addresses);
  const [shown] = response;
  return {
    ...item,
    request: { ...request, header: streamHeaders },
    response: [
      { ...shown, header: [eventType], body: `data: ${example}\n\n`, _postman_previewlanguage: 'text' },
    ],
  };
}

/** The GraphQL request for one query or mutation. */
export function graphqlItem(call: OperationCall, url: string): CollectionItem {
  const { schema, operation, selection, valuesText, exampleText } = call;
  const { kind, name } = operation;
  const graphql = { query: documentOf(schema, operation, selection), variables: valuesText };
  const request = requestOf(call, 'POST', url, { mode: 'graphql', graphql });
  // JSON strings contain no line breaks, so that indenting every line changes no value.
  const example = `{\n  "data": {\n    "${name}": ${exampleText.replaceAll('\n', '\n    ')}\n  }\n}`;
  return item(`graphql/${kind}/${name}`, name, request, example);
}

function requestOf(
  { schema: { security }, operation }: OperationCall,
  method: CollectionRequest['method'],
  url: CollectionRequest['url'],
  body: CollectionRequest['body'],
): CollectionRequest {
  const { idempotent, description, deprecated, auth } = operation;
  const headers = body === undefined ? queryHeaders : bodyHeaders;
  return defined({
    method,
    // A client makes a new key for each request.
    header: idempotent === undefined ? headers : [...headers, newKey],
    body,
    // A request that requires no authentication sends none, so that it works without a token, too.
    auth: security === undefined || auth === 'required' ? undefined : ({ type: 'noauth' } as const),
    url,
    description: withAccess(withReason(description, deprecated), operation),
  });
}

function item(
  key: string,
  name: string,
  request: CollectionRequest,
  body: string,
  code = 200,
): CollectionItem {
  const { method, url } = request;
  return {
    id: stableId(key),
    name,
    request,
    response: [
      {
        name: 'Example',
        originalRequest: { method, url: typeof url === 'string' ? url : url.raw },
        status: reasons.get(code) ?? 'Success',
        code,
        header: responseHeaders,
        body,
        _postman_previewlanguage: 'json',
      },
    ],
  };
}

function documentOf(schema: GqlSchema, operation: GqlOperation, selection: Selection | undefined): string {
  const fields = selection === undefined ? '' : printSelection(selection, '  ');
  return flat(operationDocument(schema, operation, fields, { isMultiline: true, withDefaults: true }));
}

function pairsOf(
  { schema, values }: OperationCall,
  args: readonly GqlArgument[],
): readonly CollectionQueryPair[] {
  const pairs: CollectionQueryPair[] = [];
  for (const argument of args) {
    if (!Object.hasOwn(values, argument.name)) continue;
    const description = withReason(argument.description, argument.deprecated);
    for (const [key, text] of queryPairs(schema, argument, values[argument.name] as JsonValue)) {
      // Postman percent-encodes the other characters itself; these would end the value or change it.
      const value = text.replace(/[%&+#]/g, encodeURIComponent);
      pairs.push(description === undefined ? { key, value } : { key, value, description });
    }
  }
  return pairs;
}

function pathVariables(
  { values }: OperationCall,
  { path }: RestRoute,
  args: readonly GqlArgument[],
): readonly CollectionQueryPair[] {
  const textOf = (name: string) => leafText(values[name] ?? null).replace(/[%/?#]/g, encodeURIComponent);
  const inSegment = new Map(
    segmentsOf(path).flatMap((segment) => argumentsIn(segment).map((name) => [name, segment])),
  );
  const segments = new Set(args.map(({ name }) => inSegment.get(name) ?? ''));
  return [...segments].map((segment) => {
    const names = argumentsIn(segment);
    const { name: key, text } = pathVariable(segment);
    const value = fillPath(text, textOf);
    const [{ description } = {}] = names.length === 1 ? args.filter(({ name }) => name === names[0]) : [];
    return description === undefined ? { key, value } : { key, value, description };
  });
}

function restUrl(
  { operation, path: template }: RestRoute,
  { rest, root }: Addresses,
  variable: readonly CollectionQueryPair[],
  query: readonly CollectionQueryPair[],
): string | CollectionUrl {
  const host = operation.route === undefined ? rest.host : root;
  const path = operation.route === undefined ? [...rest.path, operation.name] : postmanSegments(template);
  const base = [host, ...path].join('/');
  if (query.length === 0 && variable.length === 0) return base;
  const pairs = query.map(({ key, value }) => `${key}=${value}`).join('&');
  return {
    raw: query.length === 0 ? base : `${base}?${pairs}`,
    host: [host],
    path,
    ...(query.length === 0 ? {} : { query }),
    ...(variable.length === 0 ? {} : { variable }),
  };
}

/** The reason phrases of successful statuses (RFC 9110, section 15.3). */
const reasons: ReadonlyMap<number, string> = new Map([
  [200, 'OK'],
  [201, 'Created'],
  [202, 'Accepted'],
  [203, 'Non-Authoritative Information'],
  [204, 'No Content'],
  [205, 'Reset Content'],
]);

const accept: CollectionHeader = Object.freeze({ key: 'Accept', value: 'application/json' });
const contentType: CollectionHeader = Object.freeze({ key: 'Content-Type', value: 'application/json' });

const acceptEvents: CollectionHeader = Object.freeze({ key: 'Accept', value: 'text/event-stream' });
const eventType: CollectionHeader = Object.freeze({ key: 'Content-Type', value: 'text/event-stream' });

// Frozen, because all collections share these.
const newKey: CollectionHeader = Object.freeze({ key: 'Idempotency-Key', value: '{{$guid}}' });
const queryHeaders = Object.freeze([accept]);
const streamHeaders = Object.freeze([acceptEvents]);
const bodyHeaders = Object.freeze([accept, contentType]);
const responseHeaders = Object.freeze([contentType]);
const jsonOptions: JsonBody['options'] = Object.freeze({ raw: Object.freeze({ language: 'json' }) });

/** The variable that holds the credentials. */
export const tokenVariable = 'token';

/** The authentication of a collection and its variable: the first of the schemes, because any one is enough. */
export function collectionAuth({ security: [scheme] = [] }: GqlSchema): {
  readonly auth?: CollectionAuth;
  readonly variables: readonly CollectionVariable[];
} {
  if (scheme === undefined) return { variables: [] };
  const what = scheme.type === 'bearer' ? 'bearer token' : 'API key';
  const description = `The ${what} of the requests that require authentication.`;
  const variable: CollectionVariable = { key: tokenVariable, value: '', type: 'string', description };
  return { auth: authOf(scheme), variables: [variable] };
}

function authOf(scheme: GqlSecurityScheme): CollectionAuth {
  const value = `{{${tokenVariable}}}`;
  if (scheme.type === 'bearer') return { type: 'bearer', bearer: [part('token', value)] };
  const apikey = [part('key', scheme.header), part('value', value), part('in', 'header')];
  return { type: 'apikey', apikey };
}

function part(key: string, value: string): CollectionAuthPart {
  return { key, value, type: 'string' };
}
