import { operationCoordinate } from '../../api/operation-coordinate.js';
import type { GqlOperation } from '../../schema/gql-schema.js';
import type { Finding } from '../model/change.js';
import type { Comparison } from '../model/comparison.js';
import { deprecationChange, descriptionChange, typeChange } from '../model/part-changes.js';
import { describeEdges, placeAt, placeNear, spanOfOperation, spanOfTarget } from '../model/places.js';

/** Added and removed queries, mutations and subscriptions, and changes of their results. */
export function* operationChanges({ before, after, operations }: Comparison): Iterable<Finding> {
  const { removed, added, kept } = operations;
  const addedByName = new Map(added.map((operation) => [operation.name, operation]));
  for (const operation of removed) {
    const moved = addedByName.get(operation.name);
    const coordinate = operationCoordinate(operation);
    yield {
      kind: 'operation-removed',
      level: 'breaking',
      coordinate,
      message: `${coordinate} was removed${moved === undefined ? '' : `; it is now ${operationCoordinate(moved)}`}.`,
      before: placeAt(spanOfOperation(operation), 'removed'),
      after:
        moved === undefined
          ? placeNear(spanOfTarget(after, operation), 'no such edge leads here')
          : placeNear(spanOfOperation(moved), `${moved.kind} now`),
      touch: { in: 'before', operations: [operation] },
    };
  }
  for (const operation of added) {
    const coordinate = operationCoordinate(operation);
    yield {
      kind: 'operation-added',
      level: 'safe',
      coordinate,
      message: `${coordinate} was added.`,
      before: placeNear(spanOfTarget(before, operation), 'no such edge led here'),
      after: placeAt(spanOfOperation(operation), 'added'),
      touch: { in: 'after', operations: [operation] },
    };
  }
  for (const pair of kept) yield* changesOfOperation(...pair);
}

function* changesOfOperation(before: GqlOperation, after: GqlOperation): Iterable<Finding> {
  const coordinate = operationCoordinate(before);
  const spans = { before: spanOfOperation(before), after: spanOfOperation(after) };
  const part = { coordinate, spans, touch: { in: 'before', operations: [before] } } as const;
  const types = [before.type, after.type] as const;
  yield* typeChange(part, 'operation-type-changed', `The result of ${coordinate}`, types, 'read');
  yield* deprecationChange(part, before, after);
  yield* descriptionChange(part, before, after);
  yield* originChange(coordinate, before, after);
}

/** The sources of an operation matter only to subscribers: they decide when events are sent. */
function* originChange(coordinate: string, before: GqlOperation, after: GqlOperation): Iterable<Finding> {
  const [was, is] = [describeEdges(before.edges), describeEdges(after.edges)];
  if (was === is) return;
  const triggers = before.kind === 'subscription' && sourcesOf(before) !== sourcesOf(after);
  yield {
    kind: triggers ? 'trigger-changed' : 'origin-changed',
    level: triggers ? 'dangerous' : 'safe',
    coordinate,
    message: triggers
      ? `The trigger of ${coordinate} changed from ${sourcesOf(before)} to ${sourcesOf(after)}.`
      : `The origin of ${coordinate} changed from ${was} to ${is}.`,
    before: placeAt(spanOfOperation(before), triggers ? 'old trigger' : 'old origin'),
    after: placeAt(spanOfOperation(after), triggers ? 'new trigger' : 'new origin'),
    touch: { in: 'before', operations: [before] },
  };
}

function sourcesOf({ edges }: GqlOperation): string {
  return [...new Set(edges.flatMap(({ from }) => from))].sort().join(' | ');
}
