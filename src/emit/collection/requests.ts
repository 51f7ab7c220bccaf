import { printSelection } from '../../api/print-selection.js';
import type { Selection } from '../../api/selection.js';
import type { JsonValue } from '../../graph/json-value.js';
import { printTypeRef } from '../../graph/type-ref.js';
import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { inputTypeRef } from '../../schema/schema-index.js';
import { queryPairs } from '../../schema/wire.js';
import type {
  CollectionHeader,
  CollectionItem,
  CollectionQueryPair,
  CollectionRequest,
  CollectionUrl,
  JsonBody,
} from './format.js';
import type { IdLink } from './id-links.js';
import { stableId } from './stable-id.js';
import { graphqlTestScript, restTestScript } from './test-script.js';

/** What the requests for one operation have in common, over REST and over GraphQL. */
export interface OperationCall {
  readonly schema: GqlSchema;
  /** A query or a mutation. */
  readonly operation: GqlOperation;
  /** What is read of the result. */
  readonly selection: Selection | undefined;
  /** The arguments that are sent, and the same as JSON. */
  readonly values: { readonly [name: string]: JsonValue };
  readonly valuesText: string;
  /** An example of the result, as JSON. */
  readonly exampleText: string;
  /** What holds the result against its JSON Schema; see `schemaTest`. */
  readonly check: readonly string[];
  /** The ids of the answer that later requests send. */
  readonly captures: readonly IdLink[];
}

/** The request for one route of the REST inventory. */
export function restItem(call: OperationCall, base: CollectionUrl): CollectionItem {
  const { operation, valuesText, exampleText } = call;
  const isQuery = operation.kind === 'query';
  const url = restUrl(base, operation.name, isQuery ? pairsOf(call) : []);
  const body: JsonBody = { mode: 'raw', raw: valuesText, options: { raw: { language: 'json' } } };
  const request: Writable<CollectionRequest> = isQuery
    ? { method: 'GET', header: [acceptJson], url }
    : { method: 'POST', header: [acceptJson, contentJson], body, url };
  if (operation.description !== undefined) request.description = operation.description;
  const script = restTestScript(operation, call.check, call.captures);
  return item(`rest/${operation.kind}/${operation.name}`, operation.name, request, script, exampleText);
}

/** The request for one query or mutation over GraphQL. */
export function graphqlItem(call: OperationCall, endpoint: CollectionUrl): CollectionItem {
  const { schema, operation, selection, valuesText, exampleText } = call;
  const { kind, name, description } = operation;
  const graphql = { query: documentOf(schema, operation, selection), variables: valuesText };
  const request: Writable<CollectionRequest> = {
    method: 'POST',
    header: [acceptJson, contentJson],
    body: { mode: 'graphql', graphql },
    url: endpoint,
  };
  if (description !== undefined) request.description = description;
  const script = graphqlTestScript(operation, call.check, call.captures);
  // What was written once is indented once more: no line break of a JSON text is inside a string.
  const example = `{\n  "data": {\n    "${name}": ${exampleText.replaceAll('\n', '\n    ')}\n  }\n}`;
  return item(`graphql/${kind}/${name}`, name, request, script, example);
}

/** An object that is still being made. */
type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

function item(
  key: string,
  name: string,
  request: CollectionRequest,
  script: string[],
  body: string,
): CollectionItem {
  return {
    id: stableId(key),
    name,
    event: [
      { listen: 'test', script: { id: stableId(`${key}/test`), type: 'text/javascript', exec: script } },
    ],
    request,
    response: [
      {
        id: stableId(`${key}/200`),
        name: 'An example',
        originalRequest: request,
        status: 'OK',
        code: 200,
        header: [contentJson],
        cookie: [],
        body,
        _postman_previewlanguage: 'json',
      },
    ],
  };
}

/** `query readUser($id: ID!) { readUser(id: $id) { id name } }`, over several lines. */
function documentOf(schema: GqlSchema, operation: GqlOperation, selection: Selection | undefined): string {
  const { kind, name, arguments: args } = operation;
  const variables = args.map(
    (argument) => `$${argument.name}: ${printTypeRef(inputTypeRef(schema, argument.type))}`,
  );
  const given = args.map((argument) => `${argument.name}: $${argument.name}`);
  const inBrackets = (parts: readonly string[]) => (parts.length === 0 ? '' : `(${parts.join(', ')})`);
  const fields = selection === undefined ? '' : ` ${printSelection(selection, '  ')}`;
  return `${kind} ${name}${inBrackets(variables)} {\n  ${name}${inBrackets(given)}${fields}\n}`;
}

function pairsOf({ schema, operation, values }: OperationCall): CollectionQueryPair[] {
  return operation.arguments.flatMap((argument) =>
    queryPairs(schema, argument, values[argument.name] ?? null).map(([key, value]) => ({
      key,
      value: escapePair(value),
      ...(argument.description === undefined ? {} : { description: argument.description }),
    })),
  );
}

/** Postman encodes most of a query string by itself; these would end the value or change it. */
function escapePair(value: string): string {
  return value.replace(/[%&+#]/g, encodeURIComponent);
}

function restUrl(base: CollectionUrl, name: string, query: readonly CollectionQueryPair[]): CollectionUrl {
  const raw = `${base.raw}/${name}`;
  const path = [...(base.path ?? []), name];
  if (query.length === 0) return { raw, host: base.host, path };
  return {
    raw: `${raw}?${query.map(({ key, value }) => `${key}=${value}`).join('&')}`,
    host: base.host,
    path,
    query,
  };
}

const acceptJson: CollectionHeader = { key: 'Accept', value: 'application/json' };
const contentJson: CollectionHeader = { key: 'Content-Type', value: 'application/json' };
