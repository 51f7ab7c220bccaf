import { baseName } from '../graph/type-ref.js';
import type { GqlOperation, GqlSchema } from '../schema/gql-schema.js';
import { isComposite } from './nesting.js';

/** The path below which the REST inventory is served. */
export const restPrefix = '/api/';

/** The path of a query or a mutation: `/api/readUser`. */
export function restPath({ name }: Pick<GqlOperation, 'name'>): string {
  return `${restPrefix}${name}`;
}

/** The route of a query or a mutation as people write it: `GET /api/readUser`. */
export function routeText(operation: Pick<GqlOperation, 'name' | 'kind'>): string {
  return `${operation.kind === 'query' ? 'GET' : 'POST'} ${restPath(operation)}`;
}

/** One entry of the REST inventory. */
export interface RestRoute {
  readonly method: 'GET' | 'POST';
  /** `/api/{operation}` */
  readonly path: string;
  readonly operation: GqlOperation;
}

/**
 * The REST inventory of a schema: `GET /api/{query}` for each query, then `POST /api/{mutation}` for each mutation, in
 * source order, and nothing else. The server, the OpenAPI document and the collection read this list, so that all of
 * them have the same routes.
 */
export function restRoutes(schema: GqlSchema): RestRoute[] {
  return [
    ...schema.queries.map((operation) => route('GET', operation)),
    ...schema.mutations.map((operation) => route('POST', operation)),
  ];
}

/** Whether `?fields=` narrows an answer: not that of a scalar, nor if an argument has that name. */
export function takesFields(
  schema: GqlSchema,
  method: RestRoute['method'],
  { type, arguments: args }: GqlOperation,
): boolean {
  const isTaken = method === 'GET' && args.some(({ name }) => name === 'fields');
  return !isTaken && isComposite(schema, baseName(type));
}

/** The media type of an answer narrowed by `?fields=`: its own, so that OpenAPI can describe both. */
export const narrowedMediaType = 'application/vnd.gg.fields+json';

function route(method: RestRoute['method'], operation: GqlOperation): RestRoute {
  return { method, path: restPath(operation), operation };
}
