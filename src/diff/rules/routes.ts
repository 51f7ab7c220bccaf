import { operationCoordinate } from '../../api/operation-coordinate.js';
import { allRoutes, hasContent, type RestRoute } from '../../api/rest-routes.js';
import type { GqlOperation } from '../../schema/gql-schema.js';
import type { Finding } from '../model/change.js';
import type { Comparison } from '../model/comparison.js';
import { pairByKey } from '../model/pair-by-name.js';
import { placeAt, placeNear, spanOfOperation, spanOfTarget } from '../model/places.js';
import { routeCoordinate } from '../model/route-coordinate.js';

/**
 * The REST inventory. A query that became a mutation is the same path with another method; an operation that stays may
 * get another route.
 */
export function* routeChanges(comparison: Comparison): Iterable<Finding> {
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
        (shapeOf(one) === shapeOf(route) ||
          operationCoordinate(one.operation) === operationCoordinate(route.operation)),
    );
    if (moved === undefined) yield removedRoute(comparison, route);
    else {
      unpaired.delete(moved);
      yield movedRoute(route, moved);
    }
  }
  for (const route of unpaired) {
    yield {
      kind: 'route-added',
      level: 'safe',
      coordinate: describe(route),
      message: `The route ${describe(route)} was added.`,
      before: placeNear(spanOfTarget(before, route.operation), 'no such edge led here'),
      after: placeAt(spanOfOperation(route.operation), 'added'),
      touch: { in: 'after', operations: [route.operation], restOnly: true },
    };
  }
  for (const pair of kept) yield* statusChanges(...pair);
}

function removedRoute({ after }: Comparison, route: RestRoute): Finding {
  return {
    kind: 'route-removed',
    level: 'breaking',
    coordinate: describe(route),
    message: `The route ${describe(route)} was removed.`,
    before: placeAt(spanOfOperation(route.operation), 'removed'),
    after: placeNear(spanOfTarget(after, route.operation), 'no such edge leads here'),
    touch: { in: 'before', operations: [route.operation], restOnly: true },
  };
}

function movedRoute(old: RestRoute, found: RestRoute): Finding {
  const hasPath = shapeOf(old) === shapeOf(found);
  const [was, is] = hasPath ? [old.method, found.method] : [describe(old), describe(found)];
  return {
    kind: hasPath ? 'route-method-changed' : 'route-changed',
    level: 'breaking',
    coordinate: describe(old),
    message: `The route ${describe(old)} became ${describe(found)}.`,
    before: placeAt(spanOfOperation(old.operation), `was ${was}`),
    after: placeAt(spanOfOperation(found.operation), `is ${is}`),
    touch: { in: 'before', operations: [old.operation], restOnly: true },
  };
}

/** The statuses of responses without an error, with a result and without one: one change of the route. */
function* statusChanges(old: RestRoute, found: RestRoute): Iterable<Finding> {
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
  yield {
    kind: 'answer-status-changed',
    level: hasEmpty || hasContent(was) !== hasContent(is) ? 'breaking' : 'dangerous',
    coordinate: describe(old),
    message: `The status of ${describe(old)} ${parts.join(', and ')}.`,
    before: placeAt(spanOfOperation(was), `${before} here`),
    after: placeAt(spanOfOperation(is), `${after} here`),
    touch: { in: 'before', operations: [was], restOnly: true },
  };
}

function statusOfNull({ nullStatus, status = 200 }: GqlOperation): number {
  return nullStatus ?? status;
}

/** The names of arguments in a path make no difference to requests. */
function shapeOf({ path }: RestRoute): string {
  return path.replace(/\{\w+\}/g, '{}');
}

/** A query and a subscription may have the same route. */
function keyOf(route: RestRoute): string {
  return `${route.method} ${shapeOf(route)}${isStream(route) ? ' events' : ''}`;
}

function isStream({ operation }: RestRoute): boolean {
  return operation.kind === 'subscription';
}

function describe({ operation }: RestRoute): string {
  return routeCoordinate(operation);
}
