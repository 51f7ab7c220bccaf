import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import { remember } from '../../graph/maps.js';
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

/** Different paths with arguments that match the same request, whatever its method. */
function checkOpen(open: readonly RoutedOperation[], diagnostics: Diagnostic[]): void {
  const groups = new Map<string, ShapeGroup>();
  for (const [at, one] of open.entries()) {
    const { path } = routeOf(one.operation);
    const segments = segmentsOf(path);
    const shape = segments.map((segment) => (isArgument(segment) ? '*' : '-')).join('');
    const route: OpenRoute = { at, path, segments, one };
    const clashes = [...groups].flatMap(([other, group]) =>
      areAmbiguous(shape, other) ? (group.find(route, commonPlaces(shape, other)) ?? []) : [],
    );
    const [first] = clashes.toSorted((left, right) => left.at - right.at);
    if (first !== undefined)
      report(one, `the route of ${first.one.operation.name}`, first.one.span, diagnostics);
    remember(groups, shape, () => new ShapeGroup()).add(route);
  }
}

interface OpenRoute {
  readonly at: number;
  readonly path: string;
  readonly segments: readonly string[];
  readonly one: RoutedOperation;
}

/**
 * The routes that have arguments in the same places. Each index has the routes by their literals in some places, so that a
 * route is compared with one of each shape instead of with all others.
 */
class ShapeGroup {
  readonly #routes: OpenRoute[] = [];
  readonly #indexes = new Map<string, { readonly places: readonly number[]; readonly index: RouteIndex }>();

  add(route: OpenRoute): void {
    this.#routes.push(route);
    for (const { places, index } of this.#indexes.values()) addTo(index, places, route);
  }

  /** The first route of another path with the same literals in these places. */
  find(route: OpenRoute, places: readonly number[]): OpenRoute | undefined {
    const { index } = remember(this.#indexes, places.join(), () => {
      const made: RouteIndex = new Map();
      for (const one of this.#routes) addTo(made, places, one);
      return { places, index: made };
    });
    return index.get(keyOf(route, places))?.find(({ path }) => path !== route.path);
  }
}

/** The first routes of two different paths for each key. */
type RouteIndex = Map<string, OpenRoute[]>;

function addTo(index: RouteIndex, places: readonly number[], route: OpenRoute): void {
  const key = keyOf(route, places);
  const before = index.get(key);
  if (before === undefined) index.set(key, [route]);
  else if (before.length === 1 && before[0]?.path !== route.path) before.push(route);
}

function keyOf({ segments }: OpenRoute, places: readonly number[]): string {
  return places.map((place) => segments[place]).join('/');
}

/** Whether paths of these shapes that match the same request are alike, or each is more specific in some place. */
function areAmbiguous(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  const places = [...one].map((mark, at) => mark + other[at]);
  return places.includes('*-') === places.includes('-*');
}

/** The places where paths of both shapes have literals. */
function commonPlaces(one: string, other: string): readonly number[] {
  return [...one].flatMap((mark, at) => (mark === '-' && other[at] === '-' ? [at] : []));
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
