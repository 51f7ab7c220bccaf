import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { consoleMonitor } from '../../../src/runtime/logs/monitor.js';
import { firstCharge, guaranteedAccounts } from '../../../src/runtime/repeats/fair-share.js';
import { MemoryStore } from '../../../src/runtime/repeats/memory-store.js';
import { createRedisStore, redisPrefix } from '../../../src/runtime/repeats/redis-store.js';
import type { Lease } from '../../../src/runtime/repeats/repeat-store.js';
import { createRepeats } from '../../../src/runtime/repeats/repeats.js';
import { type BrokerServer, brokerCases } from '../brokers/broker-servers.js';
import { begin, callOf, defineContract, tell } from './contract.js';
import { waitForRedis } from './patient-redis.js';

const ttl = 3_600_000;

let server: BrokerServer;
let url: string;
let client: Redis;

beforeAll(async () => {
  waitForRedis();
  const broker = brokerCases.find(({ name }) => name === 'redis');
  if (broker === undefined) throw new Error('There is no Redis among the brokers.');
  server = await broker.start();
  url = broker.url(server.port);
  client = new Redis(url);
  client.on('error', () => undefined);
});
afterAll(async () => {
  client.disconnect();
  await server.stop();
});

const clear = async () => void (await client.flushall());
const open = () => createRepeats({ store: url, ttl }, consoleMonitor);
const keys = () => client.keys(`${redisPrefix}:key:*`);

/** What happens when the time of all keys is over. */
async function expireAll(): Promise<void> {
  const ends = `${redisPrefix}:ends`;
  for (const id of await client.zrange(ends, 0, -1)) await client.zadd(ends, 0, id);
  for (const key of await keys()) await client.del(key);
}

/** What happens when a process has died, and 30 s have passed. */
async function loseLeases(): Promise<void> {
  for (const key of await keys()) await client.hset(key, 'lease', 0);
}

defineContract({
  name: 'Redis',
  async open(bounds) {
    await clear();
    return [createRedisStore(url, bounds, consoleMonitor), createRedisStore(url, bounds, consoleMonitor)];
  },
  expireAll,
  close: clear,
});

test('does not run a call again if its process died, because it may have changed something', async () => {
  await clear();
  await begin(open(), callOf('a'));
  await loseLeases();
  expect(await tell(open(), callOf('a'))).toBe('IDEMPOTENCY_OUTCOME_UNKNOWN');
});

test('accepts the outcome of a run whose process seemed dead', async () => {
  await clear();
  const run = await begin(open(), callOf('a'));
  await loseLeases();
  await run.changed('1', []);
  await run.answered('1');
  expect(await tell(open(), callOf('a'))).toBe('answered 1');
});

test('sends the events of a dead process with one of the repeats in other processes', async () => {
  await clear();
  const dead = await begin(open(), callOf('a'));
  await dead.changed('1', [{ subscription: 'orderPlaced', payload: null, id: 'e' }]);
  await loseLeases();
  const found = await Promise.allSettled(
    Array.from({ length: 5 }, async () => {
      const repeats = await open().find(callOf('a'));
      if (repeats.kind === 'unpublished') await repeats.run.answered('2');
      return repeats.kind;
    }),
  );
  expect(found.map((result) => result.status === 'fulfilled' && result.value).sort()).toEqual([
    ...Array<string>(4).fill('answered'),
    'unpublished',
  ]);
  // The dead process was only slow: it cannot take back what another one has finished.
  await dead.answered('3');
  expect(await tell(open(), callOf('a'))).toBe('answered 2');
});

test('runs a call once that is sent to two processes at the same time', async () => {
  await clear();
  const processes = [open(), open()];
  const kinds = await Promise.all(
    Array.from({ length: 10 }, async (_, at) => {
      const found = await processes[at % 2]?.find(callOf('a'));
      if (found?.kind === 'first') await found.run.answered('1');
      return found?.kind;
    }),
  );
  expect(kinds.sort()).toEqual([...Array<string>(9).fill('answered'), 'first']);
});

test('lets keys expire in Redis, and removes their remains with the next call', async () => {
  await clear();
  const repeats = open();
  await (await begin(repeats, callOf('a'))).answered('1');
  const [key = ''] = await keys();
  expect(await client.pttl(key)).toBeGreaterThan(ttl - 600_000);
  await expireAll();
  await (await begin(repeats, callOf('b'))).release();
  expect(await client.keys('*')).toEqual([]);
});

test('renews the lease of a long run', async () => {
  await clear();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const run = await begin(open(), callOf('a'));
    await loseLeases();
    vi.advanceTimersByTime(10_000);
    const [key = ''] = await keys();
    await expect.poll(async () => Number(await client.hget(key, 'lease'))).toBeGreaterThan(0);
    await run.release();
  } finally {
    vi.useRealTimers();
  }
});

test('writes the last state of a run when Redis is back, and runs no call unprotected', async () => {
  await clear();
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const repeats = open();
  const [answered, released] = [await begin(repeats, callOf('a')), await begin(repeats, callOf('b'))];
  await server.kill();
  await answered.changed('1', [{ subscription: 'orderPlaced', payload: null, id: 'e' }]);
  await answered.answered('1');
  await released.release();
  expect(await tell(repeats, callOf('c'))).toBe('IDEMPOTENCY_UNAVAILABLE');
  await server.start();
  await expect.poll(() => tell(repeats, callOf('a'))).toBe('answered 1');
  await expect.poll(() => tell(repeats, callOf('b'))).toBe('first');
  vi.restoreAllMocks();
});

test('gives the same shares and key states as the store in memory, for random accounts', async () => {
  const act = fc.record({
    account: fc.nat({ max: 5 }),
    key: fc.nat({ max: 8 }),
    end: fc.constantFrom('answered', 'answered', 'changed', 'forget', 'keep', 'stay'),
    length: fc.oneof(fc.nat({ max: 9_000 }), fc.nat({ max: 2_000_000 })),
  });
  const size = 4 * guaranteedAccounts * 2 * firstCharge;
  let refused = 0;
  const play = async (acts: readonly (typeof act extends fc.Arbitrary<infer Act> ? Act : never)[]) => {
    await clear();
    const stores = [new MemoryStore({ ttl, size }), createRedisStore(url, { ttl, size }, consoleMonitor)];
    for (const { account, key, end, length } of acts) {
      const wanted = { id: `${account} ${key}`, account: `${account}`, fingerprint: `${key % 2}` };
      const told = [];
      for (const store of stores) {
        const { lease, ...taken } = (await store.take(wanted)) as {
          kind: string;
          text?: string;
          lease?: Lease;
        };
        told.push([taken.kind, taken.text]);
        const texts = ['x'.repeat(length), 'short'];
        if (end === 'answered' || end === 'changed') await lease?.write(end, texts);
        if (end === 'changed') await lease?.end('keep');
        if (end === 'forget' || end === 'keep') await lease?.end(end);
      }
      expect(told[1]).toEqual(told[0]);
      if (told[0]?.[0] === 'full' || told[0]?.[1] === 'short') refused += 1;
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(act, { minLength: 20, maxLength: 60 }), play), { numRuns: 40 });
  expect(refused).toBeGreaterThan(0);
});
