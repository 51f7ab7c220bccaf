import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { WebSocket } from 'ws';
import type { Exchange } from '../../http/exchange.js';

/** The request that opened a WebSocket, for the option `context`; undefined where it is malformed. */
export function toUpgradeRequest(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { url = '/', rawHeaders, socket } = incoming;
  const scheme = (socket as TLSSocket).encrypted ? 'https' : 'http';
  const headers = new Headers();
  try {
    for (let at = 0; at < rawHeaders.length; at += 2) {
      headers.append(rawHeaders[at] as string, rawHeaders[at + 1] as string);
    }
    return new Request(`${scheme}://${incoming.headers.host ?? 'localhost'}${url}`, { headers, signal });
  } catch {
    return undefined;
  }
}

/** Adds the `authorization` of `connection_init`, as browsers set no headers. Clients must not set any other. */
export function withAuthorization(request: Request, parameters: unknown): Request {
  const { authorization, Authorization = authorization } = (parameters ?? {}) as Record<string, unknown>;
  if (typeof Authorization !== 'string' || request.headers.has('authorization')) return request;
  const headers = new Headers(request.headers);
  try {
    headers.set('authorization', Authorization);
  } catch {
    return request;
  }
  return new Request(request.url, { headers, signal: request.signal });
}

export function refuseUpgrade(socket: Duplex, status: number, headers: readonly string[] = []): void {
  socket.on('error', () => undefined);
  const more = headers.map((part, at) => (at % 2 === 0 ? `${part}: ` : `${part}\r\n`)).join('');
  const line = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}`;
  socket.end(`${line}\r\n${more}connection: close\r\ncontent-length: 0\r\n\r\n`);
}

/** How long a connection stays open after its last message, so that the client gets it. */
const closeDelay = 100;

export class ClientConnection {
  /** Its request with the authorization of the client. Made once, since each request listens to the signal before it. */
  authorized: Request | undefined;
  readonly #running = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  /** @param exchange - The request that opened it. */
  constructor(
    readonly client: WebSocket,
    readonly exchange: Exchange,
  ) {}

  /** Notes that a query or a mutation is under way, until it has ended. */
  async run<Result>(operation: Promise<Result>): Promise<Result> {
    this.#running.add(operation);
    try {
      return await operation;
    } finally {
      this.#running.delete(operation);
    }
  }

  /** Closes the connection when its queries and mutations have ended, and their results have had time to arrive. */
  close(): Promise<void> {
    this.#closed ??= new Promise((resolve) => {
      this.client.once('close', () => resolve());
      void this.#hasEnded().then(() => setTimeout(() => this.client.close(1001, 'Going away'), closeDelay).unref());
    });
    return this.#closed;
  }

  async #hasEnded(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }
}
