import type { ApolloServer, ApolloServerPlugin, BaseContext } from '@apollo/server';
import { type Service, serviceOf } from '../../server/gql-server.js';

/** The plugin by which an Apollo Server of a topology is recognized, also one that its user has created. */
export class TopologyPlugin implements ApolloServerPlugin {
  declare readonly serverWillStart?: never;
  apollo: ApolloServer | undefined = undefined;
  /** Whether this package created the Apollo Server, so that the user could not configure it further. */
  isWhole = false;

  constructor(readonly service: Service) {}
}

export function alphaServiceOf<TContext extends BaseContext>(apollo: ApolloServer<TContext>) {
  const known = serviceOf(apollo);
  if (known !== undefined) return known;
  const backing = pluginsOf(apollo).find((plugin) => plugin instanceof TopologyPlugin);
  if (backing !== undefined) backing.apollo = apollo as unknown as ApolloServer;
  return backing?.service;
}

interface ApolloInternals {
  readonly internals: {
    readonly plugins: readonly ApolloServerPlugin[];
    readonly state: { readonly phase: string; readonly startedInBackground?: boolean };
  };
  _ensureStarted(): Promise<unknown>;
}

/** The plugins of an Apollo Server. Apollo has no public API for them; see the README of this folder. */
export function pluginsOf<TContext extends BaseContext>(apollo: ApolloServer<TContext>) {
  return (apollo as unknown as ApolloInternals).internals.plugins;
}

/**
 * Starts an Apollo Server, or waits until it is started. Apollo throws if it is started twice, and has no public API to
 * wait for a start; see the README of this folder.
 */
export async function startApollo<TContext extends BaseContext>(apollo: ApolloServer<TContext>): Promise<void> {
  const { internals, _ensureStarted } = apollo as unknown as ApolloInternals;
  if (internals.state.phase === 'initialized') await apollo.start();
  // While a server starts in the background, its requests wait.
  else if (internals.state.startedInBackground !== true) await _ensureStarted.call(apollo);
}
