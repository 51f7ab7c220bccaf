import { afterEach, describe, expect, test, vi } from 'vitest';
import type { EventBroker } from '../../../../src/runtime/brokers/broker.js';
import { fnv1a } from '../../../../src/runtime/brokers/event-log.js';
import { type MemoryEventsOptions, memoryEvents } from '../../../../src/runtime/brokers/memory.js';
import { PartitionedBroker } from '../../../../src/runtime/brokers/partitions.js';
import type { GqlServer } from '../../../../src/runtime/server/gql-server.js';
import type { GqlServerOptions } from '../../../../src/runtime/server/options.js';
import { FakeLog } from '../../brokers/fake-broker.js';
import { orNothing, type Subscriber, subscribe } from '../../server/subscriber.js';
import { serve } from '../../server/topology-server.js';

const source = `
  (form { id: ID!, name: String! })
  (form)-[:FOLD]->(save_user { id: ID!, name: String! })
  (save_user)-[:FORK { name: String, partition: 'name' }]->(user_saved: Event { id: ID!, name: String! })
  (save_user)-[:FORK]->(audit_log: Event { id: ID!, name: String! })
`;
const saved = 'subscription ($after: String, $name: String) { userSaved(after: $after, name: $name) { id } }';

const servers: GqlServer[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const server of servers.splice(0)) {
    server.drain();
    await server.close();
  }
});

function start(options: Partial<GqlServerOptions> = {}): GqlServer {
  const server = serve(source, options);
  servers.push(server);
  return server;
}

/** Publishes events with the numbers from one to another, both included. */
function publish(server: GqlServer, from: number, to: number, name = 'Ada'): void {
  for (let id = from; id <= to; id++) server.publish('userSaved', { id, name });
}

/** The next results: their numbers, or the codes of their errors. */
async function take(subscriber: Subscriber, count: number): Promise<(number | string)[]> {
  const taken: (number | string)[] = [];
  while (taken.length < count) {
    const result = await subscriber.next();
    taken.push(result === undefined ? 'end' : (result.errors?.[0].extensions.code ?? numberOf(result)));
  }
  return taken;
}

function numberOf(result: { data: { userSaved: { id: string } } }): number {
  return Number(result.data.userSaved.id);
}

/** The ids of the events from one on, which a subscriber gets. */
async function idsOf(server: GqlServer, publishing: () => void, count: number): Promise<string[]> {
  const subscriber = await subscribe(server, saved);
  publishing();
  const ids: string[] = [];
  while (ids.length < count) ids.push((await subscriber.next()).extensions.eventId);
  await subscriber.stop();
  return ids;
}

