import type { ApolloServer, BaseContext } from '@apollo/server';
import type { Request as ExpressRequest, Response as ExpressResponse, RequestHandler } from 'express';
import type { Caller } from '../auth/caller.js';
import { openAlphaSite } from './alpha/alpha-site.js';
import { createListener } from './node/node.js';

/** The options of {@link createAlphaExpressMiddleware}. */
export interface AlphaExpressOptions<TContext extends BaseContext = BaseContext> {
  /** Returns the context of a request, for GraphQL and REST; replaces the option `context` of the server. */
  readonly context?: (request: {
    readonly req: ExpressRequest;
    readonly res: ExpressResponse;
    readonly caller: Caller;
  }) => TContext | Promise<TContext>;
}

/**
 * Serves an Apollo Server on Express 5: GraphQL, and for a server of {@link createAlphaServer} also REST, the
 * documents, health checks and the start page. Other paths are passed to the next handler. No body parser is needed,
 * but one is allowed. The handler also works as a listener of Node's `http.createServer`.
 *
 * @param server - Started here, unless it is started already.
 * @param options - The context of operations.
 * @returns A promise of the middleware. It rejects if the server cannot start.
 *
 * @example
 * ```ts
 * import express from 'express';
 * import { createAlphaExpressMiddleware, createAlphaServer } from 'gg-svc';
 *
 * const server = createAlphaServer({
 *   topologies: [{ name: 'hello.gg', source: "(root)-[:PROCESS]->(hello { text: 'Hello' })" }],
 * });
 * const app = express();
 * app.use(await createAlphaExpressMiddleware(server));
 * ```
 */
export async function createAlphaExpressMiddleware<TContext extends BaseContext = BaseContext>(
  server: ApolloServer<TContext>,
  options: AlphaExpressOptions<TContext> = {},
): Promise<RequestHandler> {
  const { context } = options;
  const site = await openAlphaSite(server);
  const listener = createListener(site.answer, {
    address: (incoming) => addressOf(incoming as ExpressRequest, site.owns),
    framework: ({ incoming, outgoing }) => ({ express: { req: incoming, res: outgoing } }),
    ...(context && {
      context: ({ incoming, outgoing }, caller) =>
        context({ req: incoming as ExpressRequest, res: outgoing as ExpressResponse, caller }),
    }),
  });
  return (req, res, next) => {
    // Outside Express, there is no next handler.
    if (site.owns(addressOf(req, site.owns)) || typeof next !== 'function') listener(req, res);
    else next();
  };
}

/**
 * Below a path (`app.use('/v1', …)`) Express removes that path from the URL. If it is the GraphQL path itself
 * (`app.use('/graphql', …)`), the full URL is used.
 */
function addressOf(req: Pick<ExpressRequest, 'url' | 'originalUrl'>, owns: (address: string) => boolean): string {
  const { url, originalUrl = url } = req;
  return owns(originalUrl) ? originalUrl : url;
}
