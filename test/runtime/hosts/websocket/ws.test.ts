import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GraphQLError } from 'graphql';
import { CloseCode, createClient } from 'graphql-ws';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import { createAlphaServer } from '../../../../src/runtime/hosts/alpha/alpha-server.js';
import { createBetaHttpServer, createBetaServerAdapter } from '../../../../src/runtime/hosts/beta.js';
import {
  type AttachedSubscriptions,
  attachSubscriptions,
} from '../../../../src/runtime/hosts/websocket/attach-subscriptions.js';
import type { GqlServerOptions } from '../../../../src/runtime/server/options.js';
import { CountingEvents } from '../../server/counting-events.js';
import { type Hosted, host, until } from '../../server/http-server.js';
import { serve } from '../../server/topology-server.js';

const source = `
  (root)-[:PROCESS]->(hello { text: 'Hello' })
  (root)-[:PROCESS]->(who { name: String })
  (form { id: ID!, name: String! })-[:FOLD]->(save_user { id: ID!, name: String! })
  (save_user)-[:FORK { id: ID }]->(user_saved: Event { id: ID!, name: String! })
`;
const saved = 'subscription { userSaved { id } }';
const protocol = 'graphql-transport-ws';

let server: ReturnType<typeof serve<{ user: string | null }>>;
let hosted: Hosted;
let attached: AttachedSubscriptions;
let events: CountingEvents;
const clients: { dispose(): unknown }[] = [];

async function start(options: Partial<GqlServerOptions<{ user: string | null }>> = {}): Promise<void> {
  events = new CountingEvents();
  server = serve(source, {
    events,
    context: (request: Request) => ({ user: request.headers.get('authorization') }),
    resolvers: {
      Query: { who: (_: unknown, _args: object, { user }: { user: string | null }) => ({ name: user }) },
      Mutation: { saveUser: (_: unknown, { input }: { input: object }) => input },
    },
    ...options,
  });
  hosted = await host(server);
  attached = attachSubscriptions(server, hosted.http);
}

const url = (path = '/graphql') => `ws://${hosted.authority}${path}`;

function connect(more: Partial<Parameters<typeof createClient>[0]> = {}) {
  const client = createClient({
    url: url(),
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    lazy: true,
    ...more,
  });
  clients.push(client);
  return client;
}

/** A connection without a client, to say what a client would not. */
async function raw(headers: Record<string, string> = {}): Promise<WebSocket> {
  const socket = new WebSocket(url(), protocol, { headers });
  clients.push({ dispose: () => socket.terminate() });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return socket;
}

const statusOf = (target: string, headers: Record<string, string> = {}): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    new WebSocket(target, protocol, { headers })
      .once('unexpected-response', (_request, response) => resolve(response.statusCode))
      .once('open', () => reject(new Error('it opened')))
      .on('error', () => undefined);
  });

beforeEach(() => start());
afterEach(async () => {
  vi.restoreAllMocks();
  for (const client of clients.splice(0)) await client.dispose();
  await hosted.close();
});

