import type { GqlOperation, GqlSchema, OperationKind } from '../schema/gql-schema.js';

/**
 * The number of operations of each kind. The federation queries are not counted, so that every place says the same of a
 * topology, whether or not it has joined that layer.
 */
export function countOperations(schema: GqlSchema): Readonly<Record<OperationKind, number>> {
  const { queries, mutations, subscriptions } = schema;
  const own = queries.filter((query) => !isOfFederation(query));
  return { query: own.length, mutation: mutations.length, subscription: subscriptions.length };
}

/** Whether an operation is one of the federation layer, which belongs to no edge. */
export function isOfFederation({ kind, name, edges }: GqlOperation): boolean {
  return kind === 'query' && edges.length === 0 && /^federation(?:Chain|Lookup|Snapshot)$/.test(name);
}
