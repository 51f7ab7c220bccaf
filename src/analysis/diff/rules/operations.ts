import { operationCoordinate } from '../../../compiler/api/operation-coordinate.js';
import type { GqlOperation } from '../../../compiler/schema/gql-schema.js';
import type { Finding } from '../model/change.js';
import type { Comparison } from '../model/comparison.js';
import { deprecationChange, descriptionChange, typeChange } from '../model/part-changes.js';
import {
  type ComparedPart,
  changeOf,
  operationPart,
  printEdges,
  spanOfOperation,
  spanOfTarget,
} from '../model/parts.js';

/** Added and removed queries, mutations and subscriptions, and changes of their results. */
export function* operationChanges({ before, after, operations }: Comparison): Iterable<Finding> {
  const { removed, added, kept } = operations;
  const addedByName = new Map(added.map((operation) => [operation.name, operation]));
  for (const operation of removed) {
    const moved = addedByName.get(operation.name);
    const coordinate = operationCoordinate(operation);
    const part: ComparedPart = {
      coordinate,
      spans: {
        before: spanOfOperation(operation),
        after: moved === undefined ? spanOfTarget(after, operation) : spanOfOperation(moved),
      },
      touch: { in: 'before', operations: [operation] },
    };
    const successor = moved === undefined ? '' : `; it is now ${operationCoordinate(moved)}`;
    const note = moved === undefined ? 'no such edge leads here' : `${moved.kind} now`;
    const message = `${coordinate} was removed${successor}.`;
    yield changeOf(part, 'operation-removed', message, ['removed', note], { absentIn: 'after' });
  }
  for (const operation of added) {
    const coordinate = operationCoordinate(operation);
    const part: ComparedPart = {
      coordinate,
      spans: { before: spanOfTarget(before, operation), after: spanOfOperation(operation) },
      touch: { in: 'after', operations: [operation] },
    };
    const notes = ['no such edge led here', 'added'] as const;
    yield changeOf(part, 'operation-added', `${coordinate} was added.`, notes, { absentIn: 'before' });
  }
  for (const pair of kept) yield* changesOfOperation(...pair);
}

function* changesOfOperation(before: GqlOperation, after: GqlOperation): Iterable<Finding> {
  const part = operationPart(before, after);
  const types = [before.type, after.type] as const;
  yield* typeChange(part, 'operation-type-changed', `The result of ${part.coordinate}`, types, 'read');
  yield* deprecationChange(part, before, after);
  yield* descriptionChange(part, before, after);
  yield* originChange(part, before, after);
}

/** The sources of an operation matter only to subscribers: they decide when events are sent. */
function* originChange(part: ComparedPart, before: GqlOperation, after: GqlOperation): Iterable<Finding> {
  const [was, is] = [printEdges(before.edges), printEdges(after.edges)];
  if (was === is) return;
  if (before.kind === 'subscription' && sourcesOf(before) !== sourcesOf(after)) {
    const message = `The trigger of ${part.coordinate} changed from ${sourcesOf(before)} to ${sourcesOf(after)}.`;
    yield changeOf(part, 'trigger-changed', message, ['old trigger', 'new trigger']);
  } else {
    const message = `The origin of ${part.coordinate} changed from ${was} to ${is}.`;
    yield changeOf(part, 'origin-changed', message, ['old origin', 'new origin']);
  }
}

function sourcesOf({ edges }: GqlOperation): string {
  return [...new Set(edges.flatMap(({ from }) => from))].sort().join(' | ');
}
