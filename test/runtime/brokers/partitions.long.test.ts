import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { EventBroker } from '../../../src/runtime/brokers/broker.js';
import { brokerOf, type EventsConfig } from '../../../src/runtime/brokers/brokers.js';
import type { PartitionedBroker } from '../../../src/runtime/brokers/partitions.js';
import { createGqlServer } from '../../../src/runtime/server/service.js';
import { postgresStore } from '../../../src/runtime/store/postgres.js';
import { subscribe } from '../server/subscriber.js';
import { type BrokerServer, brokerCases } from './broker-servers.js';
import { Heard } from './fake-broker.js';
import { countLockWaits, keysOf } from './lock-waits.js';

const brokers: EventBroker[] = [];
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await Promise.all(brokers.splice(0).map((broker) => broker.close()));
});

const source = `
  (form { id: ID!, at: Int })-[:FOLD]->(save_user { id: ID!, at: Int })
  (save_user)-[:FORK]->(user_saved: Event { id: ID!, at: Int })
`;
const saved = 'subscription ($after: String) { userSaved(after: $after) { id at } }';
const [one = '', other = ''] = keysOf(2);

describe.each(brokerCases.filter(({ keeps }) => keeps))('$name', ({ name, start, url }) => {
  let server: BrokerServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server?.stop());

  const fresh = (): EventsConfig => {
    const own = `t${randomUUID().replaceAll('-', '').slice(0, 12)}`;
    const key = name === 'postgres' ? 'table' : 'stream';
    return { broker: name, url: url(server.port), [key]: own, timeout: 120_000 };
  };
  const make = (config: EventsConfig): EventBroker => {
    const broker = brokerOf(config, {}) as EventBroker;
    brokers.push(broker);
    return broker;
  };
  const serve = (config: EventsConfig) => {
    const api = createGqlServer({
      topologies: [{ name: 'a.gg', source }],
      resolvers: { Mutation: { saveUser: (_: unknown, { input }: { input?: unknown }) => input } },
      events: make(config),
    });
    ends.push(async () => {
      api.drain();
      await api.close();
    });
    const save = async (id: string, at: number) => {
      const query = `mutation { saveUser(input: { id: "${id}", at: ${at} }) { id } }`;
      expect((await api.executeOperation({ query })).errors).toBeUndefined();
    };
    return { api, save };
  };

  test('keeps the positions and the order of keys when the number of partitions grows', async () => {
    const config = fresh();
    const before = serve(config);
    const live = await subscribe(before.api, saved, { after: null });
    await before.save(one, 0);
    const after = (await live.next()).extensions.eventId;
    for (const at of [1, 2]) for (const id of [one, other]) await before.save(id, at);
    const grown = serve({ ...config, partitions: 2 });
    for (const at of [3, 4]) for (const id of [one, other]) await grown.save(id, at);
    const resumed = await subscribe(grown.api, saved, { after });
    const got: { id: string; at: number }[] = [];
    while (got.length < 8) got.push((await resumed.next()).data.userSaved);
    await grown.save(other, 5);
    got.push((await resumed.next()).data.userSaved);
    await resumed.stop();
    const own = (key: string) => got.filter(({ id }) => id === key).map(({ at }) => at);
    expect([own(one), own(other)]).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3, 4, 5],
    ]);
  });

  test('is not used by a process with fewer partitions', async () => {
    const config = fresh();
    const heard = new Heard();
    const four = make({ ...config, partitions: 4 });
    await four.listen(new Heard());
    for (const key of keysOf(4)) await four.publish({ id: key, subscription: 'seen', payload: '1', key });
    const two = make({ ...config, partitions: 2 }) as PartitionedBroker;
    two.listen(heard).catch(() => undefined);
    await expect.poll(() => heard.lines.join()).toContain('GG5073');
    expect(two.state.status).toBe('connecting');
  });
});

