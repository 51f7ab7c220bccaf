import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A Redis in front of another one, which acknowledges every fifth event after the first fifty, and drops it. */
export async function startDroppingRedis(target: number) {
  let count = 0;
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.once('close', () => other.destroy());
    }
    server.pipe(client);
    client.on('data', (bytes) => {
      // A single command; several ones in a row are passed on.
      const commands = bytes.toString('latin1').match(/\*3\r\n\$7\r\npublish\r\n/gi)?.length ?? 0;
      count += commands;
      if (commands === 1 && count > 50 && count % 5 === 0) client.write(':1\r\n');
      else server.write(bytes);
    });
  });
  const port = await new Promise<number>((resolve) => {
    proxy.listen(0, '127.0.0.1', () => resolve((proxy.address() as AddressInfo).port));
  });
  return {
    port,
    close(): void {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