async function refusal(server: GqlServer, after: unknown): Promise<unknown> {
  const result = await server.subscribe({ query: saved, variables: { after } });
  if (Symbol.asyncIterator in result) throw new Error('It has begun.');
  return result.errors?.[0]?.extensions.code ?? result.errors?.[0]?.message;
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

describe.each([1, 4])('with %i partitions', (partitions) => {
  const memory = (options: MemoryEventsOptions = {}) => memoryEvents({ partitions, ...options });
  /** A broker whose log has the partition of the events about Ada. */
  const over = (log: FakeLog): EventBroker => {
    if (partitions === 1) return log.broker();
    const at = fnv1a('Ada') % partitions;
    const logs = Array.from({ length: partitions }, (_, one) => (one === at ? log : new FakeLog(log.key)));
    return new PartitionedBroker(logs.map((one) => one.broker()));
  };

  describe('a subscriber with the id of an event', () => {
    test('gets the kept events after it, then the next ones', async () => {
      const server = start({ events: memory() });
      const [, second] = await idsOf(server, () => publish(server, 1, 3), 2);
      publish(server, 4, 5);
      const resumed = await subscribe(server, saved, { after: second });
      publish(server, 6, 6);
      expect(await take(resumed, 4)).toEqual([3, 4, 5, 6]);
      const next = resumed.next();
      publish(server, 7, 7);
      expect(numberOf(await next)).toBe(7);
    });

    test('gets only events of its subscription, through its filter', async () => {
      const server = start({ events: memory() });
      const [first] = await idsOf(server, () => publish(server, 1, 1), 1);
      publish(server, 2, 4, 'Bob');
      server.publish('auditLog', { id: 5, name: 'Ada' });
      publish(server, 6, 6, 'Ada');
      const resumed = await subscribe(server, saved, { after: first, name: 'Ada' });
      publish(server, 7, 7, 'Bob');
      publish(server, 8, 8, 'Ada');
      expect(await take(resumed, 2)).toEqual([6, 8]);
    });

    test('may use the id of an event of another subscription of the server', async () => {
      const server = start({ events: memory() });
      const audit = await subscribe(server, 'subscription ($after: String) { auditLog(after: $after) { id } }');
      server.publish('auditLog', { id: 1, name: 'Ada' });
      const { eventId } = (await audit.next()).extensions;
      publish(server, 2, 3);
      expect(await take(await subscribe(server, saved, { after: eventId }), 2)).toEqual([2, 3]);
    });

    test('is not dropped because of a backlog longer than its queue, even if it reads slowly', async () => {
      const server = start({ events: memory() });
      const [first] = await idsOf(server, () => publish(server, 1, 1), 1);
      publish(server, 2, 1_000);
      const resumed = await subscribe(server, saved, { after: first });
      const taken = await take(resumed, 300);
      publish(server, 1_001, 1_500);
      taken.push(...(await take(resumed, 1_199)));
      expect(taken).toEqual(numbers(2, 1_500));
    });

    test('that was too slow resumes after its last event', async () => {
      const server = start({ events: memory() });
      const slow = await subscribe(server, saved);
      publish(server, 1, 300);
      const got: number[] = [];
      let last: string | undefined;
      for (let one = await slow.next(); one?.errors === undefined; one = await slow.next()) {
        got.push(numberOf(one));
        last = one.extensions.eventId;
      }
      expect(got.length).toBeLessThan(300);
      const resumed = await subscribe(server, saved, { after: last });
      const rest = await take(resumed, 300 - got.length);
      expect([...got, ...rest]).toEqual(numbers(1, 300));
    });

    test('shares its results with the others only after it has caught up', async () => {
      const name = vi.fn(({ name }: { name: string }) => name);
      const server = start({ resolvers: { UserSaved: { name } }, context: {} });
      const query = saved.replace('{ id }', '{ id name }');
      const open = async (after: string | null) =>
        (await server.subscribe({ query, variables: { after } })) as AsyncGenerator<{
          extensions: { eventId: string };
        }>;
      const one = await open(null);
      const firstNext = one.next();
      publish(server, 1, 1);
      const first = (await firstNext).value;
      const other = await open(first.extensions.eventId);
      const results = [one.next(), other.next()];
      // Reading the log takes turns of the event loop, however long these are.
      for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
      name.mockClear();
      publish(server, 2, 2);
      const [here, there] = await Promise.all(results);
      expect(here?.value).toBe(there?.value);
      expect(name).toHaveBeenCalledOnce();
    });

    test('ends while waiting, when it unsubscribes and when the server shuts down', async () => {
      const server = start({ events: memory() });
      const [first] = await idsOf(server, () => publish(server, 1, 1), 1);
      const [leaving, staying] = [
        await subscribe(server, saved, { after: first }),
        await subscribe(server, saved, { after: first }),
      ];
      const next = [leaving.next(), staying.next()];
      await leaving.stop();
      server.drain();
      expect(await Promise.all(next)).toEqual([undefined, undefined]);
    });

    test('gets events in the state in which they were published', async () => {
      const server = start({ events: memory() });
      const event = { id: 1, name: 'Ada' };
      const [first] = await idsOf(server, () => server.publish('userSaved', event), 1);
      event.id = 2;
      server.publish('userSaved', event);
      event.id = 3;
      expect(await take(await subscribe(server, saved, { after: first }), 1)).toEqual([2]);
    });
  });

  describe('results', () => {
    test('contain the ids of their events only if the document uses after', async () => {
      const server = start({ events: memory() });
      const plain = await subscribe(server, 'subscription { userSaved { id } }');
      const naming = await subscribe(server, saved);
      publish(server, 1, 1);
      expect(await plain.next()).toEqual({ data: { userSaved: { id: '1' } } });
      expect(await naming.next()).toEqual({
        data: { userSaved: { id: '1' } },
        extensions: { eventId: expect.stringMatching(/^[\w-]+:1-\w+(\.\d(~\w+:0-0000000){3})?$/) },
      });
    });

    test('accept the id as a literal, a variable and a default', async () => {
      const server = start({ events: memory() });
      const [first] = await idsOf(server, () => publish(server, 1, 2), 1);
      for (const query of [
        `subscription { userSaved(after: "${first}") { id } }`,
        `subscription ($a: String = "${first}") { userSaved(after: $a) { id } }`,
        `subscription { ...F } fragment F on Subscription { userSaved(after: "${first}") { id } }`,
      ]) {
        expect(await take(await subscribe(server, query), 1)).toEqual([2]);
      }
    });

    test('begin with the next event without an id or with null', async () => {
      const server = start({ events: memory() });
      publish(server, 1, 3);
      for (const variables of [{}, { after: null }]) {
        const subscriber = await subscribe(server, saved, variables);
        expect(await orNothing(subscriber.next())).toBe('nothing');
      }
    });

    test('are filtered by a declared argument named after', async () => {
      const server = serve('(a)-[:FORK { after: String }]->(seen { after: String, at: Int })');
      servers.push(server);
      const some = await subscribe(server, 'subscription { seen(after: "noon") { at } }');
      server.publish('seen', { after: 'dawn', at: 1 });
      server.publish('seen', { after: 'noon', at: 2 });
      expect(await some.next()).toEqual({ data: { seen: { at: 2 } } });
      expect(server.exportGraphQL()).toContain('seen(after: String): Seen');
    });
  });

  describe('a lost position', () => {
    test('is reported with the number of lost events, followed by the kept events', async () => {
      const server = start({ events: memory({ maxLength: 10 * partitions }) });
      const [first] = await idsOf(server, () => publish(server, 1, 1), 1);
      publish(server, 2, 50);
      const resumed = await subscribe(server, saved, { after: first });
      const error = (await resumed.next()).errors[0];
      expect(error.extensions).toEqual({ code: 'EVENTS_LOST', missing: 39 });
      expect(await take(resumed, 10)).toEqual(numbers(41, 50));
    });

    test('is reported if events are dropped while the subscriber reads', async () => {
      const server = start({ events: memory({ maxLength: 300 * partitions }) });
      const [first] = await idsOf(server, () => publish(server, 1, 1), 1);
      publish(server, 2, 200);
      const resumed = await subscribe(server, saved, { after: first });
      expect(await take(resumed, 1)).toEqual([2]);
      publish(server, 201, 1_000);
      // It has read a page.
      expect(await take(resumed, 99)).toEqual(numbers(3, 101));
      expect(await take(resumed, 301)).toEqual(['EVENTS_LOST', ...numbers(701, 1_000)]);
    });

    test('is reported only if the events are too old', async () => {
      const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
      const server = start({ events: memory({ maxAge: 1_000 }) });
      const [first] = await idsOf(server, () => publish(server, 1, 3), 1);
      clock.mockReturnValue(1_000);
      expect(await take(await subscribe(server, saved, { after: first }), 2)).toEqual([2, 3]);
      clock.mockReturnValue(1_001);
      publish(server, 4, 4);
      const late = await subscribe(server, saved, { after: first });
      expect((await late.next()).errors[0].extensions).toEqual({ code: 'EVENTS_LOST', missing: 2 });
      expect(await take(late, 1)).toEqual([4]);
    });

    test('belongs to a server that was restarted', async () => {
      const before = start({ events: memory() });
      const [first] = await idsOf(before, () => publish(before, 1, 1), 1);
      const server = start({ events: memory() });
      publish(server, 1, 2);
      const resumed = await subscribe(server, saved, { after: first });
      expect((await resumed.next()).errors[0].extensions).toEqual({ code: 'EVENTS_LOST' });
      publish(server, 3, 3);
      expect(await take(resumed, 1)).toEqual([3]);
    });

    test.each([
      ['has not given its number to another event', () => undefined, 1],
      ['is another one', (log: FakeLog) => log.forget(), 5],
    ] as const)('belongs to an event that the log does not have: it %s', async (_, damage, earlier) => {
      const log = new FakeLog();
      const server = start({ events: over(log) });
      const ids = await idsOf(server, () => publish(server, 1, 3), 3);
      log.stop();
      log.rewind(2);
      damage(log);
      for (let id = 1; id < earlier; id++) {
        log.store({ id: `e${id}`, subscription: 'userSaved', payload: JSON.stringify({ id, name: 'Ada' }) });
      }
      log.start();
      const resumed = await subscribe(server, saved, { after: ids.at(-1) });
      expect((await resumed.next()).errors[0].extensions).toEqual({ code: 'EVENTS_LOST' });
      publish(server, 20, 20);
      // Nothing of what the log has had comes before it.
      let [next] = await take(resumed, 1);
      while (next === 'EVENTS_LOST') [next] = await take(resumed, 1);
      expect(next).toBe(20);
    });

    test.each([
      ['lost all events', (log: FakeLog) => log.forget()],
      ['lost the last events and gave their numbers to others', (log: FakeLog) => log.rewind(2)],
    ] as const)('belongs to a broker that has %s', async (_, damage) => {
      const log = new FakeLog();
      const server = start({ events: over(log) });
      const ids = await idsOf(server, () => publish(server, 1, 3), 3);
      log.stop();
      damage(log);
      for (const id of [11, 12]) {
        log.store({ id: `e${id}`, subscription: 'userSaved', payload: JSON.stringify({ id, name: 'Ada' }) });
      }
      log.start();
      const resumed = await subscribe(server, saved, { after: ids.at(-1) });
      expect(await take(resumed, 1)).toEqual(['EVENTS_LOST']);
    });
  });

  describe('an id with which no subscription can begin', () => {
    test('is an error: malformed, or of another service', async () => {
      const server = start({ events: memory() });
      const [first = ''] = await idsOf(server, () => publish(server, 1, 1), 1);
      const elsewhere = start({ events: over(new FakeLog('other')) });
      const [foreign] = await idsOf(elsewhere, () => publish(elsewhere, 1, 1), 1);
      const malformed = ['', '1', 'x', first.slice(1), `${first} `, first.replace(':1-', ':01-'), '9'.repeat(1e5)];
      const unsafe = first.replace(':1-', ':9007199254740993-');
      for (const id of [...malformed, unsafe, foreign]) {
        expect(await refusal(server, id)).toBe('INVALID_EVENT_ID');
      }
      expect(await refusal(server, 5)).toBe('BAD_USER_INPUT');
    });

    test('is any id if the events are not kept', async () => {
      const kept = start({ events: memory() });
      const [after] = await idsOf(kept, () => publish(kept, 1, 1), 1);
      const own = async function* () {
        yield { id: 1 };
      };
      for (const server of [
        start({ events: new EventTarget() }),
        start({ resolvers: { Subscription: { userSaved: own } } }),
      ]) {
        expect(await refusal(server, after)).toBe('EVENTS_NOT_KEPT');
      }
    });

    test('leaves nothing open', async () => {
      const server = start({ events: memory() });
      await refusal(server, 'x');
      const subscriber = await subscribe(server, saved);
      publish(server, 1, 1);
      expect(await take(subscriber, 1)).toEqual([1]);
    });
  });

  describe('between backlog and live events', () => {
    /** A generator of numbers below 1 that repeats for a seed. */
    const randomOf = (seed: number) => {
      let state = seed;
      return () => {
        state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
        return (state >>> 8) / 2 ** 24;
      };
    };

    test.each(numbers(1, 40))('there is no gap and no duplicate: seed %i', async (seed) => {
      const random = randomOf(seed);
      const pause = async (): Promise<void> => {
        const turns = Math.floor(random() * 4);
        for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
      };
      const log = new FakeLog();
      log.delay = pause;
      const server = start({ events: over(log) });
      const other = start({ events: over(log) });
      const total = 20 + Math.floor(random() * 400);
      const store = (id: number): void =>
        log.store({ id: `e${id}`, subscription: 'userSaved', payload: JSON.stringify({ id, name: 'Ada' }) });
      const [first] = await idsOf(server, () => store(1), 1);
      const publishing = (async () => {
        for (let id = 2; id <= total; id++) {
          if (random() < 0.1) await pause();
          store(id);
        }
      })();
      const got: number[] = [];
      let after = first;
      let subscriber = await subscribe(server, saved, { after });
      while (got.length < total - 1) {
        const result = await subscriber.next();
        if (result === undefined || result.errors !== undefined || random() < 0.02) {
          if (result?.errors !== undefined) {
            expect(result.errors[0].extensions.code).toBe('SUBSCRIBER_TOO_SLOW');
          } else if (result !== undefined) {
            got.push(numberOf(result));
            after = result.extensions.eventId;
          }
          await subscriber.stop();
          subscriber = await subscribe(random() < 0.5 ? server : other, saved, { after });
          continue;
        }
        got.push(numberOf(result));
        after = result.extensions.eventId;
        if (random() < 0.05) await pause();
      }
      await publishing;
      expect(got).toEqual(numbers(2, total));
    });
  });
});
