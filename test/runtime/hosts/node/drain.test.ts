import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Resolvers } from '../../../../src/runtime/execute/resolvers/contract.js';
import { createBetaHttpServer } from '../../../../src/runtime/hosts/beta.js';
import { drainHttpServer } from '../../../../src/runtime/hosts/node/drain.js';
import type { GqlServer } from '../../../../src/runtime/server/gql-server.js';
import { ask, serve } from '../../server/topology-server.js';

const source = `
  (root)-[:PROCESS]->(slow { text: String })
  (form { name: String })-[:FOLD]->(saved { name: String })
  (saved)-[:FORK]->(heard { name: String })
`;
const sockets: Socket[] = [];
const listening: Server[] = [];

afterEach(() => {
  vi.useRealTimers();
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const http of listening.splice(0)) http.closeAllConnections();
});

async function listen(server: GqlServer): Promise<{ http: Server; origin: string; port: number }> {
  const http = createBetaHttpServer(server).listen(0, '127.0.0.1');
  listening.push(http);
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  return { http, port, origin: `http://127.0.0.1:${port}` };
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined).resume();
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** A resolver that answers when it is told to. */
function held() {
  let answer: () => void = () => undefined;
  let started: () => void = () => undefined;
  const running = new Promise<void>((resolve) => {
    started = resolve;
  });
  const value = new Promise((resolve) => {
    answer = () => resolve({ text: 'done' });
  });
  const slow = () => {
    started();
    return value;
  };
  return { resolvers: { Query: { slow } } satisfies Resolvers, running, answer: () => answer() };
}

describe('draining', () => {
  test('fails readiness while requests are still served', async () => {
    const server = serve(source, { resolvers: { Query: { slow: { text: 'a' } } } });
    expect((await ask(server, '/health/ready')).status).toBe(200);
    server.drain();
    const ready = await ask(server, '/health/ready');
    expect([ready.status, ready.body]).toEqual([503, { status: 'unavailable' }]);
    expect((await ask(server, '/health/live')).status).toBe(200);
    const answer = await ask(server, '/api/slow');
    expect([answer.body, answer.headers.get('connection')]).toEqual([{ text: 'a' }, 'close']);
  });

  test('ends subscriptions of the program itself', async () => {
    const server = serve(source);
    const results = await server.subscribe({ query: 'subscription { heard { name } }' });
    if (!(Symbol.asyncIterator in results)) throw new Error('not started');
    const next = results.next();
    server.drain();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});

describe('an HTTP server that is drained', () => {
  test('does not wait for clients that do not close', async () => {
    const { http } = await listen(serve(source));
    const forever = { drain: () => undefined, close: () => new Promise<void>(() => undefined) };
    await drainHttpServer(http, forever, { notice: 0, grace: 0 });
    expect(http.listening).toBe(false);
  });

  test('answers running requests, closes idle connections, and accepts no new ones', async () => {
    const { resolvers, running, answer } = held();
    const server = serve(source, { resolvers });
    const { http, origin, port } = await listen(server);
    const idle = await open(port);
    const agent = new Agent({ keepAlive: true });
    const pending = once(get(`${origin}/api/slow`, { agent }), 'response') as Promise<[IncomingMessage]>;
    await running;
    const drained = drainHttpServer(http, server, { notice: 0, grace: 3_600_000 });
    await once(idle, 'close');
    await expect(fetch(`${origin}/health/live`)).rejects.toThrow();
    answer();
    const [response] = await pending;
    expect([response.statusCode, response.headers.connection]).toEqual([200, 'close']);
    await drained;
    agent.destroy();
  });

  test('serves requests during the notice, and reports that it is not ready', async () => {
    const server = serve(source);
    const { http, origin } = await listen(server);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const drained = drainHttpServer(http, server, { notice: 200 });
    const ready = await fetch(`${origin}/health/ready`);
    expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'close']);
    await ready.body?.cancel();
    expect(http.listening).toBe(true);
    await vi.advanceTimersByTimeAsync(200);
    expect(http.listening).toBe(false);
    vi.useRealTimers();
    await drained;
  });

  test('cuts an event stream, and does not wait for the end of the grace', async () => {
    const server = serve(source);
    const { http, origin } = await listen(server);
    const stream = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: 'subscription { heard { name } }' }),
    });
    // A server that waits for the end of the grace would outlast the test.
    const drained = drainHttpServer(http, server, { notice: 0, grace: 3_600_000 });
    await expect(stream.text()).rejects.toThrow('terminated');
    await drained;
  });

  test('closes the remaining connections after the grace', async () => {
    const { resolvers, running } = held();
    const server = serve(source, { resolvers });
    const { http, origin, port } = await listen(server);
    const half = await open(port);
    half.write('POST /graphql HTTP/1.1\r\nhost: x\r\n');
    const upgraded = await open(port);
    http.on('upgrade', () => undefined);
    upgraded.write('GET /graphql HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
    const gone = fetch(`${origin}/api/slow`).catch(() => 'cut off');
    await running;
    await drainHttpServer(http, server, { notice: 0, grace: 50 });
    expect(await gone).toBe('cut off');
  });
});
