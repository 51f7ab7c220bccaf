import type { ApolloServer, ApolloServerPlugin, BaseContext } from '@apollo/server';
import { type Service, serviceOf } from '../../server/gql-service.js';

/** What is behind an Apollo Server: the service, and the Apollo Server itself once it exists. */
export interface Backing {
  readonly service: Service;
  apollo: ApolloServer | undefined;
  /** Whether this package made the Apollo Server, so that no user could configure it further. */
  isWhole: boolean;
}

const key = Symbol('gg-svc.backing');

/** Keeps a backing on a plugin of ours, by which an Apollo Server that its user makes is recognized. */
export function attachBacking(plugin: object, backing: Backing): void {
  Object.defineProperty(plugin, key, { value: backing });
}

/** The service behind an Apollo Server; undefined if it was not made from a topology. */
export function alphaServiceOf<TContext extends BaseContext>(
  apollo: ApolloServer<TContext>,
): Service | undefined {
  const known = serviceOf(apollo);
  if (known !== undefined) return known;
  const backings = pluginsOf(apollo).map((plugin) => (plugin as { readonly [key]?: Backing })[key]);
  const backing = backings.find((found) => found !== undefined);
  if (backing !== undefined) backing.apollo = apollo as unknown as ApolloServer;
  return backing?.service;
}

/** The plugins of an Apollo Server. Apollo has no public way to them; see the README of this folder. */
export function pluginsOf<TContext extends BaseContext>(
  apollo: ApolloServer<TContext>,
): readonly ApolloServerPlugin[] {
  return (apollo as unknown as { internals: { plugins: readonly ApolloServerPlugin[] } }).internals.plugins;
}
