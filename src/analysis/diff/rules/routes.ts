import { operationCoordinate } from '../../../compiler/api/operation-coordinate.js';
import { allRoutes, hasContent, type RestRoute } from '../../../compiler/api/rest-routes.js';
import type { GqlOperation } from '../../../compiler/schema/gql-schema.js';
import { routeCoordinate, shapeOf } from '../../../compiler/schema/route-path.js';
import type { Finding } from '../model/change.js';
import { type Comparison, changeOf, pairByKey, partOf, routePart, spanOfTarget } from '../model/comparison.js';

/**
 * The REST inventory. A query that became a mutation is the same path with another method; an operation that stays may
 * get another route.
 */
export function* routeChanges(comparison: Comparison) {
  const { before, after } = comparison;
  const { removed, added, kept } = pairByKey(
    new Map(allRoutes(before.schema).map((route) => [keyOf(route), route])),
    new Map(allRoutes(after.schema).map((route) => [keyOf(route), route])),
  );
  const unpaired = new Set(added);
  for (const route of removed) {
    const moved = [...unpaired].find(
      (one) =>
        isStream(one) === isStream(route) &&
        (shapeOf(one.path) === shapeOf(route.path) ||
          operationCoordinate(one.operation) === operationCoordinate(route.operation)),
    );
    if (moved !== undefined) {
      unpaired.delete(moved);
      yield movedRoute(comparison, route, moved);
      continue;
    }
    const part = routePart(comparison, route.operation, route.operation);
    const place = { ...part, spans: { ...part.spans, after: spanOfTarget(after, route.operation) } };
    const notes = ['removed', 'no such edge leads here'] as const;
    const message = `The route ${part.coordinate} was removed.`;
    yield changeOf(place, 'route-removed', message, notes, { absentIn: 'after' });
  }
  for (const { operation } of unpaired) {
    const coordinate = routeCoordinate(operation);
    const part = partOf(comparison, operationCoordinate(operation), 'after');
    const spans = { ...part.spans, before: spanOfTarget(before, operation) };
    const touch = { in: 'after', operations: [operation], restOnly: true } as const;
    const notes = ['no such edge led here', 'added'] as const;
    const message = `The route ${coordinate} was added.`;
    yield changeOf({ coordinate, spans, touch }, 'route-added', message, notes, { absentIn: 'before' });
  }
  for (const pair of kept) yield* statusChanges(comparison, ...pair);
}

function movedRoute(comparison: Comparison, old: RestRoute, found: RestRoute): Finding {
  const part = routePart(comparison, old.operation, found.operation);
  const hasPath = shapeOf(old.path) === shapeOf(found.path);
  const successor = routeCoordinate(found.operation);
  const [was, is] = hasPath ? [old.method, found.method] : [part.coordinate, successor];
  const kind = hasPath ? 'route-method-changed' : 'route-changed';
  const message = `The route ${part.coordinate} became ${successor}.`;
  return changeOf(part, kind, message, [`was ${was}`, `is ${is}`]);
}

/** The statuses of responses without an error, with a result and without one: one change of the route. */
function* statusChanges(comparison: Comparison, old: RestRoute, found: RestRoute) {
  const [was, is] = [old.operation, found.operation];
  const success = [was.status ?? 200, is.status ?? 200] as const;
  const empty = [statusOfNull(was), statusOfNull(is)] as const;
  const hasSuccess = success[0] !== success[1];
  const hasEmpty = was.nullStatus !== is.nullStatus && empty[0] !== empty[1];
  if (!hasSuccess && !hasEmpty) return;
  const parts = [
    ...(hasSuccess ? [`with a result changed from ${success[0]} to ${success[1]}`] : []),
    ...(hasEmpty ? [`without a result changed from ${empty[0]} to ${empty[1]}`] : []),
  ];
  const [before, after] = hasSuccess ? success : empty;
  const part = routePart(comparison, was, is);
  const message = `The status of ${part.coordinate} ${parts.join(', and ')}.`;
  const level = hasEmpty || hasContent(was) !== hasContent(is) ? 'breaking' : 'dangerous';
  yield changeOf(part, 'answer-status-changed', message, [`${before} here`, `${after} here`], { level });
}

function statusOfNull({ nullStatus, status = 200 }: GqlOperation): number {
  return nullStatus ?? status;
}

/** A query and a subscription may have the same route. */
function keyOf(route: RestRoute): string {
  return `${route.method} ${shapeOf(route.path)}${isStream(route) ? ' events' : ''}`;
}

function isStream({ operation }: RestRoute): boolean {
  return operation.kind === 'subscription';
}