describe('graphql-ws', () => {
  test('subscribes, runs queries and mutations, and disconnects', async () => {
    const client = connect();
    const subscription = client.iterate<{ userSaved: { id: string } }>({ query: saved });
    const first = subscription.next();
    await until(() => events.listening === 1);
    const save = client.iterate({ query: 'mutation { saveUser(input: { id: "5", name: "Ada" }) { id } }' });
    expect((await save.next()).value).toEqual({ data: { saveUser: { id: '5' } } });
    expect((await save.next()).done).toBe(true);
    expect((await first).value).toEqual({ data: { userSaved: { id: '5' } } });
    await subscription.return?.();
    await until(() => events.listening === 0);
    expect((await client.iterate({ query: '{ hello { text } }' }).next()).value).toEqual({
      data: { hello: { text: 'Hello' } },
    });
  });

  test('receives the errors of an operation', async () => {
    const client = connect();
    const errorOf = (payload: object) =>
      client
        .iterate({ query: '', ...payload })
        .next()
        .then(
          () => 'no error',
          (errors: readonly GraphQLError[]) => errors[0],
        );
    expect(await errorOf({ query: '{ nonsense }' })).toMatchObject({
      message: expect.stringContaining('Cannot query field'),
    });
    expect(await errorOf({ query: '' })).toMatchObject({ message: expect.stringContaining('“query”') });
    expect(await errorOf({ query: 'query A { __typename } query B { __typename }' })).toMatchObject({
      message: 'Unable to identify operation',
    });
  });

  test('receives errors of fields as over HTTP, masked and without the status', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await hosted.close();
    await start({
      limits: { masking: true },
      resolvers: {
        Query: {
          who: () => {
            throw new Error('secret');
          },
          hello: () => {
            throw new GraphQLError('no', { extensions: { code: 'X', http: { status: 418 } } });
          },
        },
      },
    });
    const client = connect();
    const [who, hello] = await Promise.all(
      ['{ who { name } }', '{ hello { text } }'].map(async (query) => (await client.iterate({ query }).next()).value),
    );
    expect(who).toMatchObject({ data: { who: null }, errors: [{ message: 'Unexpected error.' }] });
    expect(hello?.errors).toEqual([
      { message: 'no', locations: [{ line: 1, column: 3 }], path: ['hello'], extensions: { code: 'X' } },
    ]);
  });

  test('gets an error beyond the limits', async () => {
    await hosted.close();
    await start({ limits: { depth: 1 } });
    const failing = connect().iterate({ query: saved }).next();
    await expect(failing).rejects.toMatchObject([{ extensions: { code: 'DEPTH_LIMIT_EXCEEDED' } }]);
    await failing.catch((errors) => expect(errors[0].extensions).not.toHaveProperty('http'));
  });

  test('may send its authorization when it connects, and no other header', async () => {
    const name = async (more: object) =>
      (await connect(more).iterate<{ who: { name: string } }>({ query: '{ who { name } }' }).next()).value?.data?.who
        .name;
    expect(await name({ connectionParams: { authorization: 'Bearer a' } })).toBe('Bearer a');
    expect(await name({ connectionParams: { Authorization: 'Bearer b' } })).toBe('Bearer b');
    expect(await name({ connectionParams: { authorization: 'in\nvalid' } })).toBeNull();
    expect(await name({ connectionParams: { authorization: 5 } })).toBeNull();
    class Authorized extends WebSocket {
      constructor(address: string, protocols: string) {
        super(address, protocols, { headers: { authorization: 'Bearer header' } });
      }
    }
    expect(await name({ connectionParams: { authorization: 'Bearer a' }, webSocketImpl: Authorized })).toBe(
      'Bearer header',
    );
  });

  test('receives the error of a context that throws', async () => {
    await hosted.close();
    await start({
      context: () => {
        throw new GraphQLError('Who are you?');
      },
    });
    await expect(connect().iterate({ query: saved }).next()).rejects.toMatchObject([{ message: 'Who are you?' }]);
  });

  test('is closed when the server shuts down, without completing its subscriptions', async () => {
    const closed = vi.fn();
    const client = connect({ lazy: false, onNonLazyError: () => undefined, on: { closed } });
    const subscription = client.iterate({ query: saved });
    const next = subscription.next();
    await until(() => events.listening === 1);
    server.drain();
    server.drain();
    await expect(next).rejects.toMatchObject({ code: 1001 });
    await until(() => closed.mock.calls.length === 1 && hosted.sockets.size === 0);
    expect(closed.mock.calls[0]?.[0]).toMatchObject({ code: 1001 });
    expect(events.listening).toBe(0);
  });

  test('is closed with the HTTP server that it was attached to', async () => {
    const closed = vi.fn();
    const client = connect({ on: { closed } });
    client
      .iterate({ query: saved })
      .next()
      .catch(() => undefined);
    await until(() => events.listening === 1);
    await attached.close();
    await until(() => closed.mock.calls.length === 1);
    expect(closed.mock.calls[0]?.[0]).toMatchObject({ code: 1001 });
    await until(() => events.listening === 0);
    expect(hosted.http.listenerCount('upgrade')).toBe(0);
  });
});

