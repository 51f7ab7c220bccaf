import { baseName } from '../graph/type-ref.js';
import type { GqlOperation, GqlSchema } from '../schema/gql-schema.js';
import { isComposite } from './nesting.js';

/** The path below which the REST inventory is served. */
export const restPrefix = '/api/';

/** One entry of the REST inventory. */
export interface RestRoute {
  readonly method: 'GET' | 'POST';
  /** `/api/{operation}` */
  readonly path: string;
  readonly operation: GqlOperation;
}

/**
 * The REST inventory of a schema: `GET /api/{query}` for each query, then `POST /api/{mutation}` for
 * each mutation, in source order, and nothing else. The server, the OpenAPI document and the
 * collection all read this one list, so that none of them can know a route that the others lack.
 */
export function restRoutes(schema: GqlSchema): RestRoute[] {
  return [
    ...schema.queries.map((operation) => route('GET', operation)),
    ...schema.mutations.map((operation) => route('POST', operation)),
  ];
}

/**
 * Whether an operation has `?fields=`, which narrows its answer: a scalar has no fields to choose from, and an
 * argument of a query that is called so is an argument.
 */
export function takesFields(
  schema: GqlSchema,
  method: RestRoute['method'],
  { type, arguments: args }: GqlOperation,
): boolean {
  const isTaken = method === 'GET' && args.some(({ name }) => name === 'fields');
  return !isTaken && isComposite(schema, baseName(type));
}

/**
 * The media type of an answer that `?fields=` has narrowed. It is another than that of whole answers, so that
 * a document can say what each of them holds.
 */
export const narrowedMediaType = 'application/vnd.gg.fields+json';

function route(method: RestRoute['method'], operation: GqlOperation): RestRoute {
  return { method, path: `${restPrefix}${operation.name}`, operation };
}
