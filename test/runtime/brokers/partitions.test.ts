import { afterEach, describe, expect, test } from 'vitest';
import { OptionError } from '../../../src/base/diagnostics/option-error.js';
import type { BrokerEvent, EventBroker, SharedLog } from '../../../src/runtime/brokers/broker.js';
import { carryOverBroker } from '../../../src/runtime/brokers/broker-carrier.js';
import { fnv1a } from '../../../src/runtime/brokers/event-log.js';
import { carryInMemory, memoryEvents } from '../../../src/runtime/brokers/memory.js';
import { natsEvents } from '../../../src/runtime/brokers/nats.js';
import {
  carryOverPartitions,
  PartitionedBroker,
  partitionNames,
  tooFewPartitions,
} from '../../../src/runtime/brokers/partitions.js';
import { postgresEvents } from '../../../src/runtime/brokers/postgres.js';
import { redisStreamEvents } from '../../../src/runtime/brokers/redis-streams.js';
import { consoleMonitor } from '../../../src/runtime/logs/monitor.js';
import type { GqlServer } from '../../../src/runtime/server/gql-server.js';
import type { GqlServerOptions } from '../../../src/runtime/server/options.js';
import { EventReader } from '../../conformance/event-reader.js';
import { subscribe } from '../server/subscriber.js';
import { serve } from '../server/topology-server.js';
import { FakeLog, Heard } from './fake-broker.js';

const source = `
  (form { id: ID!, at: Int })-[:FOLD]->(save_user { id: ID!, at: Int })
  (save_user)-[:FORK]->(user_saved: Event { id: ID!, at: Int })
  (save_user)-[:FORK { partition: 'at' }]->(user_moved: Event { id: ID!, at: Int })
`;
const saved = 'subscription ($after: String) { userSaved(after: $after) { id at } }';
const count = 4;

const servers: GqlServer[] = [];
const brokers: EventBroker[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.drain();
    await server.close();
  }
  await Promise.all(brokers.splice(0).map((broker) => broker.close()));
});

function start(events: NonNullable<GqlServerOptions['events']>, options: Partial<GqlServerOptions> = {}): GqlServer {
  const server = serve(source, { events, ...options });
  servers.push(server);
  return server;
}

/** Ids of users, one for each partition. */
const ids = Array.from({ length: count }, (_, partition) => {
  for (let id = 0; ; id++) if (fnv1a(String(id)) % count === partition) return String(id);
});

async function takeIds(server: GqlServer, after: string | undefined, most: number) {
  const subscriber = await subscribe(server, saved, { after: after ?? null });
  const taken: { readonly event: string; readonly id: string }[] = [];
  for (let at = 0; at < most; at++) {
    const { data, errors, extensions } = await subscriber.next();
    const { id, at: number } = data?.userSaved ?? {};
    taken.push({
      event: errors === undefined ? `${id}:${number}` : errors[0].extensions.code,
      id: extensions?.eventId,
    });
  }
  await subscriber.stop();
  return taken;
}

const partitionOf = (id: string | undefined) => /^[^~]*\.(\d+)~/.exec(id ?? '')?.[1];

describe('the number of partitions', () => {
  const url = 'redis://localhost';
  test.each([0, 3, 1.5, 128])('rejects %d', (partitions) => {
    const makers = [
      () => postgresEvents({ url, partitions }),
      () => redisStreamEvents({ url, partitions }),
      () => natsEvents({ servers: url, partitions }),
      () => start(memoryEvents({ partitions })),
    ];
    for (const make of makers) {
      expect(make).toThrow(OptionError);
      expect(make).toThrow('events.partitions must be a power of two from 1 to 64');
    }
  });

  test('makes a broker of several, each with a log of its own', () => {
    const makers = [
      postgresEvents({ url, partitions: 2 }),
      redisStreamEvents({ url, partitions: 2 }),
      natsEvents({ servers: url, partitions: 2 }),
    ];
    for (const broker of makers) expect(broker).toHaveProperty('partitions.length', 2);
    expect(partitionNames('events', 0, 2, 'postgres')).toEqual({ log: 'events', own: 'events', next: undefined });
    expect(partitionNames('events', 1, 2, 'postgres')).toEqual({
      log: 'events',
      own: 'events_p1',
      next: 'events_p2',
    });
    expect(tooFewPartitions('events', 2).message).toContain(
      'GG5073 The log events has more partitions than this process, which has 2.',
    );
  });

  test('rejects a table whose name PostgreSQL would cut', () => {
    const table = 'x'.repeat(55);
    expect(() => postgresEvents({ url, table, partitions: 2 })).toThrow('events.table must have at most 54 bytes');
    expect(postgresEvents({ url, table }).name).toBe('postgres');
  });
});

