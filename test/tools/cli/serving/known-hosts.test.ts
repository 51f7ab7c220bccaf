import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { listen } from '../../../../src/tools/cli/serving/listen.js';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that answers everything; gives its port, and what its listeners got. */
async function serve(allowedHosts?: readonly string[]) {
  const got: string[] = [];
  const { http, origin } = await listen(
    (incoming, outgoing) => {
      got.push(`request ${incoming.url}`);
      outgoing.end('all');
    },
    0,
    '127.0.0.1',
    allowedHosts,
  );
  http.on('upgrade', (incoming, socket) => {
    got.push(`upgrade ${incoming.url}`);
    socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
  });
  closing.push(() => {
    http.closeAllConnections();
    http.close();
  });
  return { port: Number(new URL(origin).port), got };
}

/** The status of a request with a `Host`. */
async function ask(port: number, host: string, path = '/'): Promise<number | undefined> {
  const asked = request({ port, host: '127.0.0.1', path, headers: { host }, agent: false }).end();
  const [response] = await once(asked, 'response');
  response.resume();
  return response.statusCode;
}

/** The first line of the answer to bytes. */
async function send(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  const [chunk] = await once(socket, 'data');
  socket.destroy();
  return String(chunk).split('\r\n', 1)[0] as string;
}

test.each([
  'localhost',
  'localhost:4000',
  'LOCALHOST',
  'localhost.',
  'app.localhost:4000',
  '127.0.0.1',
  '127.1.2.3:80',
  '[::1]:4000',
  '192.168.1.7:4000',
  '[fe80::1]',
  'dev.example.com',
  'DEV.example.com:4000',
  'a.tunnel.example',
  'tunnel.example',
])('answers a known host: %s', async (host) => {
  const { port } = await serve(['dev.example.com', '.tunnel.example']);
  expect(await ask(port, host)).toBe(200);
});

const unknown = [
  'evil.example',
  'evil.example:4000',
  'localhost.evil.example',
  'notlocalhost',
  '127.0.0.1.evil.example',
  'dev.example.com.evil.example',
  'x.dev.example.com',
  'eviltunnel.example',
  'a b',
  'user@localhost',
];

test.each(unknown)('rejects an unknown host for every path: %s', async (host) => {
  const { port, got } = await serve(['dev.example.com', '.tunnel.example']);
  for (const path of ['/', '/graphql', '/api/x', '/_gg/', '/health/live', '/x\\y', '/%2e%2e/'])
    expect([path, await ask(port, host, path)]).toEqual([path, 403]);
  expect(got).toEqual([]);
});

test.each(unknown)('rejects WebSockets of an unknown host: %s', async (host) => {
  const { port, got } = await serve([]);
  const upgrade = (name: string) =>
    send(port, `GET /graphql HTTP/1.1\r\nHost: ${name}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  expect(await upgrade(host)).toBe('HTTP/1.1 403 Forbidden');
  expect(await upgrade('localhost')).toBe('HTTP/1.1 101 Switching Protocols');
  expect(got).toEqual(['upgrade /graphql']);
});

test('prefers the host of an absolute request target to the header', async () => {
  const { port } = await serve([]);
  const line = await send(port, 'GET http://evil.example/api HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(line).toBe('HTTP/1.1 403 Forbidden');
});

test('does not pass a request with Expect for an unknown host to a listener', async () => {
  const { port, got } = await serve([]);
  const head = 'POST /api HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n';
  await send(port, head);
  expect(await ask(port, 'localhost')).toBe(200);
  expect(got).toEqual(['request /']);
});

test('answers every host without a list of names', async () => {
  const { port } = await serve();
  for (const host of unknown) expect(await ask(port, host)).toBe(200);
});
