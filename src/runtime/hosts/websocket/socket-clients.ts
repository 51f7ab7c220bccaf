import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { CloseCode, handleProtocols, makeServer, type Server } from 'graphql-ws';
import type { WebSocket, WebSocketServer } from 'ws';
import type { Calls } from '../../call/calls.js';
import type { Exchange } from '../../http/exchange.js';
import { isTooDeep } from '../../limits/parse-json.js';
import type { Monitor } from '../../logs/monitor.js';
import type { Service } from '../../server/gql-server.js';
import { ClientConnection } from './connection.js';
import { createWebSocketOperations } from './web-socket-operations.js';

/** The interval of pings, and the time limit for the answer, in milliseconds. */
const keepAlive = 12_000;

/** The maximum number of unread bytes of a client. A client beyond it is disconnected. */
const maxBuffered = 4 << 20;

/** The connections of a server, with the packages that they need. */
export class SocketClients {
  readonly #sockets: WebSocketServer;
  readonly #server: Server<ClientConnection>;
  readonly #open = new Set<ClientConnection>();
  /** Shutdown cuts subscriptions through this set, and closes the connections. */
  readonly #cut = { cut: () => void this.#closeAll() };

  constructor(
    private readonly service: Service,
    private readonly execution: Calls,
    Sockets: typeof WebSocketServer,
  ) {
    const maxPayload = Math.min(service.limits.body, Number.MAX_SAFE_INTEGER);
    this.#sockets = new Sockets({ noServer: true, maxPayload, handleProtocols });
    this.#server = makeServer(createWebSocketOperations(service, execution));
    execution.subscriptions.open.add(this.#cut);
  }

  accept(incoming: IncomingMessage, socket: Duplex, head: Buffer, exchange: Exchange): void {
    this.#sockets.handleUpgrade(incoming, socket, head, (client) =>
      this.#serve(new ClientConnection(client, exchange)),
    );
  }

  async close(): Promise<void> {
    this.execution.subscriptions.open.delete(this.#cut);
    await this.#closeAll();
  }

  async #closeAll(): Promise<void> {
    await Promise.all([...this.#open].map((connection) => connection.close()));
  }

  #serve(connection: ClientConnection): void {
    const { client } = connection;
    this.#open.add(connection);
    const stopPinging = ping(client);
    const closed = this.#server.opened(
      {
        protocol: client.protocol,
        send: (text) => (dropIfFull(client) ? Promise.resolve() : send(client, text)),
        close: (code, reason) => client.close(code, reason),
        onMessage: (answer) =>
          client.on('message', (message) => {
            if (!dropIfFull(client)) void handle(client, String(message), answer, this.service.monitor);
          }),
      },
      connection,
    );
    client.on('ping', () => dropIfFull(client));
    // The client sent an invalid message; ws closes the connection.
    client.on('error', () => undefined);
    client.once('close', (code, reason) => {
      this.#open.delete(connection);
      stopPinging();
      closed(code, String(reason));
    });
  }
}

async function handle(
  client: WebSocket,
  text: string,
  answer: (text: string) => Promise<void>,
  monitor: Monitor,
): Promise<void> {
  if (isTooDeep(text)) {
    client.close(CloseCode.BadRequest, 'The message is nested too deeply.');
    return;
  }
  try {
    await answer(text);
  } catch (error) {
    monitor.fault(error);
    client.close(CloseCode.InternalServerError, 'Internal server error');
  }
}

function send(client: WebSocket, text: string): Promise<void> {
  if (client.readyState !== client.OPEN) return Promise.resolve();
  return new Promise((resolve, reject) => {
    client.send(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Disconnects a client that does not read. Its subscriptions end with the connection. */
function dropIfFull(client: WebSocket): boolean {
  if (client.bufferedAmount <= maxBuffered) return false;
  client.terminate();
  return true;
}

/** Disconnects a client that does not answer pings. Returns the function that stops pinging. */
function ping(client: WebSocket): () => void {
  let isAlive = true;
  client.on('pong', () => {
    isAlive = true;
  });
  const timer = setInterval(() => {
    if (!isAlive) return client.terminate();
    isAlive = false;
    if (client.readyState === client.OPEN) client.ping();
  }, keepAlive);
  return () => clearInterval(timer);
}
