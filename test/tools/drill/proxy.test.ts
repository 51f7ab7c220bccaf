import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openProxy, type TcpProxy } from '../../../src/tools/drill/proxy.js';

let echo: Server;
let proxy: TcpProxy;
let asked: string[];
const sockets: Socket[] = [];
beforeEach(async () => {
  asked = [];
  echo = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      asked.push(String(bytes));
      socket.write(bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  proxy = await openProxy('127.0.0.1', (echo.address() as AddressInfo).port);
});
afterEach(() => {
  proxy.close();
  for (const socket of sockets.splice(0)) socket.destroy();
  echo.close();
});

function open() {
  const socket = connect(proxy.port, '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket.on('error', () => undefined);
  socket.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  const closed = once(socket, 'close');
  return { socket, closed, text: () => text };
}

test('passes everything on, in both directions', async () => {
  const client = open();
  client.socket.write('hello');
  await expect.poll(client.text).toBe('hello');
});

test('cuts all connections, and passes new ones on', async () => {
  const client = open();
  client.socket.write('one');
  await expect.poll(client.text).toBe('one');
  proxy.cut();
  await client.closed;
  const next = open();
  next.socket.write('two');
  await expect.poll(next.text).toBe('two');
});

test('refuses new connections until it is mended', async () => {
  proxy.refuse();
  await open().closed;
  proxy.mend();
  const client = open();
  client.socket.write('hello');
  await expect.poll(client.text).toBe('hello');
});

test('holds what is sent on old and new connections during a pause', async () => {
  const before = open();
  before.socket.write('a');
  await expect.poll(before.text).toBe('a');
  proxy.pause();
  const during = open();
  before.socket.write('b');
  during.socket.write('c');
  await once(during.socket, 'connect');
  proxy.mend();
  await expect.poll(() => [before.text(), during.text()]).toEqual(['ab', 'c']);
});

test('ends a connection in place of a request', async () => {
  const caught = proxy.catch({ request: /commit/i, isSent: false });
  const client = open();
  client.socket.write('begin');
  await expect.poll(client.text).toBe('begin');
  client.socket.write('COMMIT');
  await Promise.all([caught, client.closed]);
  expect([asked, client.text()]).toEqual([['begin'], 'begin']);
});

test('ends a connection between a request and its answer, once', async () => {
  const caught = proxy.catch({ request: /commit/i, isSent: true });
  const client = open();
  client.socket.write('COMMIT');
  await Promise.all([caught, client.closed]);
  expect([asked, client.text()]).toEqual([['COMMIT'], '']);
  const next = open();
  next.socket.write('COMMIT');
  await expect.poll(next.text).toBe('COMMIT');
});
