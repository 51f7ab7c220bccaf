import { CloseCode, type Server } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Exchange } from '../../http/exchange.js';
import { isTooDeep } from '../../limits/parse-json.js';
import type { Monitor } from '../../logs/monitor.js';

export interface ClientConnection {
  readonly client: WebSocket;
  readonly exchange: Exchange;
  readonly upgrade: Request;
  /** The same with the authorization of the client. Made once, since each request listens to the signal before it. */
  authorized: Request | undefined;
}

/** The interval of pings, and the time limit for the answer, in milliseconds. */
const keepAlive = 12_000;

/** The maximum number of unread bytes of a client. A client beyond it is disconnected. */
const maxBuffered = 4 << 20;

export function serveClient(
  server: Server<ClientConnection>,
  client: WebSocket,
  exchange: Exchange,
  monitor: Monitor,
): void {
  const stopPinging = ping(client);
  const { protocol } = client;
  const closed = server.opened(
    {
      protocol,
      send: (text) => (dropIfFull(client) ? Promise.resolve() : send(client, text)),
      close: (code, reason) => client.close(code, reason),
      onMessage: (answer) =>
        client.on('message', (message) => {
          if (!dropIfFull(client)) void handle(client, String(message), answer, monitor);
        }),
    },
    { client, exchange, upgrade: exchange.request(), authorized: undefined },
  );
  client.on('ping', () => dropIfFull(client));
  // The client sent an invalid message; ws closes the connection.
  client.on('error', () => undefined);
  client.once('close', (code, reason) => {
    stopPinging();
    closed(code, String(reason));
  });
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