describe('events in partitions', () => {
  test('keep the order of their key, and have an id each that continues after all of them', async () => {
    const server = start(memoryEvents({ partitions: count }));
    const live = await subscribe(server, saved, { after: null });
    for (let at = 0; at < 40; at++) server.publish('userSaved', { id: ids[at % count], at });
    const got: { readonly user: string; readonly at: number; readonly id: string }[] = [];
    while (got.length < 40) {
      const { data, extensions } = await live.next();
      got.push({ user: data.userSaved.id, at: data.userSaved.at, id: extensions.eventId });
    }
    expect(got.map(({ at }) => at)).toEqual(Array.from({ length: 40 }, (_, at) => at));
    for (const { user, id } of got) expect(partitionOf(id)).toBe(String(ids.indexOf(user)));
    expect(new Set(got.map(({ id }) => id.split('~')[0])).size).toBe(40);
    const rest = await takeIds(server, got[9]?.id, 30);
    // Partition by partition.
    expect(rest.map(({ event }) => event)).toEqual(
      ids.flatMap((user) => got.slice(10).filter((one) => one.user === user)).map(({ user, at }) => `${user}:${at}`),
    );
    const last = rest.at(-1);
    server.publish('userSaved', { id: ids[2], at: 99 });
    expect((await takeIds(server, last?.id, 1))[0]?.event).toBe(`${ids[2]}:99`);
  });

  test('have the partition of their field, or of their subscription without a value', async () => {
    const server = start(memoryEvents({ partitions: count }));
    const moved = await subscribe(server, 'subscription ($a: String) { userMoved(after: $a) { at } }', {
      a: null,
    });
    const hostile = {
      get at(): number {
        throw new Error('no');
      },
      id: '1',
    };
    for (const event of [{ id: 'a', at: 5 }, { id: 'b', at: 5 }, { id: 'a' }, hostile])
      server.publish('userMoved', event);
    const partitions: unknown[] = [];
    for (let at = 0; at < 3; at++) partitions.push(partitionOf((await moved.next()).extensions.eventId));
    const of = (key: string) => String(fnv1a(key) % count);
    expect(partitions).toEqual([of('5'), of('5'), of('userMoved')]);
  });

  test('have the first part of their id in CloudEvents, which is the same for every subscriber', async () => {
    const server = start(memoryEvents({ partitions: count }), { eventFormat: 'cloudevents' });
    const open = async (after = '') => {
      const headers = { 'last-event-id': after };
      return new EventReader(await server.fetch(new Request('http://a/api/userSaved', { headers })));
    };
    const live = await open();
    await live.block();
    const begin = live.lastId;
    for (const id of ids) server.publish('userSaved', { id });
    const first = await live.next();
    await live.cancel();
    expect(JSON.parse(first?.data ?? '').id).toBe(first?.id?.split('~')[0]);
    const resumed = await open(begin);
    expect((await resumed.next())?.data).toBe(first?.data);
    await resumed.cancel();
  });
});

