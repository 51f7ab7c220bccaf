import { operationCoordinate } from '../../api/operation-coordinate.js';
import { hasContent, type RestRoute, restRoutes } from '../../api/rest-routes.js';
import type { GqlOperation } from '../../schema/gql-schema.js';
import type { Finding } from '../model/change.js';
import type { Comparison } from '../model/comparison.js';
import { pairByKey } from '../model/pair-by-name.js';
import { placeAt, placeNear, spanOfOperation, spanOfTarget } from '../model/places.js';

/**
 * The REST inventory. A query that became a mutation is the same path with another method; an operation that stays may
 * get another route.
 */
export function* routeChanges(comparison: Comparison): Iterable<Finding> {
  const { before, after } = comparison;
  const { removed, added, kept } = pairByKey(
    new Map(restRoutes(before.schema).map((route) => [keyOf(route), route])),
    new Map(restRoutes(after.schema).map((route) => [keyOf(route), route])),
  );
  const unpaired = new Set(added);
  for (const route of removed) {
    const moved = [...unpaired].find(
      (one) =>
        shapeOf(one) === shapeOf(route) ||
        operationCoordinate(one.operation) === operationCoordinate(route.operation),
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

/** The statuses of responses without an error. */
function* statusChanges(old: RestRoute, found: RestRoute): Iterable<Finding> {
  const changed = (what: string, level: 'breaking' | 'dangerous', was: number, is: number): Finding => ({
    kind: 'answer-status-changed',
    level,
    coordinate: describe(old),
    message: `The status of ${describe(old)} ${what} changed from ${was} to ${is}.`,
    before: placeAt(spanOfOperation(old.operation), `${was} here`),
    after: placeAt(spanOfOperation(found.operation), `${is} here`),
    touch: { in: 'before', operations: [old.operation], restOnly: true },
  });
  const success = [old, found].map(({ operation }) => operation.status ?? 200) as [number, number];
  if (success[0] !== success[1]) {
    const hasSameContent = hasContent(old.operation) === hasContent(found.operation);
    yield changed('with a result', hasSameContent ? 'dangerous' : 'breaking', ...success);
  }
  const empty = [old, found].map(({ operation }) => statusOfNull(operation)) as [number, number];
  const isNew = old.operation.nullStatus !== found.operation.nullStatus;
  if (isNew && empty[0] !== empty[1]) yield changed('without a result', 'breaking', ...empty);
}

function statusOfNull({ nullStatus, status = 200 }: GqlOperation): number {
  return nullStatus ?? status;
}

/** The names of arguments in a path make no difference to requests. */
function shapeOf({ path }: RestRoute): string {
  return path.replace(/\{\w+\}/g, '{}');
}

function keyOf(route: RestRoute): string {
  return `${route.method} ${shapeOf(route)}`;
}

function describe({ method, path }: RestRoute): string {
  return `${method} ${path}`;
}
