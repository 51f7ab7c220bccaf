import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';

/**
 * The subscriptions that a mutation publishes to, by the name of the mutation: those with a FORK edge that starts at
 * the target of one of its FOLD edges. Mutations without subscriptions are not in the table.
 */
export function eventsOfMutations(schema: GqlSchema): ReadonlyMap<string, readonly GqlOperation[]> {
  const fedBy = new Map<string, Set<GqlOperation>>();
  for (const subscription of schema.subscriptions) {
    for (const source of subscription.edges.flatMap(({ from }) => from)) {
      const fed = fedBy.get(source) ?? new Set();
      fedBy.set(source, fed.add(subscription));
    }
  }
  const table = new Map<string, readonly GqlOperation[]>();
  for (const { name, edges } of schema.mutations) {
    const fed = new Set(edges.flatMap(({ to }) => [...(fedBy.get(to) ?? [])]));
    if (fed.size > 0) table.set(name, [...fed]);
  }
  return table;
}
