import { operationDocument } from '../../api/operation-document.js';
import { printSelection } from '../../api/print-selection.js';
import type { Selection } from '../../api/selection.js';
import type { JsonValue } from '../../graph/json-value.js';
import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { queryPairs } from '../../schema/wire.js';
import { flat } from '../text/flat.js';
import type { Addresses } from './addresses.js';
import type {
  CollectionHeader,
  CollectionItem,
  CollectionQueryPair,
  CollectionRequest,
  CollectionUrl,
  JsonBody,
} from './format.js';
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
}

/** The request for one route of the REST inventory. */
export function restItem(call: OperationCall, base: Addresses['rest']): CollectionItem {
  const { operation, valuesText, exampleText } = call;
  const isQuery = operation.kind === 'query';
  const url = restUrl(base, operation.name, isQuery ? pairsOf(call) : []);
  const request: Writable<CollectionRequest> = isQuery
    ? { method: 'GET', header: queryHeaders, url }
    : {
        method: 'POST',
        header: bodyHeaders,
        body: { mode: 'raw', raw: valuesText, options: jsonOptions },
        url,
      };
  if (operation.description !== undefined) request.description = operation.description;
  return item(`rest/${operation.kind}/${operation.name}`, operation.name, request, exampleText);
}

/** The GraphQL request for one query or mutation. */
export function graphqlItem(call: OperationCall, url: string): CollectionItem {
  const { schema, operation, selection, valuesText, exampleText } = call;
  const { kind, name, description } = operation;
  const graphql = { query: documentOf(schema, operation, selection), variables: valuesText };
  const request: Writable<CollectionRequest> = {
    method: 'POST',
    header: bodyHeaders,
    body: { mode: 'graphql', graphql },
    url,
  };
  if (description !== undefined) request.description = description;
  // JSON strings contain no line breaks, so that indenting every line changes no value.
  const example = `{\n  "data": {\n    "${name}": ${exampleText.replaceAll('\n', '\n    ')}\n  }\n}`;
  return item(`graphql/${kind}/${name}`, name, request, example);
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

function item(key: string, name: string, request: CollectionRequest, body: string): CollectionItem {
  const { method, url } = request;
  return {
    id: stableId(key),
    name,
    request,
    response: [
      {
        name: 'Example',
        originalRequest: { method, url: typeof url === 'string' ? url : url.raw },
        status: 'OK',
        code: 200,
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

function pairsOf({ schema, operation, values }: OperationCall): CollectionQueryPair[] {
  const pairs: CollectionQueryPair[] = [];
  for (const argument of operation.arguments) {
    const { description } = argument;
    for (const [key, text] of queryPairs(schema, argument, values[argument.name] ?? null)) {
      // Postman percent-encodes the other characters itself; these would end the value or change it.
      const value = text.replace(/[%&+#]/g, encodeURIComponent);
      pairs.push(description === undefined ? { key, value } : { key, value, description });
    }
  }
  return pairs;
}

function restUrl(
  { host, path }: Addresses['rest'],
  name: string,
  query: readonly CollectionQueryPair[],
): string | CollectionUrl {
  const raw = [host, ...path, name].join('/');
  if (query.length === 0) return raw;
  const pairs = query.map(({ key, value }) => `${key}=${value}`).join('&');
  return { raw: `${raw}?${pairs}`, host: [host], path: [...path, name], query };
}

const accept: CollectionHeader = Object.freeze({ key: 'Accept', value: 'application/json' });
const contentType: CollectionHeader = Object.freeze({ key: 'Content-Type', value: 'application/json' });

// Frozen, because all collections share these.
const queryHeaders = Object.freeze([accept]);
const bodyHeaders = Object.freeze([accept, contentType]);
const responseHeaders = Object.freeze([contentType]);
const jsonOptions: JsonBody['options'] = Object.freeze({ raw: Object.freeze({ language: 'json' }) });
