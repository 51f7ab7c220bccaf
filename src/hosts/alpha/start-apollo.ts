import type { ApolloServer, BaseContext } from '@apollo/server';

/**
 * Starts an Apollo Server, or waits until it is started. Apollo throws if it is started twice, and has no public API to
 * wait for a start; see the README of this folder.
 */
export async function startApollo<TContext extends BaseContext>(
  apollo: ApolloServer<TContext>,
): Promise<void> {
  const { internals, _ensureStarted } = apollo as unknown as ApolloInternals;
  if (internals.state.phase === 'initialized') await apollo.start();
  // While a server starts in the background, its requests wait.
  else if (internals.state.startedInBackground !== true) await _ensureStarted.call(apollo);
}

interface ApolloInternals {
  readonly internals: { readonly state: { readonly phase: string; readonly startedInBackground?: boolean } };
  _ensureStarted(): Promise<unknown>;
}
