import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { WebSocket } from 'ws';

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

/**
 * The request of a connection with the `authorization` of its `connection_init` message: browsers cannot set headers
 * of a WebSocket. No other parameter becomes a header, since a client must not set headers that a proxy controls.
 */
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

export function refuseUpgrade(socket: Duplex, status: string, headers: readonly string[] = []): void {
  socket.on('error', () => undefined);
  const more = headers.map((part, at) => (at % 2 === 0 ? `${part}: ` : `${part}\r\n`)).join('');
  socket.end(`HTTP/1.1 ${status}\r\n${more}connection: close\r\ncontent-length: 0\r\n\r\n`);
}

const running = new WeakMap<WebSocket, Set<Promise<unknown>>>();

/** Notes that a query or a mutation of a connection is under way, until it has ended. */
export function noteRunning<Result>(client: WebSocket, operation: Promise<Result>): Promise<Result> {
  const operations = running.get(client) ?? new Set();
  running.set(client, operations.add(operation));
  const forget = (): void => void operations.delete(operation);
  operation.then(forget, forget);
  return operation;
}

/** Resolves when no query or mutation of a connection is under way. */
export async function hasEnded(client: WebSocket): Promise<void> {
  for (let open = running.get(client); open !== undefined && open.size > 0; ) await Promise.allSettled(open);
}
