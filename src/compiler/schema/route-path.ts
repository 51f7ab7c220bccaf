import type { GqlOperation, GqlRoute } from './gql-schema.js';
import { restPrefix } from './server-paths.js';

/** The route of an operation: the one that the topology gives, else the default one: `GET /api/readUser`. */
export function routeOf({ kind, name, route }: Pick<GqlOperation, 'kind' | 'name' | 'route'>): GqlRoute {
  return route ?? { method: kind === 'mutation' ? 'POST' : 'GET', path: `${restPrefix}${name}` };
}

/** The route of an operation as people write it: `GET /api/readUser`. */
export function routeText(operation: Pick<GqlOperation, 'kind' | 'name' | 'route'>): string {
  const { method, path } = routeOf(operation);
  return `${method} ${path}`;
}

/** The segments of the path of a route: `['books', '{isbn}']`. */
export function segmentsOf(path: string): readonly string[] {
  return path.slice(1).split('/');
}

/** The name of the argument that a segment stands for: `isbn` of `{isbn}`; undefined for a literal segment. */
export function argumentOfSegment(segment: string): string | undefined {
  return /^\{(\w+)\}$/.exec(segment)?.[1];
}
