import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createNodeListener } from '../../../src/runtime/hosts/node/node.js';
import type { GqlServer } from '../../../src/runtime/server/gql-server.js';

/** A server on a port of this machine. */
export interface Hosted {
  readonly http: Server;
  /** `127.0.0.1:49152` */
  readonly authority: string;
  /** The connections that are open now. */
  readonly sockets: ReadonlySet<Socket>;
  close(): Promise<void>;
}

/** Puts a server on a port of this machine. */
// biome-ignore lint/suspicious/noExplicitAny: whatever its context.
export async function host(server: GqlServer<any>): Promise<Hosted> {
  const http = createServer(createNodeListener(server));
  const sockets = new Set<Socket>();
  http.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    http,
    authority: `127.0.0.1:${(http.address() as AddressInfo).port}`,
    sockets,
    close: async () => {
      const closed = new Promise((resolve) => http.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Waits until something holds. The limit is for what never holds: a busy machine must not reach it. */
export async function until(holds: () => boolean, milliseconds = 120_000): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`It did not come to: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
