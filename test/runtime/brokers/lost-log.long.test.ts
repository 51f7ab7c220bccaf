import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { type BrokerEvent, type EventBroker, isBroker } from '../../../src/runtime/brokers/broker.js';
import { brokerOf, type EventsConfig } from '../../../src/runtime/brokers/brokers.js';
import { fnv1a } from '../../../src/runtime/brokers/event-log.js';
import { partitionNames } from '../../../src/runtime/brokers/partitions.js';
import { createGqlServer } from '../../../src/runtime/server/service.js';
import { subscribe } from '../server/subscriber.js';
import { ask } from '../server/topology-server.js';
import { type BrokerServer, brokerCases, startProxy } from './broker-servers.js';
import { Heard } from './fake-broker.js';

const brokers: EventBroker[] = [];
const started: BrokerServer[] = [];
const ends: (() => void)[] = [];
afterEach(async () => {
  await Promise.all(brokers.splice(0).map((broker) => broker.close()));
  for (const end of ends.splice(0)) end();
  await Promise.all(started.splice(0).map((server) => server.stop()));
});

function event(payload: unknown): BrokerEvent {
  return { id: randomUUID(), subscription: 'userSaved', payload: JSON.stringify(payload) };
}

function make(config: EventsConfig): EventBroker {
  const broker = brokerOf(config, {});
  if (!isBroker(broker)) throw new Error('The configuration names no broker.');
  brokers.push(broker);
  return broker;
}

async function listening(config: EventsConfig) {
  const broker = make(config);
  const heard = new Heard();
  await broker.listen(heard);
  return { broker, heard };
}

const lost = 'gap of undefined';

/** The partition of the events of this file, which have no key. */
const at = fnv1a('userSaved') % 4;

