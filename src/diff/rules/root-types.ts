import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import type { Finding } from '../model/change.js';
import type { Comparison } from '../model/comparison.js';
import { placeAt, spanOfOperation } from '../model/places.js';

/** The root types: a schema has Mutation and Subscription only when they have operations, Query always. */
export function* rootTypeChanges({ before, after }: Comparison): Iterable<Finding> {
  for (const [name, operationsOf] of rootTypes) {
    const [old, found] = [operationsOf(before.schema), operationsOf(after.schema)];
    if (old.length > 0 && found.length === 0) {
      yield {
        kind: 'root-type-removed',
        level: 'breaking',
        coordinate: name,
        message: `The API has no ${name.toLowerCase()} any more.`,
        before: firstOf(old, 'removed with all others'),
        after: undefined,
        touch: { in: 'before', operations: old },
      };
    } else if (old.length === 0 && found.length > 0) {
      yield {
        kind: 'root-type-added',
        level: 'safe',
        coordinate: name,
        message: `The API has its first ${name.toLowerCase()}.`,
        before: undefined,
        after: firstOf(found, 'added'),
        touch: { in: 'after', operations: found },
      };
    }
  }
  // An empty schema has no placeholder to lose or get.
  if (before.types.size === 0 || after.types.size === 0) return;
  yield* placeholderChanges(before.schema.queries, after.schema.queries);
}

const rootTypes: readonly (readonly [string, (schema: GqlSchema) => readonly GqlOperation[]])[] = [
  ['Mutation', ({ mutations }) => mutations],
  ['Subscription', ({ subscriptions }) => subscriptions],
];

/** The SDL of a schema without queries holds `Query._empty`, because GraphQL requires a query. */
function* placeholderChanges(
  before: readonly GqlOperation[],
  after: readonly GqlOperation[],
): Iterable<Finding> {
  const coordinate = 'Query._empty';
  const touch = { in: 'before', operations: [] } as const;
  if (before.length === 0 && after.length > 0) {
    yield {
      kind: 'placeholder-removed',
      level: 'dangerous',
      coordinate,
      message: `The placeholder ${coordinate} was removed, because there are queries now.`,
      before: undefined,
      after: firstOf(after, 'the first query'),
      touch,
    };
  } else if (before.length > 0 && after.length === 0) {
    yield {
      kind: 'placeholder-added',
      level: 'safe',
      coordinate,
      message: `There are no queries any more, so the placeholder ${coordinate} was added.`,
      before: firstOf(before, 'removed with all others'),
      after: undefined,
      touch,
    };
  }
}

function firstOf(operations: readonly GqlOperation[], note: string) {
  const [first] = operations;
  return first === undefined ? undefined : placeAt(spanOfOperation(first), note);
}
