import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A Redis in front of another one, which acknowledges every fifth event after the first ten, and drops it. */
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
      // In a channel that nobody listens to, the event is acknowledged in its turn.
      const changed = bytes
        .toString('latin1')
        .replace(
          /(\*3\r\n\$7\r\npublish\r\n\$\d+\r\n)([^\r]+)(?=\r\n)/gi,
          (command, before: string, channel: string) => {
            count += 1;
            return count > 10 && count % 5 === 0 ? before + '-'.repeat(channel.length) : command;
          },
        );
      server.write(Buffer.from(changed, 'latin1'));
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