describe.each(
  brokerCases.filter(({ keeps }) => keeps).flatMap((broker) => [1, 4].map((partitions) => ({ ...broker, partitions }))),
)('$name, partitions: $partitions', ({ name, start, url, request, partitions, ...broker }) => {
  const open = async () => {
    const server = await start();
    started.push(server);
    const own = `t${randomUUID().replaceAll('-', '').slice(0, 12)}`;
    const key = name === 'postgres' ? 'table' : 'stream';
    const config: EventsConfig = {
      ...{ broker: name, url: url(server.port), [key]: own, timeout: 120_000 },
      partitions,
    };
    const { own: log } = partitionNames(own, partitions === 1 ? 0 : at, partitions, name as 'postgres');
    return { server, log, config };
  };

  test.each([
    ['fewer events than it lost', 3],
    ['more events than it lost', 30],
  ])(
    'that comes back older, with %s since then, notifies every process once and delivers no old events',
    async (_, since) => {
      const { server, config } = await open();
      const processes = [await listening(config), await listening(config)];
      const [{ broker: one }] = processes as [(typeof processes)[0]];
      for (let at = 0; at < 500; at++) await one.publish(event('old'));
      await server.snapshot();
      for (let at = 0; at < 10; at++) await one.publish(event(`lost ${at}`));
      for (const { heard } of processes) await expect.poll(() => heard.payloads.length).toBe(510);
      await server.rollBack();
      await Promise.all(Array.from({ length: since }, (_, at) => one.publish(event(`since ${at}`))));
      for (const { heard } of processes) await expect.poll(() => heard.payloads).toContain(lost);
      await one.publish(event('after'));
      for (const { heard } of processes) {
        await expect.poll(() => heard.payloads).toContain('"after"');
        expect(heard.gaps).toEqual([undefined]);
        expect(heard.payloads.slice(510)).not.toContain('"old"');
      }
    },
  );

  test('that comes back older sends an error instead of old events to clients that resume', async () => {
    const { server, config } = await open();
    const { subscribeAfter, save } = serve(config);
    const live = await subscribeAfter();
    for (let id = 0; id < 20; id++) await save(`old ${id}`);
    await server.snapshot();
    await save('lost');
    let after: string | undefined;
    for (let at = 0; at <= 20; at++) after = (await live.next()).extensions.eventId;
    await live.stop();
    await server.rollBack();
    const resumed = await subscribeAfter(after);
    expect((await resumed.next()).errors[0].extensions).toEqual({ code: 'EVENTS_LOST' });
    await save('after');
    let next = await resumed.next();
    while (next.errors?.[0].extensions.code === 'EVENTS_LOST') next = await resumed.next();
    expect(next.data.userSaved.id).toBe('after');
  });

  test.each(['an event', 'nothing'])('whose log is deleted recreates it with %s published', async (what) => {
    const { server, log, config } = await open();
    const { broker: one, heard } = await listening(config);
    await one.publish(event('1'));
    await expect.poll(() => heard.payloads.length).toBe(1);
    await broker.delete?.(server.port, log);
    if (what === 'nothing') await expect.poll(() => heard.payloads).toContain(lost);
    await one.publish(event('2'));
    await expect.poll(() => heard.payloads).toContain(lost);
    // A deletion takes a moment: what the old log has acknowledged by then went with it, and is told as lost.
    const next = async () => {
      await one.publish(event('3'));
      return heard.payloads.at(-1);
    };
    await expect.poll(next).toBe('"3"');
    expect(heard.payloads.filter((payload) => payload === '"1"')).toHaveLength(1);
    expect(one.state.status).toBe('connected');
  });

  test.runIf(partitions === 1)(
    'replays 1,000 events to fifty clients once and in order, with the requests of one client',
    async () => {
      const { server, config } = await open();
      const proxy = await startProxy(server.port, request);
      ends.push(() => proxy.close());
      const { gql, subscribeAfter, save } = serve({ ...config, url: url(proxy.port) });
      const live = await subscribeAfter();
      await save('first');
      const after = (await live.next()).extensions.eventId;
      await live.stop();
      for (let at = 0; at < 1_000; at += 100) {
        await Promise.all(Array.from({ length: 100 }, (_, add) => save(String(at + add))));
      }
      const expected = await readAll(make(config));
      const before = proxy.requests;
      let health = 0;
      let isOver = false;
      const asking = (async () => {
        while (!isOver) {
          expect((await ask(gql, '/health/live')).status).toBe(200);
          health += 1;
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          const client = await subscribeAfter(after);
          const got: string[] = [];
          while (got.length < 1_000) got.push((await client.next()).data.userSaved.id);
          expect(got).toEqual(expected.slice(1));
          await client.stop();
        }),
      );
      isOver = true;
      await asking;
      // Eleven pages of a few requests each, and what the clients read again where they join the live events.
      expect(proxy.requests - before).toBeLessThan(200);
      expect(health).toBeGreaterThan(20);
    },
  );
});

async function readAll(broker: EventBroker): Promise<string[]> {
  await broker.listen(new Heard());
  const ids: string[] = [];
  for (let reached = 0; ; ) {
    const page = await broker.log?.read(reached, 500);
    if (page === undefined) throw new Error('The broker keeps no events.');
    ids.push(...page.events.map(({ payload }) => JSON.parse(payload).id));
    reached = page.reached;
    if (reached >= page.last) return ids;
  }
}

function serve(config: EventsConfig) {
  const gql = createGqlServer({
    topologies: [
      {
        name: 'a.gg',
        source: `
          (form { id: ID! })-[:FOLD]->(save_user { id: ID! })
          (save_user)-[:FORK]->(user_saved: Event { id: ID! })
        `,
      },
    ],
    resolvers: { Mutation: { saveUser: (_: unknown, { input }: { input?: unknown }) => input } },
    events: make(config),
    limits: { timeout: false },
  });
  const subscribeAfter = (after?: string) =>
    subscribe(gql, 'subscription ($after: String) { userSaved(after: $after) { id } }', {
      after: after ?? null,
    });
  const save = async (id: string) => {
    const query = 'mutation ($id: ID!) { saveUser(input: { id: $id }) { id } }';
    expect((await gql.executeOperation({ query, variables: { id } })).errors).toBeUndefined();
  };
  return { gql, subscribeAfter, save };
}
