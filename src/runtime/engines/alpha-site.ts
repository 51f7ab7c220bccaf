import type { ApolloServer, BaseContext } from '@apollo/server';
import { resolveLimits } from '../limits/limits.js';
import { createRequestGuard } from '../limits/request-guard.js';
import type { FetchCompatibleGraphQLServer } from '../options.js';
import { givenContext } from '../request-context.js';
import { isServed } from '../router.js';
import { createAlphaHandler } from './alpha.js';
import { serviceOf } from './alpha-backing.js';

/** What an Apollo Server answers on a host. */
export interface AlphaSite extends FetchCompatibleGraphQLServer {
  /** Whether a path is answered here; others are left to the host. */
  owns(pathname: string): boolean;
}

/**
 * Starts an Apollo Server, unless it was started already, and gives what a host has to serve: for a server
 * that was made from a topology GraphQL, REST, the documents and health; for any other GraphQL alone, at
 * whatever path the host gives it.
 *
 * @throws What keeps the server from starting: a topology that cannot be served, for instance.
 */
export async function openAlphaSite<TContext extends BaseContext>(
  apollo: ApolloServer<TContext>,
): Promise<AlphaSite> {
  const service = serviceOf(apollo);
  if (!isStarted(apollo)) await apollo.start();
  if (service !== undefined) {
    return {
      owns: (pathname) => isServed(pathname, service.endpoint),
      fetch: (request) => service.server.fetch(request),
    };
  }
  const handle = await createAlphaHandler(apollo, (request) => givenContext(request)?.() ?? {}, false);
  // Such a server has limits of its own; what is left to do is to read the body.
  const guard = createRequestGuard({
    ...resolveLimits({ csrf: false }, false),
    batching: Number.POSITIVE_INFINITY,
  });
  return {
    owns: () => true,
    async fetch(request) {
      const guarded = await guard(request, new URL(request.url));
      return guarded instanceof Response ? guarded : handle(guarded, request);
    },
  };
}

/** Apollo tells by an error only. A server that starts in the background counts, it lets its requests wait. */
function isStarted<TContext extends BaseContext>(apollo: ApolloServer<TContext>): boolean {
  try {
    apollo.assertStarted('the host');
    return true;
  } catch {
    return false;
  }
}
