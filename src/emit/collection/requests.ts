import type { JsonValue } from '../../graph/json-value.js';
import { printTypeRef } from '../../graph/type-ref.js';
import { exampleArgument, exampleArguments, exampleResult } from '../../schema/examples.js';
import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { printSelection } from '../../schema/print-selection.js';
import type { RestRoute } from '../../schema/rest-routes.js';
import { inputTypeRef } from '../../schema/schema-index.js';
import { defaultSelection, type Selection } from '../../schema/selection.js';
import { queryPairs } from '../../schema/wire.js';
import type {
  CollectionHeader,
  CollectionItem,
  CollectionQueryPair,
  CollectionRequest,
  CollectionUrl,
} from './format.js';
import { stableId } from './stable-id.js';
import { graphqlTestScript, restTestScript } from './test-script.js';

/** The request for one route of the REST inventory. */
export function restItem(
  schema: GqlSchema,
  { method, operation }: RestRoute,
  base: CollectionUrl,
): CollectionItem {
  const selection = defaultSelection(schema, operation.type);
  const request: CollectionRequest = {
    method,
    header: method === 'GET' ? [acceptJson()] : [acceptJson(), contentJson()],
    ...(method === 'GET'
      ? {}
      : {
          body: {
            mode: 'raw',
            raw: json(exampleArguments(schema, operation.arguments)),
            options: { raw: { language: 'json' } },
          },
        }),
    url: restUrl(base, operation.name, method === 'GET' ? pairsOf(schema, operation) : []),
    ...(operation.description === undefined ? {} : { description: operation.description }),
  };
  const example = exampleResult(schema, operation.type, selection);
  return item(
    `rest/${operation.kind}/${operation.name}`,
    operation.name,
    request,
    restTestScript(schema, operation, selection),
    json(example),
  );
}

/** The request for one query or mutation over GraphQL. */
export function graphqlItem(
  schema: GqlSchema,
  operation: GqlOperation,
  endpoint: CollectionUrl,
): CollectionItem {
  const selection = defaultSelection(schema, operation.type);
  const request: CollectionRequest = {
    method: 'POST',
    header: [acceptJson(), contentJson()],
    body: {
      mode: 'graphql',
      graphql: {
        query: documentOf(schema, operation, selection),
        variables: json(exampleArguments(schema, operation.arguments)),
      },
    },
    url: endpoint,
    ...(operation.description === undefined ? {} : { description: operation.description }),
  };
  const example = { data: { [operation.name]: exampleResult(schema, operation.type, selection) } };
  return item(
    `graphql/${operation.kind}/${operation.name}`,
    operation.name,
    request,
    graphqlTestScript(schema, operation, selection),
    json(example),
  );
}

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
        header: [contentJson()],
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

function pairsOf(schema: GqlSchema, operation: GqlOperation): CollectionQueryPair[] {
  return operation.arguments.flatMap((argument) =>
    queryPairs(schema, argument, exampleArgument(schema, argument)).map(([key, value]) => ({
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
  const path = [...base.path, name];
  if (query.length === 0) return { raw, host: base.host, path };
  return {
    raw: `${raw}?${query.map(({ key, value }) => `${key}=${value}`).join('&')}`,
    host: base.host,
    path,
    query,
  };
}

function acceptJson(): CollectionHeader {
  return { key: 'Accept', value: 'application/json' };
}

function contentJson(): CollectionHeader {
  return { key: 'Content-Type', value: 'application/json' };
}

function json(value: JsonValue): string {
  return JSON.stringify(value, null, 2);
}
