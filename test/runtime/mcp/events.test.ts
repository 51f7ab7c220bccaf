import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Credentials, createGqlServer, type GqlServer, type GqlServerOptions } from '../../../src/index.js';
import { FetchExchange } from '../../../src/runtime/http/fetch-exchange.js';
import type { EventResources } from '../../../src/runtime/mcp/events.js';
import { createMcp } from '../../../src/runtime/mcp/mcp.js';
import { Follower } from '../../../src/runtime/mcp/sdk-server.js';
import { serveOverStdio } from '../../../src/runtime/mcp/stdio.js';
import { serviceOf } from '../../../src/runtime/server/gql-server.js';
import { CountingEvents } from '../server/counting-events.js';
import { until } from '../server/http-server.js';
import { connectTo, eras } from './connect.js';

const source = `
  (order { id: ID!, total: Int! })
  (basket: Input { total: Int! })-[:FOLD { operation: 'placeOrder', returns: Order! }]->(order)
  (shop)-[:PROCESS { scopes: ['orders:read'], id: ID! }]->(order)
  (order)-[:FORK { id: ID }]->(order_placed: Event { id: ID!, total: Int! })
  (order)-[:FORK { scopes: ['orders:read'] }]->(order_seen: Event { id: ID! })
`;

interface ReadEvent {
  readonly id: string;
  readonly data: { readonly total: number };
}

const open: GqlServer[] = [];
const clients: Client[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const client of clients.splice(0)) await client.close();
  for (const server of open.splice(0)) await server.close();
});

function start(events?: CountingEvents): GqlServer {
  let count = 0;
  const server = createGqlServer({
    topologies: [{ name: 'shop.gg', source }],
    mcp: true,
    ...(events !== undefined && { events }),
    authenticate: ({ header }: Credentials) =>
      header('authorization') === 'Bearer reader' ? { id: 'ada', scopes: ['orders:read'] } : null,
    resolvers: {
      Query: { order: (_: unknown, { id }: { id: string }) => ({ id, total: 1 }) },
      Mutation: {
        placeOrder: (_: unknown, { input }: { input: { total: number } }) => {
          count += 1;
          return { id: String(count), total: input.total };
        },
      },
    },
  } as unknown as GqlServerOptions) as GqlServer;
  open.push(server);
  return server;
}

/** Connects the official client over a pair of pipes, as a host connects to `gg-svc mcp`. */
async function connectOverPipes(
  server: GqlServer,
  era: (typeof eras)[number],
  headers: Readonly<Record<string, string>> = {},
) {
  await server.ready;
  const service = serviceOf(server);
  if (service === undefined) throw new Error('the server has a service');
  const { environment, authenticate } = service;
  const mcp = createMcp(await environment(), {});
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = serveOverStdio(mcp, { input, output, headers, authenticate }, () => () => undefined);
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    era === '2026-07-28' ? { versionNegotiation: { mode: 'auto' } } : {},
  );
  clients.push(client);
  await client.connect(new StdioServerTransport(output, input) as never);
  return { client, input, served };
}

const order = (total: number) => ({ name: 'placeOrder', arguments: { placeOrder: { input: { total } } } });

describe.each(eras)('over pipes, a client of MCP %s', (era) => {
  test('lists tools and calls them', async () => {
    const { client } = await connectOverPipes(start(), era);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('placeOrder');
    expect((await client.callTool(order(5))).structuredContent).toEqual({
      placeOrder: { id: '1', total: 5 },
    });
  });

  test('has the access of the credentials in the environment', async () => {
    const call = { name: 'read', arguments: { order: { id: '1' } } };
    const { client } = await connectOverPipes(start(), era, { authorization: 'Bearer reader' });
    expect((await client.callTool(call)).structuredContent).toEqual({ order: { id: '1', total: 1 } });
    const { client: stranger } = await connectOverPipes(start(), era);
    expect(await stranger.callTool(call)).toMatchObject({
      isError: true,
      structuredContent: { failed: { status: 401, code: 'UNAUTHENTICATED' } },
    });
  });

  test('gets an error for a message of 10 MB, and continues', async () => {
    const { client } = await connectOverPipes(start(), era);
    const large = {
      name: 'placeOrder',
      arguments: { placeOrder: { input: { total: 1, note: 'x'.repeat(10_000_000) } } },
    };
    await expect(client.callTool(large)).rejects.toThrow('The message has more than 1048576 bytes.');
    expect((await client.callTool(order(1))).isError).toBeUndefined();
  });

  test('ends the process when its input ends', async () => {
    const { input, served } = await connectOverPipes(start(), era);
    input.end();
    await served;
  });
});

test('a client of MCP 2025-11-25 subscribes to a FORK over pipes', async () => {
  const { client } = await connectOverPipes(start(), '2025-11-25');
  const updated: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updated.push(params.uri);
  });
  await client.subscribeResource({ uri: 'gg://events/orderPlaced' });
  await client.callTool(order(5));
  await until(() => updated.length === 1);
  expect(updated).toEqual(['gg://events/orderPlaced']);
  await client.unsubscribeResource({ uri: 'gg://events/orderPlaced' });
  await client.callTool(order(6));
  await client.callTool(order(7));
  expect(updated).toHaveLength(1);
  await expect(client.subscribeResource({ uri: 'gg://events/orderSeen' })).rejects.toThrow(
    /Authentication is required/,
  );
  await expect(client.subscribeResource({ uri: 'gg://events/nope' })).rejects.toThrow(/nope/);
});

