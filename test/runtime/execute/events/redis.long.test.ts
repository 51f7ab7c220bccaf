import { createRedisEventTarget } from '@graphql-yoga/redis-event-target';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { EventTargetLike } from '../../../../src/runtime/brokers/event-hub.js';
import { until } from '../../server/http-server.js';
import { orNothing, subscribe } from '../../server/subscriber.js';
import { post, run, serve } from '../../server/topology-server.js';
import { type RedisServer, startRedis } from './redis-server.js';

const source = `
  (form { id: ID!, name: String!, at: Moment })
  (moment: Scalar)
  (form)-[:FOLD]->(save_user { id: ID!, name: String!, at: Moment })
  (save_user)-[:FORK { id: ID }]->(user_saved: Event { id: ID!, name: String!, at: Moment })
`;
const saved = 'subscription ($id: ID) { userSaved(id: $id) { id name at } }';

let redis: RedisServer;
const clients: Redis[] = [];

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis?.stop());
afterEach(async () => {
  for (const client of clients.splice(0)) await client.quit();
});

async function connect(): Promise<Redis> {
  const client = new Redis({ path: redis.path });
  clients.push(client);
  // Before both clients are ready, what is published or subscribed to may be lost.
  await new Promise((resolve, reject) => client.once('ready', resolve).once('error', reject));
  return client;
}

async function instance() {
  const [publishClient, subscribeClient] = await Promise.all([connect(), connect()]);
  const events = createRedisEventTarget({ publishClient, subscribeClient }) as unknown as EventTargetLike;
  const server = serve(source, {
    events,
    resolvers: { Mutation: { saveUser: (_: unknown, { input }: { input: object }) => input } },
  });
  return { server, publishClient };
}

/** How many connections hear a channel, as Redis counts them. */
async function listeners(client: Redis): Promise<number> {
  const [, count] = (await client.pubsub('NUMSUB', 'gg-svc:userSaved')) as [string, number];
  return Number(count);
}

describe('two instances with one Redis', () => {
  test('a mutation on one reaches the subscribers of both, once each, through their filters', async () => {
    const [one, other] = [await instance(), await instance()];
    const here = await subscribe(one.server, saved);
    const there = await subscribe(other.server, saved);
    const filtered = await subscribe(other.server, saved, { id: '2' });
    await untilAsync(async () => (await listeners(one.publishClient)) === 2);

    await post(one.server, '/api/saveUser', { input: { id: '1', name: 'Ada', at: 'noon' } });
    await run(other.server, 'mutation { saveUser(input: { id: "2", name: "Grace" }) { id } }');
    const first = { data: { userSaved: { id: '1', name: 'Ada', at: 'noon' } } };
    const second = { data: { userSaved: { id: '2', name: 'Grace', at: null } } };
    const order = (results: unknown[]) => results.map((result) => JSON.stringify(result)).sort();
    for (const subscriber of [here, there]) {
      expect(order([await subscriber.next(), await subscriber.next()])).toEqual(order([first, second]));
      expect(await orNothing(subscriber.next(), 100)).toBe('nothing');
    }
    expect(await filtered.next()).toEqual(second);
  });

  test('an event of server.publish reaches the subscribers of both, as JSON', async () => {
    const [one, other] = [await instance(), await instance()];
    const there = await subscribe(other.server, saved);
    await untilAsync(async () => (await listeners(one.publishClient)) === 1);
    one.server.publish('userSaved', { id: 3, name: 'Ada', at: new Date(0) });
    expect(await there.next()).toEqual({
      data: { userSaved: { id: '3', name: 'Ada', at: '1970-01-01T00:00:00.000Z' } },
    });
  });

  test('a channel has no listener after the last subscriber has unsubscribed', async () => {
    const one = await instance();
    const subscribers = await Promise.all([subscribe(one.server, saved), subscribe(one.server, saved, { id: '1' })]);
    await untilAsync(async () => (await listeners(one.publishClient)) === 1);
    for (const subscriber of subscribers) await subscriber.stop();
    await untilAsync(async () => (await listeners(one.publishClient)) === 0);
  });
});

async function untilAsync(holds: () => Promise<boolean>): Promise<void> {
  let held = false;
  const ask = async (): Promise<void> => {
    while (!held) held = await holds();
  };
  const asking = ask();
  await until(() => held).finally(() => {
    held = true;
  });
  await asking;
}
