import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import fastify from 'fastify';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createAlphaFastifyPlugin, createAlphaServer } from '../../../../src/index.js';
import { createNodeListener } from '../../../../src/runtime/hosts/node/node.js';
import { until } from '../../server/http-server.js';
import { serve } from '../../server/topology-server.js';

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) {
    // The timer of a connection that is still open would not be a fake one in the next test.
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }
});

const hello = { name: 'a.gg', source: "(root)-[:PROCESS]->(hello { text: 'Hello' })" };

const request = 'GET /api/wait HTTP/1.1\r\nHost: x\r\n\r\n';

/** A server on which an operation waits until it is released, and a connection to it. */
async function open() {
  const releases: (() => void)[] = [];
  const server = serve('(root)-[:PROCESS]->(wait: Record { x: Int })', {
    resolvers: {
      Query: {
        wait: () =>
          new Promise((resolve) => {
            releases.push(() => resolve({ x: 1 }));
          }),
      },
    },
  });
  const http = createServer({ keepAliveTimeout: 65_000 }, createNodeListener(server));
  servers.push(http);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const socket = connect((http.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  let received = '';
  socket.on('data', (chunk) => {
    received += String(chunk);
  });
  return { socket, releases, received: () => received };
}

test('a request that the framework injects has no connection to close', async () => {
  const app = fastify();
  await app.register(createAlphaFastifyPlugin(createAlphaServer({ topologies: [hello] })));
  await app.ready();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  expect((await app.inject('/api/hello')).json()).toEqual({ text: 'Hello' });
  vi.advanceTimersByTime(600_000);
  expect(vi.getTimerCount()).toBe(0);
  await app.close();
});

describe('a connection', () => {
  test('is closed if too many pipelined requests wait', async () => {
    const { socket, releases } = await open();
    socket.write(request.repeat(500));
    await new Promise((resolve) => socket.once('close', resolve));
    expect(releases.length).toBeLessThanOrEqual(101);
  });

  test('accepts pipelined requests within the limit', async () => {
    const { socket, releases, received } = await open();
    socket.write(request.repeat(50));
    await until(() => releases.length === 50);
    for (const release of releases) release();
    await until(() => received().match(/200 OK/g)?.length === 50);
    expect(socket.destroyed).toBe(false);
  });

  test('is closed if it sends only line breaks, but not while a request waits', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { socket, releases, received } = await open();
    socket.write(request);
    await until(() => releases.length === 1);
    await vi.advanceTimersByTimeAsync(100_000);
    expect(socket.destroyed).toBe(false);
    releases[0]?.();
    await until(() => received().includes('{"x":1}'));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    for (let time = 0; time < 20; time++) {
      socket.write('\r\n');
      await vi.advanceTimersByTimeAsync(5_000);
    }
    await closed;
  });
});
