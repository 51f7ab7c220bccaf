import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

/** A server that can be shut down: a {@link GqlServer}. */
export interface Drainable {
  /** Fails readiness alone, while requests are answered as before. */
  failReadiness?(): void;
  /** Fails readiness and completes subscriptions. Every answer from then on closes its connection. */
  drain(): void;
}

/** How a server is stopped. */
export interface DrainOptions {
  /**
   * How long connections are still taken while readiness fails already, in milliseconds, so that whoever
   * distributes requests hears of it. 0 unless given.
   */
  readonly notice?: number;
  /** How long requests under way may take to end, in milliseconds. 10000 unless given. */
  readonly grace?: number;
}

/** How often connections that have become idle are closed, in milliseconds. */
const sweepInterval = 50;

/** Every open connection of a server, WebSockets included, which Node itself loses sight of. */
const connections = new WeakMap<Server, ReadonlySet<Socket>>();

/**
 * How long a client of Node's HTTP server may take: 15 seconds for its headers, 30 for its request. An idle
 * connection is kept for 65 seconds, a little longer than the usual proxies keep theirs. Node's own limits
 * let a client hold a connection for minutes by sending its request drop by drop.
 */
export const httpTimeouts = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000,
} as const;

/** Makes an HTTP server of Node with these timeouts, which {@link drainHttpServer} can stop completely. */
export function createGuardedHttpServer(listener: RequestListener): Server {
  const http = createServer(httpTimeouts, listener);
  const open = new Set<Socket>();
  connections.set(http, open);
  http.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return http;
}

/**
 * Stops an HTTP server without cutting anybody off: readiness fails, no further connections are taken, idle
 * ones are closed, requests under way are answered and their connections closed, and subscriptions
 * complete. What is left when the grace is over is cut off.
 *
 * @param http - A server that listens: of Node, or that Express (`app.listen()`) or Fastify (`app.server`)
 * listens with.
 * @param server - What answers on it.
 * @returns A promise that settles when the last connection is closed.
 *
 * @example
 * ```ts
 * import { createBetaHttpServer, createGqlServer, drainHttpServer } from 'gg-svc';
 *
 * const server = createGqlServer({
 *   topologies: [{ name: 'hello.gg', source: "(root)-[:PROCESS]->(hello { text: 'Hello' })" }],
 * });
 * const http = createBetaHttpServer(server).listen(4000);
 * process.once('SIGTERM', () => drainHttpServer(http, server, { grace: 5_000 }));
 * ```
 */
export async function drainHttpServer(
  http: Server,
  server: Drainable,
  { notice = 0, grace = 10_000 }: DrainOptions = {},
): Promise<void> {
  const open = connections.get(http) ?? new Set();
  // Hosts may answer beside the server: their answers close the connection too.
  http.prependListener('request', (_incoming, outgoing) => outgoing.setHeader('connection', 'close'));
  server.drain();
  if (notice > 0) await new Promise((resolve) => setTimeout(resolve, notice));
  const closed = new Promise<void>((resolve) => http.close(() => resolve()));
  const sweep = setInterval(() => {
    // A subscription that began after the first call completes too.
    server.drain();
    http.closeIdleConnections();
    // Node does not count those as idle that have never sent anything.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  }, sweepInterval);
  const deadline = setTimeout(() => {
    http.closeAllConnections();
    for (const socket of open) socket.destroy();
  }, grace);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