describe('a position', () => {
  test('of a log that had fewer partitions stays valid, and events of a key keep their order', async () => {
    const logs = Array.from({ length: count }, () => new FakeLog());
    const over = (some: number) =>
      some === 1
        ? (logs[0] as FakeLog).broker()
        : new PartitionedBroker(logs.slice(0, some).map((log) => log.broker()));
    let after: string | undefined;
    const expected: string[] = [];
    const got: string[] = [];
    const save = async (server: GqlServer, id: string, at: number) => {
      expected.push(`${id}:${at}`);
      const query = `mutation { saveUser(input: { id: "${id}", at: ${at} }) { id } }`;
      expect((await server.executeOperation({ query })).errors).toBeUndefined();
    };
    for (const some of [1, 2, 4]) {
      const server = start(over(some), {
        resolvers: { Mutation: { saveUser: (_: unknown, { input }: { input?: unknown }) => input } },
      });
      if (after === undefined) {
        const begin = await subscribe(server, saved, { after: null });
        await save(server, ids[0] as string, 0);
        after = (await begin.next()).extensions.eventId as string;
        got.push(...expected);
        await begin.stop();
      }
      for (const id of ids) for (const at of [some, some + 0.5]) await save(server, id, at * 10);
      // It reads a part of them, and comes back to more partitions.
      for (const { event, id } of await takeIds(server, after, 3)) {
        got.push(event);
        after = id;
      }
    }
    const server = servers.at(-1) as GqlServer;
    got.push(...(await takeIds(server, after, expected.length - got.length)).map(({ event }) => event));
    expect([...got].sort()).toEqual([...expected].sort());
    for (const id of ids) {
      const own = (events: string[]) => events.filter((event) => event.startsWith(`${id}:`));
      expect(own(got)).toEqual(own(expected));
    }
  });

  test('is refused if it is malformed, or has more partitions than the server', async () => {
    const server = start(memoryEvents({ partitions: count }));
    const few = start(memoryEvents({ partitions: 2 }));
    const one = start(memoryEvents());
    server.publish('userSaved', { id: ids[1] });
    const live = await subscribe(server, saved, { after: null });
    server.publish('userSaved', { id: ids[1] });
    const id: string = (await live.next()).extensions.eventId;
    const refusal = async (to: GqlServer, after: string) => {
      const result = await to.subscribe({ query: saved, variables: { after } });
      if (Symbol.asyncIterator in result) throw new Error(`${after} has begun.`);
      return [result.errors?.[0]?.extensions.code, result.errors?.[0]?.message];
    };
    const malformed = ['The id of the event is malformed.'];
    for (const forged of [
      id.replace('.1~', '.4~'),
      id.replace('.1~', '.01~'),
      id.replace('.1~', '~'),
      `${id}~`,
      id.replace(/~[^~]*$/, '~x'),
      id.replace(/\.1~.*/, '.1'),
      `${id}${'~0000000:1-0000000'.repeat(200)}`,
      '~'.repeat(1e5),
    ])
      expect(await refusal(server, forged.slice(0, 1e5))).toEqual([
        'INVALID_EVENT_ID',
        expect.stringMatching(/^The id of the event (?:is malformed\.|has \d+ partitions, and this server has 4\.)$/),
      ]);
    expect(await refusal(few, id)).toEqual([
      'INVALID_EVENT_ID',
      'The id of the event has 4 partitions, and this server has 2.',
    ]);
    expect(await refusal(one, id)).toEqual(['INVALID_EVENT_ID', ...malformed]);
  });

  test('before the last events is found for all partitions', async () => {
    const hub = carryOverPartitions(
      [1, 2].map(() => carryInMemory(memoryEvents())),
      (_, payload) => String(payload),
    );
    for (let at = 0; at < 20; at++) hub.publish('seen', at);
    const backlog = await hub.log?.readAfter(await hub.log.recentId(4), 'seen');
    const { steps = [] } = (await backlog?.read()) ?? {};
    expect(steps).toHaveLength(4);
    expect(await hub.log?.lag()).toBe(0);
  });
});

describe('a loss', () => {
  test('of one partition is told once, and the events of the others come', async () => {
    const logs = [new FakeLog(), new FakeLog()];
    const server = start(new PartitionedBroker(logs.map((log) => log.broker())));
    const live = await subscribe(server, saved, { after: null });
    const [even, odd] = [0, 1].map((rest) => ids.find((id) => fnv1a(id) % 2 === rest));
    for (const at of [1, 2]) server.publish('userSaved', { id: even, at });
    server.publish('userSaved', { id: odd, at: 3 });
    let after: string | undefined;
    for (let at = 0; at < 3; at++) after = (await live.next()).extensions.eventId;
    await live.stop();
    logs[0]?.trim(0);
    logs[0]?.stop();
    logs[0]?.rewind(1);
    logs[0]?.start();
    server.publish('userSaved', { id: odd, at: 4 });
    const resumed = await takeIds(server, after, 2);
    expect(resumed.map(({ event }) => event)).toEqual(['EVENTS_LOST', `${odd}:4`]);
    // It does not come back with the lost place.
    server.publish('userSaved', { id: odd, at: 5 });
    expect((await takeIds(server, resumed[1]?.id, 1))[0]?.event).toBe(`${odd}:5`);
  });
});

