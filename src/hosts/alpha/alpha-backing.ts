import type { ApolloServer, ApolloServerPlugin, BaseContext } from '@apollo/server';
import { type Service, serviceOf } from '../../server/gql-service.js';

/** The service behind an Apollo Server, and the Apollo Server itself once it exists. */
export interface Backing {
  readonly service: Service;
  apollo: ApolloServer | undefined;
  /** Whether this package created the Apollo Server, so that the user could not configure it further. */
  isWhole: boolean;
}

const key = Symbol('gg-svc.backing');

/** Attaches a backing to our plugin, which identifies an Apollo Server that the user creates. */
export function attachBacking(plugin: object, backing: Backing): void {
  Object.defineProperty(plugin, key, { value: backing });
}

/** The service behind an Apollo Server; undefined if it was not created from a topology. */
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

/** The plugins of an Apollo Server. Apollo has no public API for them; see the README of this folder. */
export function pluginsOf<TContext extends BaseContext>(
  apollo: ApolloServer<TContext>,
): readonly ApolloServerPlugin[] {
  return (apollo as unknown as { internals: { plugins: readonly ApolloServerPlugin[] } }).internals.plugins;
}
