import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { assertPeers } from '../load/load-peer.js';
import { type FetchCompatibleGraphQLServer, type GqlServer, prepareOperations } from '../server/gql-server.js';
import type { GqlServerOptions } from '../server/options.js';
import { createGqlServer } from '../server/service.js';
import { createGuardedHttpServer } from './node/drain.js';
import { createNodeListener } from './node/node.js';
import { attachSubscriptions, serviceBehind } from './websocket/attach-subscriptions.js';

/**
 * Creates a server with GraphQL Yoga: use its `fetch` on Deno, Bun and workers, and {@link createBetaHttpServer} on
 * Node. It needs `npm install graphql-yoga graphql`. If they are missing, it throws at once; {@link createGqlServer}
 * reports them with the first request.
 *
 * @param options - As for {@link createGqlServer}.
 * @throws {TopologyError} When the topology has errors, or the resolvers do not fit it.
 * @throws {Error} When GraphQL Yoga is not installed; the message names the command that installs it.
 *
 * @example
 * ```ts
 * import { createBetaServerAdapter } from 'gg-svc';
 *
 * const server = createBetaServerAdapter({
 *   topologies: [{ name: 'hello.gg', source: "(root)-[:PROCESS]->(hello { text: 'Hello' })" }],
 * });
 * const response = await server.fetch(new Request('http://localhost/api/hello'));
 * console.log(await response.json()); // { text: 'Hello' }
 * ```
 */
export function createBetaServerAdapter<TContext = unknown>(options: GqlServerOptions<TContext>): GqlServer<TContext> {
  assertPeers(['graphql-yoga', 'graphql']);
  return createGqlServer(options);
}

/**
 * Creates a listener `(incoming, outgoing)` for Node's `http.createServer`, `app.use` of Express and others. Bodies are
 * streamed both ways at the speed of the slower side, and a client that disconnects aborts its request.
 *
 * @param server - Anything that answers fetch requests.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import { createBetaNodeRequestListener, createBetaServerAdapter } from 'gg-svc';
 *
 * const server = createBetaServerAdapter({
 *   topologies: [{ name: 'hello.gg', source: "(root)-[:PROCESS]->(hello { text: 'Hello' })" }],
 * });
 * const http = createServer(createBetaNodeRequestListener(server));
 * ```
 */
export function createBetaNodeRequestListener(
  server: FetchCompatibleGraphQLServer,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  return createNodeListener(server);
}

/**
 * Creates a Node HTTP server that does not listen yet. A client has 15 seconds to send its headers and 30 to send its
 * request. If `graphql-ws` and `ws` are installed, it also serves GraphQL over WebSocket. {@link drainHttpServer} shuts
 * it down gracefully.
 *
 * @param server - Anything that answers fetch requests.
 *
 * @example
 * ```ts
 * import { createBetaHttpServer, createBetaServerAdapter } from 'gg-svc';
 *
 * const server = createBetaServerAdapter({
 *   topologies: [{ name: 'hello.gg', source: "(root)-[:PROCESS]->(hello { text: 'Hello' })" }],
 * });
 * createBetaHttpServer(server).listen(4000);
 * ```
 */
export function createBetaHttpServer(server: FetchCompatibleGraphQLServer): Server {
  const http = createGuardedHttpServer(createBetaNodeRequestListener(server));
  if (serviceBehind(server) !== undefined) attachSubscriptions(server, http);
  // Preparing a large topology for execution takes time, for which the first client should not wait.
  http.once('listening', () => prepareOperations(server));
  return http;
}