describe('postgres, with the store in the same database', () => {
  const postgres = brokerCases.find(({ name }) => name === 'postgres');
  let server: BrokerServer | undefined;
  const url = () => String(postgres?.url(server?.port ?? 0));
  beforeAll(async () => {
    server = await postgres?.start();
    const ready = async () => {
      const client = new pg.Client(url());
      await client.connect();
      await client.end();
    };
    // It takes connections before it takes queries.
    await vi.waitFor(ready, { timeout: 120_000 });
  });
  afterAll(() => server?.stop());

  test.each([
    [1, 15],
    [4, 12],
    [16, 0],
  ])('with %i partitions, %i of 16 publishers with different keys wait for a lock', async (partitions, waits) => {
    expect(await countLockWaits(url(), `waits${partitions}`, partitions, keysOf(16))).toBe(waits);
  });

  test('transactions with events of a partition have no NOTIFY, which would order their commits', async () => {
    const [split, single] = [4, 1].map((partitions) => {
      const config = { broker: 'postgres', url: url(), table: `notify${partitions}`, partitions } as const;
      const broker = brokerOf(config, {}) as EventBroker;
      brokers.push(broker);
      return broker;
    });
    const event = { id: 'a', subscription: 'seen', payload: '1' };
    for (const [broker, hasNotify] of [
      [split, false],
      [single, true],
    ] as const) {
      const heard = new Heard();
      await broker?.listen(heard);
      expect(broker?.shared?.statementsOf([event])?.[0]?.sql.includes('pg_notify')).toBe(hasNotify);
      for (let at = 0; at < 20; at++) await broker?.publish({ ...event, id: `b${at}` });
      await expect.poll(() => heard.payloads.length).toBe(20);
    }
  });

  test('publishers of one key wait for each other, whatever the number of partitions', async () => {
    expect(await countLockWaits(url(), 'same', 16, [one, one, one])).toBe(2);
  });

  test('commits the events of a mutation in their partition, with the receipt of the vector', async () => {
    const api = createGqlServer({
      topologies: [
        {
          name: 'a.gg',
          source: `
            (book: Stored { id: ID!, title: String! })
            (book_added { id: ID!, title: String! })
            (book_named { id: ID!, title: String! })
            (root)-[:PROCESS { operation: 'book', id: ID!, returns: Book }]->(book)
            (book)-[:FOLD { operation: 'addBook', writes: 'insert', returns: Book! }]->(book)
            (book)-[:FORK { operation: 'bookAdded' }]->(book_added)
            (book)-[:FORK { operation: 'bookNamed', partition: 'title' }]->(book_named)
          `,
        },
      ],
      store: postgresStore({ url: url(), statementTimeout: 120_000 }),
      events: brokerOf({ broker: 'postgres', url: url(), partitions: 4 }, {}),
    });
    const query = 'subscription ($after: String) { bookNamed(after: $after) { title } }';
    const live = await subscribe(api, query, { after: null });
    const titles = keysOf(4);
    const receipts: string[] = [];
    for (const title of titles) {
      const answer = await api.fetch(
        new Request('http://localhost/api/addBook', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ input: { title } }),
        }),
      );
      expect(answer.status).toBeLessThan(300);
      receipts.push(String(answer.headers.get('event-id')));
      expect((await live.next()).data.bookNamed).toEqual({ title });
    }
    await live.stop();
    const resumed = await subscribe(api, query, { after: receipts[1] });
    const got: string[] = [];
    while (new Set(got).size < 2) got.push((await resumed.next()).data.bookNamed.title);
    expect(got).toEqual(expect.arrayContaining(titles.slice(2)));
    await resumed.stop();
    const client = new pg.Client(url());
    await client.connect();
    const tables = ['gg_svc_events', 'gg_svc_events_p1', 'gg_svc_events_p2', 'gg_svc_events_p3'];
    for (const [at, table] of tables.entries()) {
      const { rows } = await client.query(`SELECT payload FROM ${table} WHERE subscription = 'bookNamed'`);
      expect(rows.map(({ payload }) => JSON.parse(payload).title)).toEqual([titles[at]]);
    }
    await client.end();
    api.drain();
    await api.close();
  });
});
