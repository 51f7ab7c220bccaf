import type { ApolloServer, BaseContext } from '@apollo/server';
import type { Request as ExpressRequest, Response as ExpressResponse, RequestHandler } from 'express';
import { openAlphaSite } from './alpha/alpha-site.js';
import { createNodeListener } from './node/node.js';

/** What may be said to {@link createAlphaExpressMiddleware}. */
export interface AlphaExpressOptions<TContext extends BaseContext = BaseContext> {
  /** Makes the context of a request, GraphQL and REST alike, in place of the option `context` of the server. */
  readonly context?: (request: {
    readonly req: ExpressRequest;
    readonly res: ExpressResponse;
  }) => TContext | Promise<TContext>;
}

/**
 * Puts an Apollo Server on Express 5: GraphQL, and for a server made by {@link createAlphaServer} also REST,
 * the documents, health and the start page. Paths that are none of these go on to the next handler. No body
 * parser is needed; one that stands in front does no harm. Without Express the handler serves as a listener
 * of Node's `http.createServer` as well.
 *
 * @param server - Started here, unless it was started already.
 * @param options - Where the context comes from.
 * @returns A promise of the middleware; it rejects with what keeps the server from starting.
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
  const listener = createNodeListener(site, {
    address: (incoming) => addressOf(incoming as ExpressRequest, site.owns),
    ...(context === undefined
      ? {}
      : {
          context: (req, res) => context({ req: req as ExpressRequest, res: res as ExpressResponse }),
        }),
  });
  return (req, res, next) => {
    const [pathname = '/'] = addressOf(req, site.owns).split('?', 1);
    // Outside of Express there is nobody to go on to.
    if (site.owns(pathname) || typeof next !== 'function') listener(req, res);
    else next();
  };
}

/**
 * Below a path (`app.use('/v1', …)`) Express takes that path away. Where it is the path of GraphQL itself
 * (`app.use('/graphql', …)`) the whole address counts.
 */
function addressOf(
  req: Pick<ExpressRequest, 'url' | 'originalUrl'>,
  owns: (pathname: string) => boolean,
): string {
  const { url, originalUrl = url } = req;
  const [whole = '/'] = originalUrl.split('?', 1);
  return owns(whole) ? originalUrl : url;
}
