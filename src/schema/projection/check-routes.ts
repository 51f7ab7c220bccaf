import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';
import type { Span } from '../../source/span.js';
import type { GqlOperation } from '../gql-schema.js';
import { argumentOfSegment, compareRoutePaths, routeOf, segmentsOf } from '../route-path.js';
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
    const { method, path } = routeOf(operation);
    taken.set(`${method} ${path}`, `the default route of ${operation.name}`);
  }
  const open: RoutedOperation[] = [];
  const byText = new Map<string, RoutedOperation>();
  for (const one of routed) {
    const { method, path } = one.operation.route as NonNullable<GqlOperation['route']>;
    const text = `${method} ${path}`;
    const owner = taken.get(path) ?? taken.get(text);
    const twin = byText.get(text);
    if (owner !== undefined) report(one, owner, undefined, diagnostics);
    else if (twin !== undefined) report(one, `the route of ${twin.operation.name}`, twin.span, diagnostics);
    else {
      byText.set(text, one);
      if (segmentsOf(path).some((segment) => argumentOfSegment(segment) !== undefined)) open.push(one);
    }
  }
  checkOpen(open, diagnostics);
}

/** Different paths with arguments that match the same request, whatever its method. */
function checkOpen(open: readonly RoutedOperation[], diagnostics: Diagnostic[]): void {
  for (const [at, one] of open.entries()) {
    const before = open.slice(0, at).find((other) => {
      const paths = [one, other].map(({ operation }) => operation.route?.path ?? '') as [string, string];
      return paths[0] !== paths[1] && ['same', 'ambiguous'].includes(compareRoutePaths(...paths));
    });
    if (before !== undefined) report(one, `the route of ${before.operation.name}`, before.span, diagnostics);
  }
}

function report(
  { operation, span }: RoutedOperation,
  taken: string,
  place: Span | undefined,
  diagnostics: Diagnostic[],
): void {
  const route = `${operation.route?.method} ${operation.route?.path}`;
  const labels = place === undefined ? [] : [{ span: place, message: 'the other route' }];
  diagnostics.push(diagnose('GG3039', { route, taken }, span, { labels }));
}
