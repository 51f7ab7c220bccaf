import type { ApolloServer, BaseContext } from '@apollo/server';
import type { Service } from '../../server/service.js';

/** What is behind an Apollo Server: the service, and the server itself as soon as it is there. */
export interface Backing {
  readonly service: Service;
  apollo: ApolloServer | undefined;
  /** Whether nobody could say anything to the server beside what went through our hands. */
  isWhole: boolean;
}

/** By the Apollo Server, and by the plugins that our configuration holds. */
const backings = new WeakMap<object, Backing>();

/** Notes what is behind an Apollo Server, or behind a plugin that it will be known by. */
export function attachBacking(object: object, backing: Backing): void {
  backings.set(object, backing);
}

/** The service behind an Apollo Server; undefined for one that was not made from a topology. */
export function serviceOf<TContext extends BaseContext>(server: ApolloServer<TContext>): Service | undefined {
  const known = backings.get(server);
  if (known !== undefined) return known.service;
  // A server that was made from `createAlphaServerAdapter` is told by our plugin. Apollo has no public way
  // to the plugins of a server; its own integrations go this way too.
  const { plugins } = (server as unknown as { internals: { plugins: readonly object[] } }).internals;
  const backing = plugins.map((plugin) => backings.get(plugin)).find((found) => found !== undefined);
  if (backing === undefined) return undefined;
  backing.apollo = server as unknown as ApolloServer;
  backings.set(server, backing);
  return backing.service;
}
