import type { GraphQLResolveInfo } from 'graphql';

/**
 * The root value of every operation that we run. It carries what belongs to the operation down to its
 * resolvers, which graphql-js hands it to as `info.rootValue`; the resolvers of root fields do not get it
 * as their parent.
 */
export class OperationRoot {
  readonly #lifetime: { readonly signal?: AbortSignal | undefined } | undefined;

  /** @param lifetime - Has the signal; it may make it when it is asked for it. */
  constructor(lifetime: { readonly signal?: AbortSignal | undefined } | undefined) {
    this.#lifetime = lifetime;
  }

  /** Aborted when nobody waits for the operation any more. */
  get signal(): AbortSignal | undefined {
    return this.#lifetime?.signal;
  }
}

/** What the branches of races were given in place of the `info` of the field that races. */
const branches = new WeakMap<object, AbortSignal>();

/** A signal for operations that nobody can abort. */
const never = new AbortController().signal;

/**
 * The signal that tells a resolver to stop: it is aborted when another branch of its race has won, and when
 * nobody waits for the operation any more. Pass it to `fetch`, to timers, to the driver of a database.
 *
 * @param info - The fourth argument of the resolver, as it was given.
 * @returns A signal; where nothing can end the work early, one that is never aborted.
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

/** The signal for a resolver, where there is anything that can end its work early. */
export function givenSignalOf(info: GraphQLResolveInfo): AbortSignal | undefined {
  return branches.get(info) ?? (info.rootValue instanceof OperationRoot ? info.rootValue.signal : undefined);
}

/** The info for a branch of a race: that of the field that races, with a signal of its own. */
export function withBranchSignal(info: GraphQLResolveInfo, signal: AbortSignal): GraphQLResolveInfo {
  const own = { ...info };
  branches.set(own, signal);
  return own;
}
