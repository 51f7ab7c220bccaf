import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import type { GivenResolvers } from '../resolvers/given-resolvers.js';

/**
 * The subscriptions that a mutation publishes to, by the name of the mutation: those with a FORK edge that starts at
 * the target of one of its FOLD edges. Mutations without subscriptions are not in the table.
 */
export function createForkTable(schema: GqlSchema): ReadonlyMap<string, readonly string[]> {
  const fedBy = new Map<string, Set<string>>();
  for (const { name, edges } of schema.subscriptions) {
    for (const source of edges.flatMap(({ from }) => from)) {
      const names = fedBy.get(source) ?? new Set();
      fedBy.set(source, names.add(name));
    }
  }
  const table = new Map<string, readonly string[]>();
  for (const { name, edges } of schema.mutations) {
    const names = new Set(edges.flatMap(({ to }) => [...(fedBy.get(to) ?? [])]));
    if (names.size > 0) table.set(name, [...names]);
  }
  return table;
}

/** Whether a subscription is served from its FORK edges, because it has no resolver. */
export function isForked({ name, edges }: GqlOperation, given: GivenResolvers): boolean {
  return edges.length > 0 && !given.has('Subscription', name);
}
