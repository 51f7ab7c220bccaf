import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type BrokerEvent, type EventBroker, systemEvents } from '../../../src/runtime/brokers/broker.js';
import type { GqlServer } from '../../../src/runtime/server/gql-server.js';
import { orNothing, subscribe } from '../server/subscriber.js';
import { ask, run, serve } from '../server/topology-server.js';
import { FakeLog, Heard } from './fake-broker.js';

const source = `
  (form { id: ID! })-[:FOLD]->(save_user { id: ID! })
  (save_user)-[:FORK]->(user_saved: Event { id: ID! })
`;
const resolvers = { Mutation: { saveUser: (_: unknown, { input }: { input: object }) => input } };

const brokers: EventBroker[] = [];
const servers: GqlServer[] = [];
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const server of servers.splice(0)) {
    server.drain();
    await server.close();
  }
  await Promise.all(brokers.splice(0).map((broker) => broker.close()));
});

function event(payload: string): BrokerEvent {
  return { id: randomUUID(), subscription: 'userSaved', payload };
}

async function listening(log: FakeLog) {
  const broker = log.broker();
  brokers.push(broker);
  const heard = new Heard();
  await broker.listen(heard);
  return { broker, heard };
}

function start(log: FakeLog, timeout?: number): GqlServer {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const server = serve(source, { events: log.broker(timeout), resolvers });
  servers.push(server);
  return server;
}

/** The marks of a loss are made at once. */
function withoutDelay(): void {
  vi.spyOn(Math, 'random').mockReturnValue(0);
}

const lost = 'gap of undefined';

describe('a log that comes back older and reuses its numbers', () => {
  /** What happens to the log between the events that a process has, and what the process does then. */
  const ways: readonly (readonly [string, (log: FakeLog, refill: () => void) => Promise<void> | void])[] = [
    [
      'behind an outage',
      (log, refill) => {
        log.stop();
        log.rewind(3);
        refill();
        log.start();
      },
    ],
    [
      'on an open connection, when the process looks',
      async (log, refill) => {
        log.rewind(3);
        refill();
        await vi.advanceTimersByTimeAsync(5_000);
      },
    ],
    [
      'on an open connection, with the next event, if the broker tells what was before it',
      (log, refill) => {
        log.tellsPrevious = true;
        log.rewind(3);
        refill();
        log.store(event('next'));
      },
    ],
  ];

  test.each(ways.flatMap(([way, happen]) => [3, 50].map((events) => [way, events, happen] as const)))(
    'is detected %s, with %i new events: no old event is delivered',
    async (way, events, happen) => {
      withoutDelay();
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      const log = new FakeLog();
      for (let at = 0; at < 200; at++) log.store(event('old'));
      const { broker, heard } = await listening(log);
      for (let at = 0; at < 5; at++) await broker.publish(event(`kept ${at}`));
      await expect.poll(() => heard.payloads.length).toBe(5);
      await happen(log, () => {
        for (let at = 0; at < events; at++) log.store(event('again'));
      });
      await expect.poll(() => heard.payloads).toContain(lost);
      await expect.poll(() => broker.state.status).toBe('connected');
      await broker.publish(event('after'));
      await expect.poll(() => heard.payloads).toContain('after');
      expect(heard.gaps).toEqual([undefined]);
      expect(heard.payloads).not.toContain('old');
      // What follows the numbers that were given again comes before the process looks.
      if (!way.includes('looks')) expect(heard.payloads.indexOf(lost)).toBe(5);
    },
  );

  test('is detected by a repeated number', async () => {
    withoutDelay();
    const log = new FakeLog();
    const { broker, heard } = await listening(log);
    for (let at = 1; at <= 3; at++) await broker.publish(event(String(at)));
    await expect.poll(() => heard.payloads.length).toBe(3);
    log.rewind(2);
    log.redeliver();
    log.store(event('other'));
    await expect.poll(() => heard.payloads).toEqual(['1', '2', '3', lost, 'other']);
  });

  test('notifies processes that did not get the lost events by one mark', async () => {
    withoutDelay();
    const log = new FakeLog();
    const [publisher, second, late] = [await listening(log), await listening(log), await listening(log)];
    await publisher.broker.publish(event('1'));
    await expect.poll(() => late.heard.payloads.length).toBe(1);
    // Its listener holds up the events: it does not get the one that is lost.
    let release = (): void => undefined;
    late.heard.pause = new Promise((resolve) => {
      release = resolve;
    });
    await publisher.broker.publish(event('held'));
    await publisher.broker.publish(event('lost'));
    await expect.poll(() => second.heard.payloads.at(-1)).toBe('lost');
    log.stop();
    log.rewind(1);
    late.heard.pause = undefined;
    release();
    log.start();
    for (const { heard } of [publisher, second, late]) await expect.poll(() => heard.gaps).toEqual([undefined]);
    await publisher.broker.publish(event('after'));
    for (const { heard } of [publisher, second, late]) {
      await expect.poll(() => heard.payloads.at(-1)).toBe('after');
      expect(heard.gaps).toEqual([undefined]);
    }
    expect(late.heard.payloads).not.toContain('lost');
  });

  test('is told once, though two processes mark it, and a further one is told again', async () => {
    const log = new FakeLog();
    const { broker, heard } = await listening(log);
    const mark = () => log.store({ id: randomUUID(), subscription: systemEvents.lost, payload: 'null' });
    for (const payload of ['1', '2']) {
      mark();
      mark();
      log.store(event(payload));
    }
    await expect.poll(() => heard.payloads).toEqual([lost, '1', '2']);
    log.stop();
    log.start();
    await expect.poll(() => broker.state.status).toBe('connected');
    mark();
    await expect.poll(() => heard.payloads).toEqual([lost, '1', '2', lost]);
  });

  test('is detected by the process that published an event but did not receive it', async () => {
    withoutDelay();
    const log = new FakeLog();
    const { broker, heard } = await listening(log);
    heard.pause = new Promise(() => undefined);
    await broker.publish(event('1'));
    await broker.publish(event('lost'));
    heard.pause = undefined;
    log.stop();
    log.rewind(1);
    log.start();
    await expect.poll(() => heard.payloads).toEqual(['1', lost]);
  });

  test('notifies a client that resumes after an earlier event', async () => {
    withoutDelay();
    const log = new FakeLog();
    const server = start(log);
    const query = 'subscription ($after: String) { userSaved(after: $after) { id } }';
    const live = await subscribe(server, query);
    await run(server, 'mutation { saveUser(input: { id: "1" }) { id } }');
    await run(server, 'mutation { saveUser(input: { id: "2" }) { id } }');
    const first = (await live.next()).extensions.eventId;
    await live.next();
    log.stop();
    log.rewind(1);
    log.start();
    expect((await live.next()).errors[0].extensions).toEqual({ code: 'EVENTS_LOST' });
    await expect.poll(() => log.events.length).toBe(2);
    const resumed = await subscribe(server, query, { after: first });
    expect((await resumed.next()).errors[0].extensions).toEqual({ code: 'EVENTS_LOST' });
    expect(await orNothing(resumed.next())).toBe('nothing');
  });
});

