import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApolloServer } from '@apollo/server';
import { ProblemError } from '../../call/problem.js';
import { callOnRequest } from '../../http/call-on-request.js';
import { isForeign } from '../../http/csrf.js';
import type { Exchange } from '../../http/exchange.js';
import { FetchExchange } from '../../http/fetch-exchange.js';
import { loadPeer } from '../../load/load-peer.js';
import { type Service, serviceOf } from '../../server/gql-server.js';
import { alphaServiceOf } from '../alpha/alpha-backing.js';
import { refuseUpgrade, toUpgradeRequest } from './connection.js';
import type { SocketClients } from './socket-clients.js';

/** The WebSocket endpoint of an HTTP server. */
export interface AttachedSubscriptions {
  /** Refuses new connections, and closes each open one when its queries and mutations have ended. */
  close(): Promise<void>;
}

/**
 * Serves GraphQL over WebSocket at the GraphQL path of an HTTP server, with the protocol `graphql-transport-ws` of
 * graphql-ws, Apollo Client and urql. `createBetaHttpServer` and `gg-svc serve` call it themselves; with Express and
 * Fastify, pass the Node server below them. It needs `npm install graphql-ws ws`; both are loaded for the first
 * connection.
 *
 * @param server - A server of this package, including an Apollo Server.
 * @param http - The HTTP server. Other upgrade listeners keep working.
 * @throws {TypeError} If `server` is not one of this package.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import { attachSubscriptions, createBetaNodeRequestListener, createGqlServer } from 'gg-svc';
 *
 * const server = createGqlServer({
 *   topologies: [{ name: 'news.gg', source: '(editor)-[:FORK]->(news { text: String! })' }],
 * });
 * const http = createServer(createBetaNodeRequestListener(server));
 * attachSubscriptions(server, http);
 * ```
 */
export function attachSubscriptions(server: object, http: Server): AttachedSubscriptions {
  const service = serviceBehind(server);
  if (service === undefined) throw new TypeError('attachSubscriptions needs a server that gg-svc created.');
  const sockets = new SocketServer(service);
  const onUpgrade = (incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const [path] = (incoming.url ?? '/').split('?', 1);
    if (path === service.endpoint && isWebSocket(incoming)) {
      sockets.accept(incoming, socket, head);
    } else if (http.listenerCount('upgrade') === 1) {
      refuseUpgrade(socket, isWebSocket(incoming) ? 404 : 400);
    }
  };
  http.on('upgrade', onUpgrade);
  // Newer versions of Node call this: upgrade requests for other protocols, such as HTTP/2, continue as plain requests.
  Object.assign(http, { shouldUpgradeCallback: isWebSocket });
  return {
    async close() {
      http.off('upgrade', onUpgrade);
      await sockets.close();
    },
  };
}

/** Users may create an Apollo Server from our configuration; its service is found through its plugins. */
export function serviceBehind(server: object): Service | undefined {
  return 'internals' in server ? alphaServiceOf(server as unknown as ApolloServer) : serviceOf(server);
}

class SocketServer {
  #loading: Promise<SocketClients> | undefined;

  constructor(private readonly service: Service) {}

  accept(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const controller = new AbortController();
    const drop = (): void => controller.abort();
    socket.once('close', drop).once('error', drop);
    const request = toUpgradeRequest(incoming, controller.signal);
    if (request === undefined) {
      refuseUpgrade(socket, 400);
      return;
    }
    const { limits, traffic } = this.service;
    const exchange = new FetchExchange(request, incoming.socket.remoteAddress);
    exchange.proxies = traffic.proxies;
    // Browsers let a page of another site open a WebSocket with the user's cookies.
    if (limits.csrf && traffic.cors?.accepts(exchange) !== true && isForeign(exchange)) refuseUpgrade(socket, 403);
    else void this.#open(exchange, incoming, socket, head);
  }

  async #open(exchange: Exchange, incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { onRequest, traffic, monitor } = this.service;
    try {
      await traffic.rates?.countRequest(exchange);
      const answer = onRequest && (await callOnRequest(onRequest, exchange));
      if (answer !== undefined) return refuseUpgrade(socket, answer.status);
    } catch (error) {
      if (error instanceof ProblemError) return refuseUpgrade(socket, error.problem.status, error.problem.headers);
      monitor.fault(error);
      return refuseUpgrade(socket, 500);
    }
    try {
      this.#loading ??= this.#load();
      const clients = await this.#loading;
      if (!socket.destroyed) clients.accept(incoming, socket, head, exchange);
    } catch (error) {
      monitor.fault(error);
      this.#loading = undefined;
      refuseUpgrade(socket, 503);
    }
  }

  /** Closes all connections; their subscriptions end with them. */
  async close(): Promise<void> {
    const clients = await this.#loading?.catch(() => undefined);
    await clients?.close();
  }

  async #load(): Promise<SocketClients> {
    const [{ WebSocketServer }, { SocketClients }] = await loadPeer(['graphql-ws', 'ws', 'graphql'], () =>
      Promise.all([import('ws'), import('./socket-clients.js')]),
    );
    return new SocketClients(this.service, await this.service.execution(), WebSocketServer);
  }
}

function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}
