import type { GqlOperation, GqlSchema } from './gql-schema.js';

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

function route(method: RestRoute['method'], operation: GqlOperation): RestRoute {
  return { method, path: `/api/${operation.name}`, operation };
}