describe('a log that is deleted', () => {
  test('is recreated when an event is rejected, and the listener is notified', async () => {
    withoutDelay();
    const log = new FakeLog();
    const { broker, heard } = await listening(log);
    await broker.publish(event('1'));
    await expect.poll(() => heard.payloads.length).toBe(1);
    log.delete();
    await broker.publish(event('2'));
    await expect.poll(() => heard.payloads).toContain('2');
    expect(heard.payloads).toEqual(['1', lost, '2']);
  });

  test('is recreated without events at the next check', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const log = new FakeLog();
    await listening(log);
    log.delete();
    await vi.advanceTimersByTimeAsync(5_000);
    await expect.poll(() => log.isDeleted).toBe(false);
  });
});

describe('a broker that refuses every event', () => {
  test('fails readiness after 10 s, and recovers without a mutation', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const log = new FakeLog();
    const server = start(log, 2_000);
    const ready = async () => {
      const { status, body } = await ask(server, '/health/ready');
      return [status, body.events.connection];
    };
    await expect.poll(ready).toEqual([200, 'connected']);
    log.refuses = true;
    const answer = run(server, 'mutation { saveUser(input: { id: "1" }) { id } }');
    await expect.poll(ready).toEqual([200, 'refusing']);
    vi.advanceTimersByTime(10_000);
    await expect.poll(ready).toEqual([503, 'refusing']);
    expect((await answer).errors[0].extensions.code).toBe('EVENT_NOT_PUBLISHED');
    expect(await ready()).toEqual([503, 'refusing']);
    log.refuses = false;
    await expect.poll(ready).toEqual([200, 'connected']);
    const { errors } = await run(server, 'mutation { saveUser(input: { id: "2" }) { id } }');
    expect(errors).toBeUndefined();
  });
});

describe('fifty clients that resume after the first of 1,000 events', () => {
  test('get all of them, once and in order, and cost the reads of one', async () => {
    const log = new FakeLog();
    const server = start(log);
    const query = 'subscription ($after: String) { userSaved(after: $after) { id } }';
    const live = await subscribe(server, query);
    const store = (id: number) => log.store({ ...event(JSON.stringify({ id: String(id) })), id: `e${id}` });
    store(0);
    const after = (await live.next()).extensions.eventId;
    await live.stop();
    for (let id = 1; id <= 1_000; id++) store(id);
    const before = log.reads;
    const expected = Array.from({ length: 1_000 }, (_, at) => String(at + 1));
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        const client = await subscribe(server, query, { after });
        const got: string[] = [];
        while (got.length < 1_000) got.push((await client.next()).data.userSaved.id);
        expect(got).toEqual(expected);
        await client.stop();
      }),
    );
    // Eleven pages, and what the clients read again where they join the live events.
    expect(log.reads - before).toBeLessThan(40);
  });
});
