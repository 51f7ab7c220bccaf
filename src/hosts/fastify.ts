import type { ApolloServer, BaseContext } from '@apollo/server';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { DirectAnswer } from '../http/direct/direct-request.js';
import { openAlphaSite } from './alpha/alpha-site.js';
import { answerDirectly, type DirectExchange } from './node/node-direct.js';
import { type NodeHost, openRequest } from './node/node-request.js';
import { contentTypeOf, sendResponse } from './node/node-response.js';

/** What may be said to {@link createAlphaFastifyPlugin}. */
export interface AlphaFastifyOptions<TContext extends BaseContext = BaseContext> {
  /** Makes the context of a request, GraphQL and REST alike, in place of the option `context` of the server. */
  readonly context?: (request: FastifyRequest, reply: FastifyReply) => TContext | Promise<TContext>;
}

/**
 * Puts an Apollo Server on Fastify 5: GraphQL, and for a server made by {@link createAlphaServer} also REST,
 * the documents, health and the start page. Routes of the application go first; with a `prefix` everything
 * stands below it.
 *
 * @param server - Started when the plugin is registered, unless it was started already.
 * @param options - Where the context comes from.
 * @returns A plugin; registering it rejects with what keeps the server from starting.
 *
 * @example
 * ```ts
 * import fastify from 'fastify';
 * import { createAlphaFastifyPlugin, createAlphaServer } from 'gg-svc';
 *
 * const server = createAlphaServer({
 *   topologies: [{ name: 'hello.gg', source: "(root)-[:PROCESS]->(hello { text: 'Hello' })" }],
 * });
 * const app = fastify();
 * await app.register(createAlphaFastifyPlugin(server));
 * ```
 */
export function createAlphaFastifyPlugin<TContext extends BaseContext = BaseContext>(
  server: ApolloServer<TContext>,
  options: AlphaFastifyOptions<TContext> = {},
): FastifyPluginAsync {
  const { context } = options;
  return async (fastify) => {
    const site = await openAlphaSite(server);
    const { length: prefixLength } = fastify.prefix;
    const address = ({ url = '/' }: { readonly url?: string | undefined }): string => {
      const rest = url.slice(prefixLength);
      return rest.startsWith('/') ? rest : `/${rest}`;
    };
    // Bodies are read where they are judged, the same on every host. This holds inside of the plugin alone.
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

    const plainHost: NodeHost = { address };
    const hostOf = (reply: FastifyReply): NodeHost =>
      context === undefined ? plainHost : { address, context: () => context(reply.request, reply) };
    const passWhole = async (reply: FastifyReply, body?: Uint8Array): Promise<unknown> => {
      const opened = openRequest(reply.request.raw, reply.raw, hostOf(reply), body);
      if (typeof opened === 'number') return reply.code(opened).send();
      return send(await site.fetch(opened), reply);
    };
    const ways: DirectExchange<FastifyReply> = {
      send: sendAnswered,
      passWhole: (reply, body) => {
        passWhole(reply, body).catch((error: unknown) => reply.send(error));
      },
      fail: (reply, error) => reply.send(error),
    };
    const handler = ({ raw }: FastifyRequest, reply: FastifyReply): unknown => {
      const path = address(raw);
      const mark = path.indexOf('?');
      if (!site.owns(mark === -1 ? path : path.slice(0, mark))) return reply.callNotFound();
      // Nothing is awaited where the answer is sent from here.
      const isAnswered = answerDirectly(site, hostOf(reply), raw, reply.raw, ways, reply);
      return isAnswered ? undefined : passWhole(reply);
    };
    for (const url of fastify.prefix === '' ? ['/*'] : ['/', '/*']) {
      fastify.route({ method: fastify.supportedMethods, url, exposeHeadRoute: false, handler });
    }
  };
}

function sendAnswered(answered: DirectAnswer | Response, reply: FastifyReply): void {
  if (answered instanceof Response) {
    send(answered, reply).catch((error: unknown) => reply.send(error));
    return;
  }
  reply.code(200).header('content-type', contentTypeOf(answered));
  if (answered.isLast === true) reply.header('connection', 'close');
  if (answered.isGuarded) reply.header('x-content-type-options', 'nosniff');
  reply.send(answered.text);
}

/** A whole answer goes through Fastify and its hooks; a stream goes out by itself, as soon as it has something to say. */
async function send(response: Response, reply: FastifyReply): Promise<unknown> {
  if (isStream(response)) {
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    await sendResponse(response, reply.request.raw, reply.raw);
    return reply;
  }
  reply.code(response.status);
  for (const [name, value] of response.headers) reply.header(name, value);
  // As bytes: to a text Fastify would add what it is encoded in.
  return reply.send(response.body === null ? null : Buffer.from(await response.arrayBuffer()));
}

function isStream({ headers }: Response): boolean {
  return /^(text\/event-stream|multipart\/)/.test(headers.get('content-type') ?? '');
}
