import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createGqlServer } from '../../../src/index.js';
import { type BrokerServer, brokerCases, startProxy } from '../brokers/broker-servers.js';

const source = `(customer { id: ID!, name: String! }) (order { id: ID!, note: String! }) (card { id: ID! })
  (root)-[:FOLD { operation: 'signUp', name: String!, returns: Customer! }]->(customer)
  (customer)-[:FOLD { operation: 'placeOrder', customerId: ID!, returns: Order! }]->(order)
  (order)-[:FOLD { operation: 'payOrder', id: ID!, returns: Card, chain: true, durable: true }]->(card)
  (shop)-[:PROCESS { id: ID! }]->(order)`;

let server: BrokerServer;
let url: string;
let client: pg.Client;

beforeAll(async () => {
  const postgres = brokerCases.find(({ name }) => name === 'postgres');
  if (postgres === undefined) throw new Error('no PostgreSQL');
  server = await postgres.start();
  url = String(postgres.url(server.port));
  client = await connected();
});
afterAll(async () => {
  await client.end();
  await server.stop();
});

/** A client, once the server accepts one. */
const connected = () =>
  vi.waitFor(
    async () => {
      const one = new pg.Client(url);
      await one.connect();
      return one;
    },
    { timeout: 120_000 },
  );

/** A server whose steps take a moment each, and the notes of its orders. */
function serve(note = '', address = url) {
  const after = <Value>(value: Value) =>
    new Promise<Value>((resolve) => {
      setTimeout(resolve, 20, value);
    });
  return createGqlServer({
    topologies: [{ name: 'a.gg', source }],
    runs: { url: address },
    resolvers: {
      Mutation: {
        signUp: (_: unknown, { name }: { name: string }) => after({ id: '7', name }),
        placeOrder: () => after({ id: 'o1', note }),
        payOrder: (_: unknown, { id }: { id: string }) => after({ id }),
      },
    } as never,
  });
}

type Served = ReturnType<typeof serve>;

/** Reads the run of a key. */
const read = async (served: Served, name: string, key: string) =>
  (await served.run('payOrder', { placeOrder: {}, signUp: { name } }, { key, principal: { id: 'ada' } })).run;

test.each(['a\u0000b', '\ud800', '\udc00\ud800', '\uffff0000', '\\u0000', '📦'])(
  'a run on PostgreSQL keeps the text %j of inputs and results',
  async (text) => {
    const served = serve(text);
    onTestFinished(() => served.close());
    const key = crypto.randomUUID();
    await expect.poll(() => read(served, text, key)).toMatchObject({ state: 'completed' });
    expect((await read(served, text, key))?.steps).toEqual([
      { operation: 'signUp', result: { id: '7', name: text } },
      { operation: 'placeOrder', result: { id: 'o1', note: text } },
      { operation: 'payOrder', result: { id: 'o1' } },
    ]);
  },
);

test('the health check shows whether PostgreSQL is there, without which other operations are served', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const served = serve();
  onTestFinished(() => served.close());
  const health = async () => {
    const response = await served.fetch(new Request('http://localhost/health/ready'));
    return [response.status, await response.json()];
  };
  const shows = (connection: string) => expect.poll(health).toEqual([200, { status: 'ok', runs: { connection } }]);
  await shows('connected');
  await client.end();
  await server.kill();
  await shows('away');
  await server.start();
  await shows('connected');
  client = await connected();
});

test('connections that replace lost ones read no types, which would end the process if they were lost meanwhile', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const proxy = await startProxy(server.port, /pg_catalog\.pg_type/g);
  onTestFinished(() => proxy.close());
  const served = serve('', url.replace(`:${server.port}/`, `:${proxy.port}/`));
  onTestFinished(() => served.close());
  const complete = async () => {
    const key = crypto.randomUUID();
    const state = async () => (await read(served, 'Ada', key).catch(() => undefined))?.state;
    await expect.poll(state).toBe('completed');
  };
  await complete();
  const before = proxy.requests;
  expect(before).toBeGreaterThan(0);
  for (let round = 0; round < 3; round += 1) {
    proxy.cut();
    proxy.mend();
    await complete();
  }
  expect(proxy.requests).toBe(before);
});

test('runs complete although PostgreSQL ends its connections again and again, and their server closes', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const served = serve();
  const keys = Array.from({ length: 60 }, () => crypto.randomUUID());
  await Promise.all(keys.map((key) => read(served, 'Ada', key)));
  for (let at = 0; at < 25; at += 1) {
    await new Promise((resolve) => setTimeout(resolve, 40));
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE pid <> pg_backend_pid() AND query LIKE '%gg_svc_runs%'`,
    );
  }
  for (const key of keys)
    await expect.poll(() => read(served, 'Ada', key)).toMatchObject({ state: 'completed', steps: [{}, {}, {}] });
  await served.close();
});
