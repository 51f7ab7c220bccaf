import { operationCoordinate } from '../../../compiler/api/operation-coordinate.js';
import { partitionField } from '../../../compiler/api/partition-field.js';
import type { GqlOperation } from '../../../compiler/schema/gql-schema.js';
import { accessChanges } from '../model/access-changes.js';
import { type ComparedPart, type Comparison, changeOf, partOf, printEdges, spanOfTarget } from '../model/comparison.js';
import { pageChange, textChanges, typeChange } from '../model/part-changes.js';

/** Added and removed queries, mutations and subscriptions, and changes of the others. */
export function* operationChanges(comparison: Comparison) {
  const { before, after, operations } = comparison;
  const addedByName = new Map(operations.added.map((operation) => [operation.name, operation]));
  for (const operation of operations.removed) {
    const moved = addedByName.get(operation.name);
    const successor = moved && operationCoordinate(moved);
    const part = partOf(comparison, operationCoordinate(operation));
    const now = successor === undefined ? spanOfTarget(after, operation) : after.placeOf(successor);
    const message = `${part.coordinate} was removed${successor === undefined ? '' : `; it is now ${successor}`}.`;
    const notes = ['removed', moved === undefined ? 'no such edge leads here' : `${moved.kind} now`] as const;
    const place = { ...part, spans: { ...part.spans, after: now } };
    yield changeOf(place, 'operation-removed', message, notes, { absentIn: 'after' });
  }
  for (const operation of operations.added) {
    const part = partOf(comparison, operationCoordinate(operation), 'after');
    const place = { ...part, spans: { ...part.spans, before: spanOfTarget(before, operation) } };
    const notes = ['no such edge led here', 'added'] as const;
    const message = `${part.coordinate} was added.`;
    yield changeOf(place, 'operation-added', message, notes, { absentIn: 'before' });
  }
  for (const [old, found] of operations.kept) {
    const part = partOf(comparison, operationCoordinate(old));
    const types = [old.type, found.type] as const;
    yield* typeChange(part, 'operation-type-changed', `The result of ${part.coordinate}`, types, 'read');
    yield* textChanges(part, old, found);
    yield* originChange(part, old, found);
    yield* idempotencyChange(part, old, found);
    yield* etagChange(part, old, found);
    yield* fallbackChange(part, old, found);
    yield* partitionChange(part, old, found);
    yield* pageChange(part, old.page, found.page);
    yield* accessChanges(part, old, found);
  }
}

/** The sources of an operation matter only to subscribers: they decide when events are sent. */
function* originChange(part: ComparedPart, before: GqlOperation, after: GqlOperation) {
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

/** REST reads may have an ETag, and writes may, or must, name it. */
function* etagChange(part: ComparedPart, { etag: was }: GqlOperation, { etag: is }: GqlOperation) {
  if (was === is) return;
  const [kind, words] =
    is === 'required'
      ? (['etag-required', 'now requires If-Match'] as const)
      : is === undefined
        ? (['etag-removed', 'has no ETag any more'] as const)
        : was === undefined
          ? (['etag-added', 'has an ETag now'] as const)
          : (['etag-optional', 'no longer requires If-Match'] as const);
  const noteOf = (etag: GqlOperation['etag']) => (etag === undefined ? 'without etag' : `etag: ${etag}`);
  yield changeOf(part, kind, `${part.coordinate} ${words}.`, [noteOf(was), noteOf(is)]);
}

/** The query that answers when a query fails, and the time after which it has failed. */
function* fallbackChange(part: ComparedPart, { vent: was }: GqlOperation, { vent: is }: GqlOperation) {
  const print = (vent: GqlOperation['vent']): string => {
    const time = vent?.timeoutMs === undefined ? '' : ` after ${vent.timeoutMs} ms`;
    return vent === undefined ? 'no fallback' : `the fallback ${vent.query}${time}`;
  };
  const [before, after] = [print(was), print(is)];
  if (before === after) return;
  const message = `${part.coordinate} now has ${after} instead of ${before}.`;
  yield changeOf(part, 'fallback-changed', message, [before, after]);
}

/** Events keep their order for each value of a field. */
function* partitionChange(part: ComparedPart, old: GqlOperation, found: GqlOperation) {
  if (old.partition === found.partition) return;
  const [before, after] = [partitionField(old), partitionField(found)];
  if (before === after) return;
  const message = `The events of ${part.coordinate} are now partitioned by ${after} instead of ${before}.`;
  yield changeOf(part, 'partition-changed', message, [`by ${before}`, `by ${after}`]);
}

/** The callers of a mutation may have to send an idempotency key. */
function* idempotencyChange(part: ComparedPart, before: GqlOperation, after: GqlOperation) {
  const [was, is] = [before.idempotent, after.idempotent];
  if (was === is) return;
  const [kind, words, notes] =
    is === undefined
      ? (['idempotency-key-optional', 'no longer requires', ['required here', 'optional here']] as const)
      : (['idempotency-key-required', 'now requires', ['optional here', 'required here']] as const);
  yield changeOf(part, kind, `${part.coordinate} ${words} an idempotency key.`, notes);
}
