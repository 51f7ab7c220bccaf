import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { runUntil } from '../../../base/values/run-until.js';

/** A server that can be shut down: a {@link GqlServer}. */
export interface Drainable {
  /** Only fails readiness; requests are still answered. */
  failReadiness?(): void;
  /** Fails readiness and cuts subscriptions. Every answer from then on closes its connection. */
  drain(): void;
  /** Closes the connections to other programs, after the last answer. */
  close?(): Promise<void>;
}

/** The timing of a shutdown. */
export interface DrainOptions {
  /**
   * How long the server keeps serving after readiness has started to fail, in milliseconds, so that load balancers stop
   * sending requests. Default 1000.
   */
  readonly notice?: number;
  /** How long requests in flight may take after the notice, in milliseconds. Default 10000. */
  readonly grace?: number;
}

/**
 * How long idle connections stay open after the notice, in milliseconds. It lets clients that are about to send another
 * request do so; the answer then closes the connection. The connections to other programs get as long after the grace.
 */
const linger = 500;

/** The interval at which connections that have become idle are closed, in milliseconds. */
const sweepInterval = 50;

/** The key of the set of open connections on our servers. It includes WebSockets, which Node does not track. */
const connections = Symbol('gg-svc.connections');

/**
 * The time limits of a client: 15 seconds for its headers, 30 for its request. Idle connections are kept for 65
 * seconds, a little longer than common proxies do. Node's default limits let a client hold a connection for minutes by
 * sending its request byte by byte.
 */
const httpTimeouts = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000,
} as const;

/** Creates a Node HTTP server with these timeouts, which {@link drainHttpServer} can stop completely. */
export function createGuardedHttpServer(listener: RequestListener): Server {
  const http = createServer(httpTimeouts, listener);
  const open = new Set<Socket>();
  Object.assign(http, { [connections]: open });
  http.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return http;
}

/**
 * Shuts down an HTTP server gracefully. During the notice, readiness fails and requests are still served. Then the
 * server accepts no further connections, every answer closes its connection, subscriptions are cut, and connections that
 * stay idle are closed. Connections that are still open after the grace period are closed.
 *
 * @param http - A listening Node server, also that of Express (`app.listen()`) or Fastify (`app.server`).
 * @param server - The server that answers on it.
 * @returns A promise that settles when the last connection is closed, those of the event broker included.
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
  { notice = 1_000, grace = 10_000 }: DrainOptions = {},
): Promise<void> {
  const open = (http as { readonly [connections]?: ReadonlySet<Socket> })[connections] ?? new Set();
  server.failReadiness?.();
  if (notice > 0) await new Promise((resolve) => setTimeout(resolve, notice));
  // `http.close()` would close idle connections at once, and lose requests that clients have already sent on them.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(http, () => resolve()));
  server.drain();
  // The application may have routes of its own: their answers close the connection, too.
  http.prependListener('request', (_incoming, outgoing) => outgoing.setHeader('connection', 'close'));
  const end = performance.now() + grace;
  const deadline = setTimeout(() => {
    http.closeAllConnections();
    for (const socket of open) socket.destroy();
  }, grace);
  let sweep: NodeJS.Timeout | undefined;
  const begin = setTimeout(
    () => {
      sweep = setInterval(() => {
        // Also cuts subscriptions that began after the first call.
        server.drain();
        http.closeIdleConnections();
        // Node does not count a connection as idle that has never sent anything.
        for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
      }, sweepInterval);
    },
    Math.min(linger, grace),
  );
  await closed;
  clearTimeout(begin);
  clearInterval(sweep);
  clearTimeout(deadline);
  // Stops the timers that Node keeps for a server.
  http.close();
  // A broker that is away does not take the last events.
  const left = Math.max(linger, end - performance.now());
  await runUntil(
    { timeout: left },
    () => server.close?.(),
    () => undefined,
  );
}
