import type { ApolloServer, BaseContext } from '@apollo/server';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { DirectAnswer } from '../direct/direct-request.js';
import { openAlphaSite } from '../engines/alpha-site.js';
import { answerDirectly } from './node-direct.js';
import { type NodeHost, openRequest } from './node-request.js';
import { sendResponse } from './node-response.js';

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
    const address = ({ url = '/' }: { readonly url?: string | undefined }): string => {
      const rest = url.slice(fastify.prefix.length);
      return rest.startsWith('/') ? rest : `/${rest}`;
    };
    // Bodies are read where they are judged, the same on every host. This holds inside of the plugin alone.
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

    const passWhole = async (
      request: FastifyRequest,
      reply: FastifyReply,
      host: NodeHost,
      body?: Uint8Array,
    ): Promise<unknown> => {
      const opened = openRequest(request.raw, reply.raw, host, body);
      if (typeof opened === 'number') return reply.code(opened).send();
      return send(await site.fetch(opened), request, reply);
    };
    const handler = (request: FastifyRequest, reply: FastifyReply): unknown => {
      const [pathname = '/'] = address(request.raw).split('?', 1);
      if (!site.owns(pathname)) return reply.callNotFound();
      const host: NodeHost =
        context === undefined ? { address } : { address, context: () => context(request, reply) };
      const isAnswered = answerDirectly(site, host, request.raw, reply.raw, {
        send: (answered) => sendAnswered(answered, request, reply),
        passWhole: (_incoming, _outgoing, body) => {
          passWhole(request, reply, host, body).catch((error: unknown) => reply.send(error));
        },
        fail: (_outgoing, error) => reply.send(error),
      });
      // Nothing is awaited where the answer is sent from here.
      return isAnswered ? undefined : passWhole(request, reply, host);
    };
    for (const url of fastify.prefix === '' ? ['/*'] : ['/', '/*']) {
      fastify.route({ method: fastify.supportedMethods, url, exposeHeadRoute: false, handler });
    }
  };
}

function sendAnswered(answered: DirectAnswer | Response, request: FastifyRequest, reply: FastifyReply): void {
  if (answered instanceof Response) {
    send(answered, request, reply).catch((error: unknown) => reply.send(error));
    return;
  }
  const { mediaType = 'application/json' } = answered;
  reply.code(200).header('content-type', `${mediaType}; charset=utf-8`);
  if (answered.isLast === true) reply.header('connection', 'close');
  if (answered.isGuarded) reply.header('x-content-type-options', 'nosniff');
  reply.send(answered.text);
}

/** A whole answer goes through Fastify and its hooks; a stream goes out by itself, as soon as it has something to say. */
async function send(response: Response, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  if (isStream(response)) {
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    await sendResponse(response, request.raw, reply.raw);
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
