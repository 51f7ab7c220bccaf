import type { ApolloServer, BaseContext } from '@apollo/server';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../auth/caller.js';
import { type Answer, inOnePiece, isStreamed } from '../http/answer.js';
import { openAlphaSite } from './alpha/alpha-site.js';
import { NodeExchange, type NodeHost } from './node/node-exchange.js';
import { endInOnePiece, fail, writeAnswer } from './node/write-answer.js';

/** The options of {@link createAlphaFastifyPlugin}. */
export interface AlphaFastifyOptions<TContext extends BaseContext = BaseContext> {
  /** Returns the context of a request, for GraphQL and REST; replaces the option `context` of the server. */
  readonly context?: (request: FastifyRequest, reply: FastifyReply, caller: Caller) => TContext | Promise<TContext>;
}

/**
 * Serves an Apollo Server on Fastify 5: GraphQL, and for a server of {@link createAlphaServer} also REST, the
 * documents, health checks and the start page. Routes of the application take precedence; with a `prefix`, everything
 * is below it.
 *
 * @param server - Started when the plugin is registered, unless it is started already.
 * @param options - The context of operations.
 * @returns A plugin. Registering it rejects if the server cannot start.
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
    // The steps read and limit bodies. Encapsulation keeps this inside the plugin.
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

    const host: NodeHost<FastifyReply> = {
      address,
      framework: ({ reply }) => ({ fastify: { request: reply.request, reply } }),
      ...(context && { context: ({ reply }, caller) => context(reply.request, reply, caller) }),
    };
    const handler = ({ raw }: FastifyRequest, reply: FastifyReply): unknown => {
      // The path that the client sent, which is also the one that hooks of the application get.
      if (!site.owns(address(raw))) return reply.callNotFound();
      const exchange = new NodeExchange(raw, reply.raw, host, reply);
      if (!exchange.begin()) return reply.hijack();
      site.answer(exchange, send);
      return undefined;
    };
    for (const url of fastify.prefix === '' ? ['/*'] : ['/', '/*']) {
      fastify.route({ method: fastify.supportedMethods, url, exposeHeadRoute: false, handler });
    }
  };
}

/**
 * Sends a complete answer through Fastify and its hooks. A stream is written directly to the connection. Never throws.
 */
function send(answer: Answer, exchange: NodeExchange<FastifyReply>): void {
  const { status, headers, body } = answer;
  const { reply } = exchange;
  try {
    if (isStreamed(body)) {
      reply.hijack();
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value);
      }
      writeAnswer(answer, exchange);
      return;
    }
    reply.code(status);
    // Fastify adds a charset to a text type without one.
    let isComplete = typeof body !== 'string';
    for (let at = 0; at < headers.length; at += 2) {
      const name = headers[at] as string;
      const value = headers[at + 1] as string;
      // Fastify states the length of a body itself.
      if (body !== null && name === 'content-length') continue;
      if (name === 'content-type') isComplete ||= value.endsWith('; charset=utf-8');
      reply.header(name, value);
    }
    endInOnePiece(reply.raw);
    reply.send(isComplete ? inOnePiece(body) : Buffer.from(body as string));
    exchange.end();
  } catch (error) {
    reply.hijack();
    fail(error, exchange);
  }
}
