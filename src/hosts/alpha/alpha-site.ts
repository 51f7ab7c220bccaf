import type { ApolloServer, BaseContext } from '@apollo/server';
import { defaultLimits } from '../../execute/limits/limits.js';
import { registerDirect } from '../../http/direct/direct-request.js';
import type { GuardedRequest } from '../../http/graphql/request-guard.js';
import { givenContext } from '../../http/request-context.js';
import { ProblemError, problemResponse } from '../../http/rest/problem.js';
import { readBytes } from '../../http/rest/read-body.js';
import { isServed } from '../../http/router.js';
import type { FetchCompatibleGraphQLServer } from '../../server/options.js';
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
  await start(apollo);
  if (service === undefined) return openForeign(apollo);
  const site: AlphaSite = {
    owns: (pathname) => isServed(pathname, service.endpoint),
    fetch: (request) => service.server.fetch(request),
  };
  registerDirect(site, service.direct);
  return site;
}

/** The starts that are under way or done; Apollo refuses to be started twice. */
const starts = new WeakMap<object, Promise<void>>();

function start<TContext extends BaseContext>(apollo: ApolloServer<TContext>): Promise<void> {
  let started = starts.get(apollo);
  if (started === undefined) {
    started = isStarted(apollo) ? Promise.resolve() : apollo.start();
    starts.set(apollo, started);
  }
  return started;
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

/** A server that is none of ours judges its requests by itself; only the body has to be read for it. */
async function openForeign<TContext extends BaseContext>(apollo: ApolloServer<TContext>): Promise<AlphaSite> {
  const handle = await createAlphaHandler(apollo, (request) => givenContext(request)?.() ?? {}, false);
  return {
    owns: () => true,
    async fetch(request) {
      try {
        return await handle({ body: await readBody(request) }, request);
      } catch (error) {
        if (error instanceof ProblemError) return problemResponse(error.problem);
        throw error;
      }
    },
  };
}

async function readBody(request: Request): Promise<GuardedRequest['body']> {
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) return undefined;
  const bytes = await readBytes(request, defaultLimits.body);
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ProblemError({ status: 400, detail: 'The body is not JSON.' });
  }
}