describe('the receipt of an event', () => {
  test('comes before later events of other partitions that are delivered before its acknowledgement', async () => {
    const logs = [new FakeLog(), new FakeLog()];
    brokers.push(...logs.map((log) => log.broker()));
    const shared: SharedLog = {
      url: 'x',
      statementsOf: (events) =>
        events.map(({ key = '' }) => ({ sql: key, parameters: [], committed: () => undefined })),
    };
    const keys = ids.filter((id) => fnv1a(id) % 2 === 1);
    const hub = carryOverPartitions(
      brokers.map((broker) => carryOverBroker(broker, consoleMonitor)),
      (_, payload) => (payload === 'own' ? (ids[0] as string) : (keys[0] as string)),
      shared,
    );
    await hub.opening();
    expect(hub.opening()).toBeUndefined();
    const event: BrokerEvent = { id: 'a', subscription: 'seen', payload: '"own"' };
    // The rows are committed, another event comes, and then the first one is acknowledged.
    expect(hub.shared?.statementsOf([event])?.[0]?.sql).toBe(ids[0]);
    await hub.publish('seen', 'later');
    await expect.poll(() => hub.log?.latestId).toMatch(/~\w+:1-/);
    const receipt = String(await hub.publish('seen', 'own', 'a'));
    const backlog = await hub.log?.readAfter(receipt, 'seen');
    expect((await backlog?.read())?.steps).toMatchObject([{ payload: 'later' }]);
  });

  test('has the beginning of partitions that are not connected yet', async () => {
    const away = new FakeLog();
    away.stop();
    const logs = [new FakeLog(), away];
    brokers.push(...logs.map((log) => log.broker()));
    const carriers = brokers.map((broker) => carryOverBroker(broker, consoleMonitor));
    const hub = carryOverPartitions(carriers, () => ids[0] as string);
    const opening = hub.opening();
    opening?.catch(() => undefined);
    expect(opening).toBeInstanceOf(Promise);
    expect(await hub.publish('seen', 1)).toMatch(/\.0~\w+:0-0000000$/);
    expect(hub.log?.latestId).toBeUndefined();
    expect(await hub.log?.lag()).toBeUndefined();
  });
});

describe('a broker of several', () => {
  test('publishes by the key, listens to all, and has the worst state', async () => {
    const logs = [new FakeLog(), new FakeLog()];
    const broker = new PartitionedBroker(logs.map((log) => log.broker()));
    brokers.push(broker);
    expect(broker.state.status).toBe('connecting');
    const heard = new Heard();
    await broker.listen(heard);
    await expect.poll(() => broker.state.status).toBe('connected');
    for (const key of ids) await broker.publish({ id: `e${key}`, subscription: 'seen', payload: key, key });
    await broker.publish({ id: 'none', subscription: 'seen', payload: 'x' });
    await expect.poll(() => heard.payloads.length).toBe(count + 1);
    const stored = logs.map(({ events }) => events.map(({ event }) => event.key ?? 'seen'));
    for (const [partition, keys] of stored.entries()) for (const key of keys) expect(fnv1a(key) % 2).toBe(partition);
    logs[1]?.stop();
    await expect.poll(() => broker.state.status).toBe('reconnecting');
    expect(broker.shared).toBeUndefined();
  });

  test('runs the statements of a transaction in the order of the partitions', () => {
    const sharedOf = (sql: string, isReady = true): SharedLog => ({
      url: 'x',
      statementsOf: (events) =>
        isReady ? [{ sql: `${sql} ${events.length}`, parameters: [], committed: () => undefined }] : undefined,
    });
    const over = (...shared: SharedLog[]) =>
      new PartitionedBroker(shared.map((one) => Object.assign(new FakeLog().broker(), { shared: one })));
    const events = [...ids].reverse().map((key) => ({ id: key, subscription: 'seen', payload: '', key }));
    const ready = over(sharedOf('one'), sharedOf('two'));
    expect(ready.shared?.statementsOf(events)?.map(({ sql }) => sql)).toEqual(['one 2', 'two 2']);
    expect(over(sharedOf('one'), sharedOf('two', false)).shared?.statementsOf(events)).toBeUndefined();
  });
});
