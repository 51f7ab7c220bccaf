import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createGqlServer, type GqlServerOptions } from '../../../src/index.js';
import { type BrokerServer, brokerCases } from '../brokers/broker-servers.js';
import { waitForRedis } from '../repeats/patient-redis.js';

const source = '(new_order: Input { total: Int! })-[:FOLD]->(place_order: Record { id: ID! })';

let redis: BrokerServer;
let url: string;

beforeAll(async () => {
  waitForRedis();
  const broker = brokerCases.find(({ name }) => name === 'redis');
  if (broker === undefined) throw new Error('There is no Redis among the brokers.');
  redis = await broker.start();
  url = broker.url(redis.port);
});
afterAll(() => redis.stop());
beforeEach(async () => {
  const client = new Redis(url);
  await client.flushall();
  await client.quit();
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

/** A server of its own, as in another process, and the number of its mutations. */
function serve(options: Partial<GqlServerOptions>, run: () => Promise<void> = async () => undefined) {
  const runs = { count: 0 };
  const placeOrder = async () => {
    runs.count += 1;
    await run();
    return { id: `${runs.count}` };
  };
  const resolvers = { Mutation: { placeOrder } };
  const server = createGqlServer({ topologies: [{ name: 'orders.gg', source }], resolvers, ...options });
  const order = async (key?: string, total = 1) => {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (key !== undefined) {
      headers['idempotency-key'] = key;
      // Callers without credentials cannot be told apart.
      headers.authorization = 'Bearer ada';
    }
    const body = JSON.stringify({ input: { total } });
    const answer = await server.fetch(
      new Request('http://localhost/api/placeOrder', { method: 'POST', headers, body }),
    );
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return { runs, order };
}

test('shares the counts of two processes in Redis', async () => {
  const rateLimits = [{ limit: 5, per: '1h', by: 'address', store: url }] as const;
  const servers = [serve({ rateLimits }), serve({ rateLimits })];
  const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => servers[at % 2]?.order()));
  const statuses = answers.map((answer) => answer?.status).sort();
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  const [one] = servers;
  expect((await one?.order())?.headers.get('ratelimit')).toMatch(/^"address";r=0;t=\d+$/);
});

test('counts a call through the Redis client of the program', async () => {
  const client = new Redis(url);
  const { order } = serve({ rateLimits: [{ limit: 1, per: '1h', by: 'address', store: client }] });
  expect([(await order()).status, (await order()).status]).toEqual([200, 429]);
  await client.quit();
});

test('answers requests while Redis is unreachable, and counts them when it is back', async () => {
  const allow = { limit: 2, per: '1h', by: 'address', store: url } as const;
  const allowing = serve({ rateLimits: [allow] });
  const refusing = serve({ rateLimits: [{ ...allow, name: 'other', onStoreError: 'refuse' }] });
  expect((await allowing.order()).headers.get('ratelimit')).not.toBeNull();
  expect((await refusing.order()).status).toBe(200);
  await redis.kill();
  for (let at = 0; at < 5; at += 1) {
    const answer = await allowing.order();
    expect([answer.status, answer.headers.get('ratelimit')]).toEqual([200, null]);
    expect((await refusing.order()).status).toBe(503);
  }
  const lines = vi.mocked(console.error).mock.calls.map(([line]) => String(line));
  expect(lines.filter((line) => line.includes('until its store answers'))).toHaveLength(2);
  await redis.start();
  await expect.poll(async () => (await allowing.order()).status).toBe(429);
  await expect.poll(async () => (await refusing.order()).status).toBe(429);
});

test('runs a mutation once that is sent to two processes at the same time', async () => {
  const idempotency = { store: url };
  const run = () => pause(200);
  const servers = [serve({ idempotency }, run), serve({ idempotency }, run)];
  const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => servers[at % 2]?.order('a')));
  expect(new Set(answers.map((answer) => answer?.text)).size).toBe(1);
  expect(answers.filter((answer) => answer?.headers.get('idempotency-replayed') === 'true')).toHaveLength(9);
  expect(servers.reduce((sum, { runs }) => sum + runs.count, 0)).toBe(1);
  expect((await servers[0]?.order('a', 2))?.status).toBe(422);
});

test('releases the key in every process after a server error', async () => {
  const idempotency = { store: url };
  const failing = serve({ idempotency }, () => Promise.reject(new Error('the database is down')));
  const { order } = serve({ idempotency });
  expect((await failing.order('a')).status).toBe(500);
  await expect.poll(async () => (await order('a')).status).toBe(200);
});

test('keeps an answer when Redis is back, and runs no mutation unprotected', async () => {
  const { runs, order } = serve({ idempotency: { store: url } }, () => (runs.count === 1 ? redis.kill() : pause(0)));
  const first = await order('a');
  expect(first.status).toBe(200);
  const refused = await order('b');
  expect([refused.status, JSON.parse(refused.text).code]).toEqual([503, 'IDEMPOTENCY_UNAVAILABLE']);
  expect((await order()).status).toBe(200);
  expect(runs.count).toBe(2);
  await redis.start();
  const repeated = async () => {
    const { status, headers, text } = await order('a');
    return [status, headers.get('idempotency-replayed'), text];
  };
  await expect.poll(repeated).toEqual([200, 'true', first.text]);
  expect(runs.count).toBe(2);
});
