import type { GraphQLResolveInfo } from 'graphql';
import { OperationRoot } from './operation-root.js';

/** The signal of operations that cannot be cancelled. */
const never = new AbortController().signal;

/**
 * Returns the cancellation signal of a resolver. It is aborted when another branch of its race has won, and when the
 * operation times out or its client disconnects. Pass it to `fetch`, to timers, to a database driver.
 *
 * @param info - The fourth argument of the resolver.
 * @returns A signal; if nothing can cancel the work, it is never aborted.
 *
 * @example
 * ```ts
 * import { createGqlServer, signalOf } from 'gg-svc';
 *
 * const server = createGqlServer({
 *   topologies: [
 *     {
 *       name: 'mirrors.gg',
 *       source: `
 *         (root)-[:PROCESS]->(near: Record { text: String! } | far: Record { text: String! })
 *         (near | far)-[:RACE]->(page)
 *         (root)-[:PROCESS]->(page)
 *       `,
 *     },
 *   ],
 *   resolvers: {
 *     Query: {
 *       near: async (_parent, _args, _context, info) => {
 *         const response = await fetch('http://near.example/', { signal: signalOf(info) });
 *         return { text: await response.text() };
 *       },
 *       far: { text: 'far' },
 *     },
 *   },
 * });
 * const { data } = await server.executeOperation({ query: '{ page { ... on Far { text } } }' });
 * console.log(data); // { page: { text: 'far' } }
 * ```
 */
export function signalOf(info: GraphQLResolveInfo): AbortSignal {
  return givenSignalOf(info) ?? never;
}

/** The cancellation signal of a resolver; undefined if nothing can cancel its work. */
export function givenSignalOf(info: GraphQLResolveInfo): AbortSignal | undefined {
  return info.rootValue instanceof OperationRoot ? info.rootValue.signal : undefined;
}

/** The info for a branch of a race: the info of the racing field, with the signal of the branch. */
export function withBranchSignal(info: GraphQLResolveInfo, signal: AbortSignal): GraphQLResolveInfo {
  const { rootValue } = info;
  const owner = rootValue instanceof OperationRoot ? rootValue.owner : undefined;
  return { ...info, rootValue: new OperationRoot({ signal }, undefined, owner) };
}
