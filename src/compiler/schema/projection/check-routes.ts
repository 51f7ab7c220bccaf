import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import type { GqlOperation } from '../gql-schema.js';
import { routeOf, routeText, shapeOf } from '../route-path.js';
import { defaultEndpoint, restPrefix, serverPaths } from '../server-paths.js';

/** An operation, and the place that gives it its route. */
export interface RoutedOperation {
  readonly operation: GqlOperation;
  readonly span: Span;
}

/**
 * Finds routes of the topology that match all requests of another route, or a path of the server (GG3039). Where
 * only some requests match both, `comparePrecedence` decides between the paths.
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
  const byShape = new Map<string, RoutedOperation>();
  for (const one of routed) {
    const text = routeText(one.operation);
    const owner = taken.get(routeOf(one.operation).path) ?? taken.get(text);
    const twin = byShape.get(shapeOf(text));
    if (owner !== undefined) report(one, owner, undefined, diagnostics);
    else if (twin !== undefined) report(one, `the route of ${twin.operation.name}`, twin.span, diagnostics);
    else byShape.set(shapeOf(text), one);
  }
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
