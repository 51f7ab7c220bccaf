import type { GqlOperation } from '../../../compiler/schema/gql-schema.js';
import { type Comparison, changeOf } from '../model/comparison.js';

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