describe('a client of MCP 2026-07-28 over pipes', () => {
  const uri = 'gg://events/orderPlaced?id=2';

  test('listens to a FORK with a filter, until it cancels', async () => {
    const server = start();
    const { client } = await connectOverPipes(server, '2026-07-28');
    const updated: { uri: string; _meta?: object | undefined }[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updated.push(params);
    });
    const listening = await client.listen({ resourceSubscriptions: [uri] });
    await client.callTool(order(5));
    await client.callTool(order(6));
    await until(() => updated.length === 1);
    expect(updated[0]).toMatchObject({ uri, _meta: { 'gg-svc/eventId': expect.any(String) } });
    await listening.close();
    server.publish('orderPlaced', { id: '2', total: 1 });
    await client.callTool(order(7));
    expect(updated).toHaveLength(1);
  });

  test('leaves no resources behind when it cancels', async () => {
    const events = new CountingEvents();
    const { client } = await connectOverPipes(start(events), '2026-07-28');
    const listening = await client.listen({ resourceSubscriptions: [uri] });
    expect(events.listening).toBe(1);
    await listening.close();
    await until(() => events.listening === 0);
  });

  test.each([
    ['that it may not follow', 'gg://events/orderSeen', /Authentication is required/],
    ['with an unknown filter', 'gg://events/orderPlaced?nope=1', /no parameter “nope”/],
    ['that does not exist', 'gg://events/nope', /no resource gg:\/\/events\/nope/],
  ])('gets an error for a resource %s, and subscribes to none', async (_, wrong, message) => {
    const events = new CountingEvents();
    const { client } = await connectOverPipes(start(events), '2026-07-28');
    await expect(client.listen({ resourceSubscriptions: [uri, wrong] })).rejects.toThrow(message);
    await until(() => events.listening === 0);
    expect((await client.callTool(order(5))).isError).toBeUndefined();
  });
});

describe('over HTTP', () => {
  test('a client of MCP 2026-07-28 listens to a FORK with a filter', async () => {
    const server = start();
    const client = await connectTo(server);
    clients.push(client);
    const updated: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updated.push(params.uri);
    });
    const uri = 'gg://events/orderPlaced?id=2';
    const listening = await client.listen({ resourceSubscriptions: [uri] });
    await client.callTool(order(5));
    await client.callTool(order(6));
    await until(() => updated.length === 1);
    expect(updated).toEqual([uri]);
    await listening.close();
  });

  test('reading a FORK gives its last events, or those after an id', async () => {
    const client = await connectTo(start());
    clients.push(client);
    const read = async (query = '') => {
      const { contents } = await client.readResource({ uri: `gg://events/orderPlaced${query}` });
      return (JSON.parse((contents[0] as { text: string }).text) as { events: { id: string; data: object }[] }).events;
    };
    expect(await read()).toEqual([]);
    for (const total of [5, 6, 7]) await client.callTool(order(total));
    const events = await read();
    expect(events.map(({ data }) => data)).toEqual([5, 6, 7].map((total, at) => ({ id: String(at + 1), total })));
    const later = await read(`?after=${encodeURIComponent(events[0]?.id ?? '')}`);
    expect(later).toEqual(events.slice(1));
  });

  test('reading a FORK gives its last 50 events, or the first 50 after an id, without waiting', async () => {
    const server = start();
    const client = await connectTo(server);
    clients.push(client);
    const uri = 'gg://events/orderPlaced';
    await client.readResource({ uri });
    for (let total = 1; total <= 60; total++) server.publish('orderPlaced', { id: '1', total });
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
    const read = async (query = '') => {
      const { contents } = await client.readResource({ uri: uri + query });
      const { events } = JSON.parse((contents[0] as { text: string }).text) as { events: ReadEvent[] };
      return events;
    };
    const totals = (events: readonly ReadEvent[]) => events.map(({ data }) => data.total);
    const last = await read();
    expect(totals(last)).toEqual(Array.from({ length: 50 }, (_, at) => at + 11));
    expect(totals(await read(`?after=${encodeURIComponent(last[29]?.id ?? '')}`))).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 41),
    );
  });

  test('the resources are the FORKs; those with arguments are also templates', async () => {
    const client = await connectTo(start());
    clients.push(client);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([
      'gg://events/orderPlaced',
      'gg://events/orderSeen',
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['gg://events/orderPlaced{?id}']);
    await expect(client.readResource({ uri: 'gg://events/orderPlaced?nope=1' })).rejects.toThrow(/no parameter “nope”/);
    await expect(client.readResource({ uri: 'gg://events/orderSeen' })).rejects.toThrow(/Authentication is required/);
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow();
  });
});

describe('the resources that a connection follows', () => {
  const exchange = new FetchExchange(new Request('http://localhost/mcp'));
  const followerOf = (follow: EventResources['follow']) => new Follower({ follow } as EventResources, () => undefined);

  test('are opened once for all requests, and closed after the last of them', async () => {
    const signals: AbortSignal[] = [];
    const follower = followerOf(async (_uri, _caller, signal) => {
      signals.push(signal);
      return { ended: Promise.resolve(false) };
    });
    for (const user of [1, 2, 2]) await follower.follow('gg://events/a', user, exchange);
    follower.release(1);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    follower.release(2, 'gg://events/b');
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    follower.release(2);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test('are refused to a request that names one while it is being opened for another one, too', async () => {
    const follower = followerOf(() => Promise.reject(new Error('no access')));
    const both = [1, 2].map((user) => follower.follow('gg://events/a', user, exchange));
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