describe('a connection', () => {
  test('that is lost leaves no resources behind', async () => {
    const sockets = await Promise.all(Array.from({ length: 10 }, () => raw()));
    for (const socket of sockets) {
      socket.send('{"type":"connection_init"}');
      socket.once('message', () =>
        socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query: saved } })),
      );
    }
    await until(() => events.listening === 1);
    for (const socket of sockets) socket.terminate();
    await until(() => events.listening === 0 && hosted.sockets.size === 0);
  });

  test('accepts messages up to the limit of bodies', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const socket = await raw();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.send('x'.repeat(1024 * 1024 + 1));
    expect(await closed).toBe(1009);
  });

  describe('that does not read is dropped', () => {
    const large = 'x'.repeat(1 << 20);
    const subscribe = (id: number) =>
      JSON.stringify({ type: 'subscribe', id: String(id), payload: { query: '{ who { name } }' } });

    test.each<readonly [string, (at: number) => string]>([
      ['when it asks for pongs', () => JSON.stringify({ type: 'ping', payload: { large: large.slice(100) } })],
      ['when it asks for results', subscribe],
    ])('%s', async (_, message) => {
      await hosted.close();
      await start({ resolvers: { Query: { who: { name: large } } } });
      const socket = await raw();
      socket.send('{"type":"connection_init"}');
      await new Promise((resolve) => socket.once('message', resolve));
      socket.pause();
      for (let at = 0; at < 40; at++) socket.send(message(at));
      await until(() => hosted.sockets.size === 0);
    });

    test('and a connection that reads gets everything', async () => {
      await hosted.close();
      await start({ resolvers: { Query: { who: { name: large } } } });
      const client = connect();
      for (let at = 0; at < 12; at++) {
        const { value } = await client.iterate<{ who: { name: string } }>({ query: '{ who { name } }' }).next();
        expect(value?.data?.who.name).toHaveLength(large.length);
      }
    });
  });

  test('is closed by a message that is nested too deeply, as over HTTP', async () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const message = (depth: number) =>
      `{"type":"subscribe","id":"1","payload":{"query":"{ hello { text } }","variables":{"v":${nested(depth)}}}}`;
    for (const [depth, wanted] of [
      [61, 'next'],
      [62, CloseCode.BadRequest],
      [100_000, CloseCode.BadRequest],
    ] as const) {
      const socket = await raw();
      const outcome = new Promise((resolve) => {
        socket.once('close', resolve);
        socket.on('message', (text) => {
          const { type } = JSON.parse(String(text));
          if (type === 'next') resolve(type);
        });
      });
      socket.send('{"type":"connection_init"}');
      await new Promise((resolve) => socket.once('message', resolve));
      socket.send(message(depth));
      expect(await outcome).toBe(wanted);
    }
  });

  test('has a limit of operations', async () => {
    const client = connect();
    const running = Array.from({ length: 101 }, (_, at) =>
      client.iterate({ query: `subscription { userSaved(id: ${at}) { id } }` }).next(),
    );
    await expect(Promise.race(running)).rejects.toMatchObject([{ extensions: { code: 'OPERATIONS_LIMIT_EXCEEDED' } }]);
    for (const one of running) one.catch(() => undefined);
  });

  test.each<{ authorization?: string }>([{}, { authorization: 'Bearer a' }])(
    'runs 100 operations at a time without a warning about listeners: %j',
    async (connectionParams) => {
      const warnings: Error[] = [];
      const note = (warning: Error): void => {
        if (warning.name === 'MaxListenersExceededWarning') warnings.push(warning);
      };
      process.on('warning', note);
      try {
        const client = connect({ connectionParams });
        for (let at = 0; at < 99; at++) {
          const subscription = client.iterate({ query: `subscription { userSaved(id: ${at}) { id } }` });
          subscription.next().catch(() => undefined);
        }
        // The last of 100 operations at a time, again and again.
        for (let at = 0; at < 120; at++) {
          const { value } = await client.iterate({ query: '{ who { name } }' }).next();
          expect(value).toEqual({ data: { who: { name: connectionParams.authorization ?? null } } });
        }
        await new Promise((resolve) => setImmediate(resolve));
      } finally {
        process.off('warning', note);
      }
      expect(warnings).toEqual([]);
    },
  );

  test('with an invalid message is closed', async () => {
    const socket = await raw();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.send('nonsense');
    expect(await closed).toBe(CloseCode.BadRequest);
  });

  test('is rejected for other sites, unless the check is off', async () => {
    expect(await statusOf(url(), { origin: 'https://evil.example' })).toBe(403);
    await raw({ origin: `http://${hosted.authority}` });
    await hosted.close();
    await start({ limits: { csrf: false } });
    await raw({ origin: 'https://other.example' });
  });

  test('is rejected at other paths, unless another listener handles it', async () => {
    expect(await statusOf(url('/elsewhere'))).toBe(404);
    expect(await statusOf(url(), { host: 'a b' })).toBe(400);
    hosted.http.on('upgrade', (request, socket) => {
      if (request.url === '/elsewhere') socket.end('HTTP/1.1 418 Mine\r\n\r\n');
    });
    expect(await statusOf(url('/elsewhere'))).toBe(418);
  });

  test('of another protocol is not accepted', async () => {
    const status = await new Promise((resolve, reject) => {
      httpRequest(`http://${hosted.authority}/api/hello`, {
        headers: { connection: 'upgrade', upgrade: 'h2c' },
        agent: false,
      })
        .on('response', (response) => {
          response.resume();
          resolve(response.statusCode);
        })
        .on('error', reject)
        .end();
    });
    // A Node that can be asked treats it as a plain request.
    expect([200, 400]).toContain(status);
  });

  test('is closed if its client does not read', async () => {
    const socket = await raw();
    const messages: string[] = [];
    socket.on('message', (data) => messages.push(String(data)));
    socket.send('{"type":"connection_init"}');
    await until(() => messages.length === 1);
    const query = 'subscription { userSaved { name } }';
    socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query } }));
    await until(() => events.listening === 1);
    socket.pause();
    const name = 'x'.repeat(200_000);
    for (let at = 1; at <= 300; at++) {
      server.publish('userSaved', { id: at, name });
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => events.listening === 0);
    socket.resume();
    await until(() => messages.at(-1) === '{"id":"1","type":"complete"}');
    expect(messages.at(-2)).toContain('SUBSCRIBER_TOO_SLOW');
    expect(messages.length).toBeGreaterThan(100);
  });
});

