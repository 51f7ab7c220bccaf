import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApolloServer } from '@apollo/server';
import type { WebSocket, WebSocketServer } from 'ws';
import { isForeign } from '../../http/csrf.js';
import { FetchExchange } from '../../http/fetch-exchange.js';
import { loadPeer } from '../../load/load-peer.js';
import { type Service, serviceOf } from '../../server/gql-service.js';
import { alphaServiceOf } from '../alpha/alpha-backing.js';
import { refuseUpgrade, toUpgradeRequest } from './upgrade-request.js';

/** WebSockets that were attached to an HTTP server. */
export interface AttachedSubscriptions {
  /** Takes no further connections, and closes those that are open. */
  close(): Promise<void>;
}

/** How long a connection stays open after its subscriptions were completed, so that the client hears it. */
const closeDelay = 100;

/**
 * Answers operations over WebSocket, by the protocol `graphql-transport-ws` that the clients of graphql-ws,
 * Apollo Client and urql speak, at the path of GraphQL of an HTTP server. `createBetaHttpServer` and
 * `gg-svc serve` do this by themselves; Express and Fastify have a server of Node below them that it works
 * with. It needs `npm install graphql-ws ws`, which are loaded for the first connection.
 *
 * @param server - A server that this package made, an Apollo Server included.
 * @param http - What listens; other listeners for upgrades are left alone.
 * @throws {TypeError} When `server` is none of ours.
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
  if (service === undefined) throw new TypeError('attachSubscriptions needs a server made by gg-svc.');
  const sockets = new SocketServer(service);
  const onUpgrade = (incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (pathOf(incoming) === service.endpoint && isWebSocket(incoming)) {
      sockets.accept(incoming, socket, head);
    } else if (http.listenerCount('upgrade') === 1) {
      refuseUpgrade(socket, isWebSocket(incoming) ? '404 Not Found' : '400 Bad Request');
    }
  };
  http.on('upgrade', onUpgrade);
  // A Node that asks lets requests for other protocols, such as HTTP/2, go on as plain requests.
  Object.assign(http, { shouldUpgradeCallback: isWebSocket });
  return {
    async close() {
      http.off('upgrade', onUpgrade);
      await sockets.close();
    },
  };
}

/** Whether a server is one that subscriptions can be attached to. */
export function canAttachSubscriptions(server: object): boolean {
  return serviceBehind(server) !== undefined;
}

/** An Apollo Server is asked for what is behind it: it may have been made by its user, out of our configuration. */
function serviceBehind(server: object): Service | undefined {
  return (
    serviceOf(server) ??
    ('internals' in server ? alphaServiceOf(server as unknown as ApolloServer) : undefined)
  );
}

/** What graphql-ws and ws are to us. */
interface Handler {
  readonly sockets: WebSocketServer;
  /** The requests that connections began with. */
  readonly upgrades: WeakMap<IncomingMessage, Request>;
}

class SocketServer {
  readonly #service: Service;
  #loading: Promise<Handler> | undefined;
  #stopListening: () => void = () => undefined;

  constructor(service: Service) {
    this.#service = service;
  }

  accept(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const controller = new AbortController();
    const drop = (): void => controller.abort();
    socket.once('close', drop).once('error', drop);
    const request = toUpgradeRequest(incoming, controller.signal);
    if (request === undefined) {
      refuseUpgrade(socket, '400 Bad Request');
      return;
    }
    // A page of another site may open a WebSocket, with the cookies of the user who visits it.
    if (this.#service.limits.csrf && isForeign(new FetchExchange(request))) {
      refuseUpgrade(socket, '403 Forbidden');
      return;
    }
    this.#loading ??= this.#load();
    this.#loading.then(
      ({ sockets, upgrades }) => {
        if (socket.destroyed) return;
        upgrades.set(incoming, request);
        sockets.handleUpgrade(incoming, socket, head, (client) =>
          sockets.emit('connection', client, incoming),
        );
      },
      (error: unknown) => {
        console.error(error);
        this.#loading = undefined;
        refuseUpgrade(socket, '503 Service Unavailable');
      },
    );
  }

  /** The subscriptions of a connection end with it. */
  async close(): Promise<void> {
    const handler = await this.#loading?.catch(() => undefined);
    if (handler === undefined) return;
    this.#stopListening();
    await Promise.all([...handler.sockets.clients].map(closeClient));
  }

  async #load(): Promise<Handler> {
    const service = this.#service;
    const [{ WebSocketServer }, { useServer }, { createWebSocketOperations }] = await loadPeer(
      ['graphql-ws', 'ws', 'graphql'],
      () =>
        Promise.all([
          import('ws'),
          import('graphql-ws/use/ws'),
          import('./web-socket-operations.js'),
        ] as const),
    );
    const execution = await service.execution();
    const maxPayload = Math.min(service.limits.body, Number.MAX_SAFE_INTEGER);
    const sockets = new WebSocketServer({ noServer: true, maxPayload });
    const upgrades = new WeakMap<IncomingMessage, Request>();
    useServer(
      createWebSocketOperations(service, execution, ({ extra }) => upgrades.get(extra.request) as Request),
      sockets,
    );
    // When the server drains, its subscriptions are completed, and this is told.
    const connections = { end: () => [...sockets.clients].forEach((client) => void closeClient(client)) };
    execution.openSubscriptions.add(connections);
    this.#stopListening = () => execution.openSubscriptions.delete(connections);
    return { sockets, upgrades };
  }
}

const closing = new WeakMap<WebSocket, Promise<void>>();

/** Closes a connection a moment later, unless that is under way: what was sent before has to get there. */
function closeClient(client: WebSocket): Promise<void> {
  let closed = closing.get(client);
  if (closed === undefined) {
    closed = new Promise((resolve) => {
      client.once('close', () => resolve());
      setTimeout(() => client.close(1001, 'Going away'), closeDelay).unref();
    });
    closing.set(client, closed);
  }
  return closed;
}

function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] as string;
}
