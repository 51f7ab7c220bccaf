import { operationCoordinate } from '../../../compiler/api/operation-coordinate.js';
import { partitionField } from '../../../compiler/api/partition-field.js';
import type { GqlOperation } from '../../../compiler/schema/gql-schema.js';
import { accessChanges } from '../model/access-changes.js';
import {
  type ComparedPart,
  type Comparison,
  changeOf,
  pairByName,
  pairNames,
  partOf,
  printEdges,
  spanOfTarget,
  textChange,
} from '../model/comparison.js';
import { pageChange, textChanges, typeChange } from '../model/part-changes.js';
import { memberChanges } from './members.js';

/** The root types: a schema has Mutation and Subscription only when they have operations, Query always. */
export function* rootTypeChanges({ before, after }: Comparison) {
  for (const list of ['mutations', 'subscriptions'] as const) {
    const name = list === 'mutations' ? 'Mutation' : 'Subscription';
    const [old, found] = [before.schema[list], after.schema[list]];
    const spans = spansOf(old, found);
    if (old.length > 0 && found.length === 0) {
      const part = { coordinate: name, spans, touch: { in: 'before', operations: old } } as const;
      const message = `The API has no ${name.toLowerCase()} any more.`;
      yield changeOf(part, 'root-type-removed', message, ['removed with all others', '']);
    } else if (old.length === 0 && found.length > 0) {
      const part = { coordinate: name, spans, touch: { in: 'after', operations: found } } as const;
      yield changeOf(part, 'root-type-added', `The API has its first ${name.toLowerCase()}.`, ['', 'added']);
    }
  }
  // An empty schema has no placeholder.
  if (before.types.size === 0 || after.types.size === 0) return;
  yield* placeholderChanges(before.schema.queries, after.schema.queries);
}

/** The SDL of a schema without queries holds `Query._empty`, because GraphQL requires a query. */
function* placeholderChanges(before: readonly GqlOperation[], after: readonly GqlOperation[]) {
  const coordinate = 'Query._empty';
  const touch = { in: 'before', operations: [] } as const;
  const part = { coordinate, spans: spansOf(before, after), touch };
  if (before.length === 0 && after.length > 0) {
    const message = `The placeholder ${coordinate} was removed, because there are queries now.`;
    yield changeOf(part, 'placeholder-removed', message, ['', 'the first query']);
  } else if (before.length > 0 && after.length === 0) {
    const message = `The last query was removed, so the placeholder ${coordinate} was added.`;
    yield changeOf(part, 'placeholder-added', message, ['removed with all others', '']);
  }
}

function spansOf([old]: readonly GqlOperation[], [found]: readonly GqlOperation[]) {
  return { before: old?.edges[0]?.span, after: found?.edges[0]?.span };
}

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
    yield* partitionChange(comparison, part, old, found);
    yield* pageChange(part, old.page, found.page);
    yield* accessChanges(part, old, found);
  }
}

/** The sources of an operation matter only to subscribers: they decide when events are sent. */
function* originChange(part: ComparedPart, before: GqlOperation, after: GqlOperation) {
  const [was, is] = [printEdges(before.edges), printEdges(after.edges)];
  if (was === is) return;
  const isTrigger = before.kind === 'subscription' && sourcesOf(before) !== sourcesOf(after);
  const [what, old, found] = isTrigger ? ['trigger', sourcesOf(before), sourcesOf(after)] : ['origin', was, is];
  const message = `The ${what} of ${part.coordinate} changed from ${old} to ${found}.`;
  yield changeOf(part, isTrigger ? 'trigger-changed' : 'origin-changed', message, [`old ${what}`, `new ${what}`]);
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
  const message = `${part.coordinate} now has ${after} instead of ${before}.`;
  yield* textChange(part, 'fallback-changed', [before, after], message);
}

/** Events keep their order for each value of a field. */
function* partitionChange({ before, after }: Comparison, part: ComparedPart, old: GqlOperation, found: GqlOperation) {
  if (old.kind !== 'subscription') return;
  const [was, is] = [
    partitionField(before.schema, old) ?? 'subscription',
    partitionField(after.schema, found) ?? 'subscription',
  ];
  const message = `The events of ${part.coordinate} are now partitioned by ${is} instead of ${was}.`;
  yield* textChange(part, 'partition-changed', [was, is], message, [`by ${was}`, `by ${is}`]);
}

function* idempotencyChange(part: ComparedPart, before: GqlOperation, after: GqlOperation) {
  const [was, is] = [before.idempotent, after.idempotent];
  if (was === is) return;
  const [kind, words, notes] =
    is === undefined
      ? (['idempotency-key-optional', 'no longer requires', ['required here', 'optional here']] as const)
      : (['idempotency-key-required', 'now requires', ['optional here', 'required here']] as const);
  yield changeOf(part, kind, `${part.coordinate} ${words} an idempotency key.`, notes);
}

/** The declared errors, their statuses and fields, and the operations that answer with them. */
export function* problemChanges(comparison: Comparison) {
  const { before, after, operations } = comparison;
  const { removed, added, kept } = pairByName(before.schema.problems ?? [], after.schema.problems ?? []);
  for (const { name } of removed) {
    const message = `The declared error ${name} was removed.`;
    yield changeOf(partOf(comparison, name), 'problem-removed', message, ['removed', '']);
  }
  for (const { name } of added) {
    const message = `The declared error ${name} was added.`;
    yield changeOf(partOf(comparison, name, 'after'), 'problem-added', message, ['', 'added']);
  }
  for (const [old, found] of kept) {
    const { name, status: was } = old;
    const { status: is } = found;
    const message = `The status of ${name} changed from ${was} to ${is}.`;
    const notes = [`${was} here`, `${is} here`] as const;
    if (was !== is) yield changeOf(partOf(comparison, name), 'problem-status-changed', message, notes);
    const members = { kind: 'field', of: name, before: old.fields, after: found.fields } as const;
    yield* memberChanges(comparison, members, (part, ...[{ type: then }, { type: now }]) =>
      typeChange(part, 'field-type-changed', `The type of ${part.coordinate}`, [then, now], 'read'),
    );
  }
  for (const [old, found] of operations.kept) {
    const part = partOf(comparison, operationCoordinate(old));
    const pairing = pairNames(old.throws, found.throws);
    const [lost, won] = [pairing.removed.join(', '), pairing.added.join(', ')];
    const [less, more] = [`no longer declares ${lost}.`, `may now answer with ${won}.`];
    const notes = ['', ''] as const;
    if (lost !== '') yield changeOf(part, 'operation-error-removed', `${part.coordinate} ${less}`, notes);
    if (won !== '') yield changeOf(part, 'operation-error-added', `${part.coordinate} ${more}`, notes);
  }
}
