import type { ApolloServer, BaseContext } from '@apollo/server';
import type { Request as ExpressRequest, Response as ExpressResponse, RequestHandler } from 'express';
import { openAlphaSite } from './alpha/alpha-site.js';
import { createListener } from './node/node.js';

/** The options of {@link createAlphaExpressMiddleware}. */
export interface AlphaExpressOptions<TContext extends BaseContext = BaseContext> {
  /** Makes the context of a request, GraphQL and REST alike, in place of the option `context` of the server. */
  readonly context?: (request: {
    readonly req: ExpressRequest;
    readonly res: ExpressResponse;
  }) => TContext | Promise<TContext>;
}

/**
 * Puts an Apollo Server on Express 5: GraphQL, and for a server made by {@link createAlphaServer} also REST,
 * the documents, health and the start page. Other paths go on to the next handler. No body parser is needed; one in
 * front does no harm. The handler also works as a listener of Node's `http.createServer`.
 *
 * @param server - Started here, unless it was started before.
 * @param options - How the context is made.
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
    ...(context === undefined
      ? {}
      : {
          context: (req, res) => context({ req: req as ExpressRequest, res: res as ExpressResponse }),
        }),
  });
  return (req, res, next) => {
    const [pathname = '/'] = addressOf(req, site.owns).split('?', 1);
    // Outside of Express there is no next handler.
    if (site.owns(pathname) || typeof next !== 'function') listener(req, res);
    else next();
  };
}

/**
 * Below a path (`app.use('/v1', …)`) Express removes that path from the address. If it is the path of GraphQL itself
 * (`app.use('/graphql', …)`), the whole address counts.
 */
function addressOf(
  req: Pick<ExpressRequest, 'url' | 'originalUrl'>,
  owns: (path: string) => boolean,
): string {
  const { url, originalUrl = url } = req;
  const [whole = '/'] = originalUrl.split('?', 1);
  return owns(whole) ? originalUrl : url;
}
