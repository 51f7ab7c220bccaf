import { type RestRoute, restRoutes } from '../../api/rest-routes.js';
import type { Finding } from '../model/change.js';
import type { Comparison } from '../model/comparison.js';
import { pairByKey } from '../model/pair-by-name.js';
import { placeAt, placeNear, spanOfOperation, spanOfTarget } from '../model/places.js';

/** The REST inventory. A query that became a mutation is the same path with another method. */
export function* routeChanges({ before, after }: Comparison): Iterable<Finding> {
  const { removed, added, kept } = pairByKey(
    new Map(restRoutes(before.schema).map((route) => [route.path, route])),
    new Map(restRoutes(after.schema).map((route) => [route.path, route])),
  );
  for (const route of removed) {
    yield {
      kind: 'route-removed',
      level: 'breaking',
      coordinate: describe(route),
      message: `The route ${describe(route)} was removed.`,
      before: placeAt(spanOfOperation(route.operation), 'removed'),
      after: placeNear(spanOfTarget(after, route.operation), 'no such edge leads here'),
      touch: { in: 'before', operations: [route.operation], restOnly: true },
    };
  }
  for (const route of added) {
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
  for (const [old, found] of kept) {
    if (old.method === found.method) continue;
    yield {
      kind: 'route-method-changed',
      level: 'breaking',
      coordinate: describe(old),
      message: `The route ${describe(old)} became ${describe(found)}.`,
      before: placeAt(spanOfOperation(old.operation), `was ${old.method}`),
      after: placeAt(spanOfOperation(found.operation), `is ${found.method}`),
      touch: { in: 'before', operations: [old.operation], restOnly: true },
    };
  }
}

function describe({ method, path }: RestRoute): string {
  return `${method} ${path}`;
}
