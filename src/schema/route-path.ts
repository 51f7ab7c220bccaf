import type { GqlOperation, GqlRoute } from './gql-schema.js';
import { restPrefix } from './server-paths.js';

/** The route of an operation: the one that the topology gives, else the default one: `GET /api/readUser`. */
export function routeOf({ kind, name, route }: Pick<GqlOperation, 'kind' | 'name' | 'route'>): GqlRoute {
  return route ?? { method: kind === 'mutation' ? 'POST' : 'GET', path: `${restPrefix}${name}` };
}

/** The segments of the path of a route: `['books', '{isbn}']`. */
export function segmentsOf(path: string): readonly string[] {
  return path.slice(1).split('/');
}

/** The name of the argument that a segment stands for: `isbn` of `{isbn}`; undefined for a literal segment. */
export function argumentOfSegment(segment: string): string | undefined {
  return /^\{(\w+)\}$/.exec(segment)?.[1];
}

/**
 * How two different routes match: no path in `common`, `one` or `other` is more specific (a literal segment where the
 * other has an argument), they are the `same`, or some path matches both and neither is more specific: `ambiguous`.
 */
export function compareRoutePaths(
  one: string,
  other: string,
): 'apart' | 'same' | 'one' | 'other' | 'ambiguous' {
  const [left, right] = [segmentsOf(one), segmentsOf(other)];
  if (left.length !== right.length) return 'apart';
  let specific: 'same' | 'one' | 'other' | 'ambiguous' = 'same';
  for (const [at, segment] of left.entries()) {
    const opposite = right[at] as string;
    const [isOpen, isOpposite] = [isArgument(segment), isArgument(opposite)];
    if (!isOpen && !isOpposite && segment !== opposite) return 'apart';
    if (isOpen === isOpposite) continue;
    const here = isOpposite ? 'one' : 'other';
    specific = specific === 'same' || specific === here ? here : 'ambiguous';
  }
  return specific;
}

function isArgument(segment: string): boolean {
  return argumentOfSegment(segment) !== undefined;
}