describe('the servers that answer over WebSocket', () => {
  const answers = async (address: string): Promise<unknown> => {
    const client = createClient({ url: address, webSocketImpl: WebSocket, retryAttempts: 0 });
    clients.push(client);
    return (await client.iterate({ query: '{ hello { text } }' }).next()).value;
  };
  const listen = async (http: Server): Promise<string> => {
    clients.push({ dispose: () => http.close() });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    return `ws://127.0.0.1:${(http.address() as AddressInfo).port}/graphql`;
  };
  const options = { topologies: [{ name: 'a.gg', source }] };
  const hello = { data: { hello: { text: 'Hello' } } };

  test('include those of createBetaHttpServer', async () => {
    expect(await answers(await listen(createBetaHttpServer(createBetaServerAdapter(options))))).toEqual(hello);
    const foreign = createBetaHttpServer({ fetch: () => new Response('mine') });
    expect(foreign.listenerCount('upgrade')).toBe(0);
    foreign.close();
  });

  test('include Apollo Servers', async () => {
    const apollo = createAlphaServer(options);
    await apollo.start();
    const http = createServer();
    attachSubscriptions(apollo, http);
    expect(await answers(await listen(http))).toEqual(hello);
    await apollo.stop();
  });

  test('exclude other servers', () => {
    expect(() => attachSubscriptions({ internals: { plugins: [] } }, createServer())).toThrow(TypeError);
  });
});

test('attachSubscriptions accepts only servers of gg-svc', () => {
  expect(() => attachSubscriptions({}, createServer())).toThrow(
    'attachSubscriptions needs a server that gg-svc created.',
  );
});
