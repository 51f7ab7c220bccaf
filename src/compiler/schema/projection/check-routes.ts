import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import { appendTo } from '../../graph/maps.js';
import type { GqlOperation } from '../gql-schema.js';
import { argumentOfSegment, routeOf, routeText, segmentsOf } from '../route-path.js';
import { defaultEndpoint, restPrefix, serverPaths } from '../server-paths.js';

/** An operation, and the place that gives it its route. */
export interface RoutedOperation {
  readonly operation: GqlOperation;
  readonly span: Span;
}

/**
 * Finds routes of the topology that match the same requests as another route, or as a path of the server (GG3039).
 * A path that is more specific than another is no clash: it is preferred, as in OpenAPI 3.1 (section 4.8.8.2).
 *
 * @param routed the operations with a route of their own
 * @param all all queries and mutations
 */
export function checkRoutes(
  routed: readonly RoutedOperation[],
  all: readonly GqlOperation[],
  diagnostics: Diagnostic[],
): void {
  if (routed.length === 0) return;
  const taken = new Map<string, string>();
  for (const path of [...Object.values(serverPaths), defaultEndpoint, restPrefix.slice(0, -1)])
    taken.set(path, `the server's own path ${path}`);
  for (const operation of all) {
    if (operation.route !== undefined || operation.kind === 'subscription') continue;
    taken.set(routeText(operation), `the default route of ${operation.name}`);
  }
  const open: RoutedOperation[] = [];
  const byText = new Map<string, RoutedOperation>();
  for (const one of routed) {
    const { path } = routeOf(one.operation);
    const text = routeText(one.operation);
    const owner = taken.get(path) ?? taken.get(text);
    const twin = byText.get(text);
    if (owner !== undefined) report(one, owner, undefined, diagnostics);
    else if (twin !== undefined) report(one, `the route of ${twin.operation.name}`, twin.span, diagnostics);
    else {
      byText.set(text, one);
      if (segmentsOf(path).some(isArgument)) open.push(one);
    }
  }
  checkOpen(open, diagnostics);
}

interface OpenRoute {
  readonly at: number;
  readonly one: RoutedOperation;
  readonly path: string;
  readonly segments: readonly string[];
  /** A mark for each segment: `*` for an argument, `-` for a literal. */
  readonly shape: string;
}

/**
 * Different paths with arguments that match the same request, whatever its method. A route is compared with one of each
 * shape instead of with all others: the first routes of two different paths are kept for each key.
 */
function checkOpen(open: readonly RoutedOperation[], diagnostics: Diagnostic[]): void {
  const routes = open.map((one, at): OpenRoute => {
    const { path } = routeOf(one.operation);
    const segments = segmentsOf(path);
    const shape = segments.map((segment) => (isArgument(segment) ? '*' : '-')).join('');
    return { at, one, path, segments, shape };
  });
  const shapes = [...new Set(routes.map(({ shape }) => shape))];
  const firsts = new Map<string, OpenRoute[]>();
  for (const route of routes) {
    const clashes: OpenRoute[] = [];
    const keys = new Set<string>();
    for (const shape of shapes.filter((other) => areAmbiguous(route.shape, other))) {
      const literals = commonLiterals(route, shape);
      clashes.push(...(firsts.get(`${shape} ${literals}`)?.filter(({ path }) => path !== route.path) ?? []));
      keys.add(`${route.shape} ${literals}`);
    }
    const [first] = clashes.toSorted((left, right) => left.at - right.at);
    if (first !== undefined)
      report(route.one, `the route of ${first.one.operation.name}`, first.one.span, diagnostics);
    for (const key of keys) {
      const before = firsts.get(key);
      if (before?.length !== 2 && before?.[0]?.path !== route.path) appendTo(firsts, key, route);
    }
  }
}

/** Whether paths of these shapes that match the same request are alike, or each is more specific in some place. */
function areAmbiguous(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  const places = [...one].map((mark, at) => mark + other[at]);
  return places.includes('*-') === places.includes('-*');
}

/** The literals of a path where paths of another shape have literals, too, each with its place. */
function commonLiterals({ segments, shape }: OpenRoute, other: string): string {
  return segments.map((segment, at) => (shape[at] === '-' && other[at] === '-' ? segment : '')).join('/');
}

function isArgument(segment: string): boolean {
  return argumentOfSegment(segment) !== undefined;
}

function report(
  { operation, span }: RoutedOperation,
  taken: string,
  place: Span | undefined,
  diagnostics: Diagnostic[],
): void {
  const labels = place === undefined ? [] : [{ span: place, message: 'the other route' }];
  diagnostics.push(diagnose('GG3039', { route: routeText(operation), taken }, span, { labels }));
}
