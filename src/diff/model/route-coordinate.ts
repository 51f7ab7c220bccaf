import { restRoute } from '../../api/rest-routes.js';
import type { GqlOperation } from '../../schema/gql-schema.js';

/** The route of an operation in changes: `GET /api/readUser`; `SSE /api/userSaved` for a stream, whose path a query may have. */
export function routeCoordinate(operation: GqlOperation): string {
  const { method, path } = restRoute(operation);
  return `${operation.kind === 'subscription' ? 'SSE' : method} ${path}`;
}
