import { afterEach, describe, expect, test, vi } from 'vitest';
import type { BrokerEvent, BrokerListener, EventBroker } from '../../../src/runtime/brokers/broker.js';
import type { Resolvers } from '../../../src/runtime/execute/resolvers/contract.js';
import type { GqlServer } from '../../../src/runtime/server/gql-server.js';
import { EventReader } from '../../conformance/event-reader.js';
import { until } from '../server/http-server.js';
import { orNothing, subscribe } from '../server/subscriber.js';
import { ask, post, run, serve } from '../server/topology-server.js';
import { FakeLog } from './fake-broker.js';

const source = `
  (form { id: ID!, name: String! })
  (form)-[:FOLD]->(save_user { id: ID!, name: String! })
  (save_user)-[:FORK { id: ID }]->(user_saved: Event { id: ID!, name: String! })
`;
const saved = 'subscription ($id: ID) { userSaved(id: $id) { id name } }';
const save = (id: string) => `mutation { saveUser(input: { id: "${id}", name: "Ada" }) { id } }`;
const resolvers = { Mutation: { saveUser: (_: unknown, { input }: { input: object }) => input } };
const result = (id: string) => ({ data: { userSaved: { id, name: 'Ada' } } });

const servers: GqlServer[] = [];
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const server of servers.splice(0)) {
    server.drain();
    await server.close();
  }
});

function instance(events: EventBroker, given: Resolvers = resolvers): GqlServer {
  const server = serve(source, { events, resolvers: given });
  servers.push(server);
  return server;
}

/** A broker whose events the test delivers itself. */
class HeldBroker implements EventBroker {
  readonly name = 'held';
  readonly state = { status: 'connected', duration: 0 } as const;
  listener: BrokerListener | undefined;

  constructor(readonly publish: (event: BrokerEvent) => Promise<undefined> = async () => undefined) {}

  async listen(listener: BrokerListener): Promise<void> {
    this.listener = listener;
  }

  async close(): Promise<void> {}

  deliver(payload: unknown): Promise<void> | undefined {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    return this.listener?.event({ id: '1', subscription: 'userSaved', payload: text });
  }
}

describe('a mutation', () => {
  test('reaches the subscribers of all servers through their filters, once each', async () => {
    const log = new FakeLog();
    const [one, other] = [instance(log.broker()), instance(log.broker())];
    const subscribers = [await subscribe(one, saved), await subscribe(other, saved)];
    const filtered = await subscribe(other, saved, { id: '2' });
    await post(one, '/api/saveUser', { input: { id: '1', name: 'Ada' } });
    await run(other, save('2'));
    for (const subscriber of subscribers) {
      expect([await subscriber.next(), await subscriber.next()]).toEqual([result('1'), result('2')]);
      expect(await orNothing(subscriber.next())).toBe('nothing');
    }
    expect(await filtered.next()).toEqual(result('2'));
  });

  test('answers only after the broker has acknowledged its event', async () => {
    let acknowledge: (() => void) | undefined;
    const broker = new HeldBroker(
      () =>
        new Promise((resolve) => {
          acknowledge = () => resolve(undefined);
        }),
    );
    const answer = run(instance(broker), save('1'));
    await until(() => acknowledge !== undefined);
    expect(await orNothing(answer)).toBe('nothing');
    acknowledge?.();
    expect((await answer).data).toEqual({ saveUser: { id: '1' } });
  });

  test('fails with EVENT_NOT_PUBLISHED when the broker does not acknowledge it', async () => {
    const log = new FakeLog();
    log.stop();
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const server = instance(log.broker(50));
    const { errors } = await run(server, save('1'));
    expect(errors).toEqual([
      expect.objectContaining({
        path: ['saveUser'],
        message: expect.stringContaining('The change was made, but its event was not published'),
        extensions: expect.objectContaining({ code: 'EVENT_NOT_PUBLISHED' }),
      }),
    ]);
    const answer = await post(server, '/api/saveUser', { input: { id: '1', name: 'Ada' } });
    expect([answer.status, answer.body.code]).toEqual([502, 'EVENT_NOT_PUBLISHED']);
  });

  test('fails with the same code when a custom broker throws, and the error is only logged', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const server = instance(new HeldBroker(async () => Promise.reject(new Error('secret'))));
    const { errors } = await run(server, save('1'));
    expect(errors[0].extensions.code).toBe('EVENT_NOT_PUBLISHED');
    expect(JSON.stringify(errors)).not.toContain('secret');
    expect(logged).toHaveBeenCalledWith(expect.objectContaining({ message: 'secret' }));
  });

  test('fails with the same code when its result has no JSON form', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const cyclic: Record<string, unknown> = { id: '1', name: 'Ada' };
    cyclic.self = cyclic;
    const server = instance(new HeldBroker(), { Mutation: { saveUser: () => cyclic } });
    const { errors } = await run(server, save('1'));
    expect(errors[0].message).toContain('it has no JSON form');
  });
});

describe('a subscriber', () => {
  test('starts when the broker listens', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const log = new FakeLog();
    log.stop();
    const server = instance(log.broker());
    const subscribing = subscribe(server, saved);
    expect(await orNothing(subscribing)).toBe('nothing');
    log.start();
    const subscriber = await subscribing;
    await run(server, save('1'));
    expect(await subscriber.next()).toEqual(result('1'));
  });

  test.each([
    ['the first event of all', 0],
    ['other events', 3],
  ])('that is cut before its first event resumes on another server, after %s', async (_, earlier) => {
    const log = new FakeLog();
    const [one, other] = [instance(log.broker()), instance(log.broker())];
    for (let at = 0; at < earlier; at++) await run(one, save('early'));
    const open = async (server: GqlServer, lastEventId = '') => {
      const headers = { 'last-event-id': lastEventId };
      return new EventReader(await server.fetch(new Request('http://a/api/userSaved', { headers })));
    };
    const cut = await open(one);
    await cut.block();
    await cut.cancel();
    await run(one, save('between'));
    const resumed = await open(other, cut.lastId);
    expect((await resumed.next())?.data).toBe('{"id":"between","name":"Ada"}');
    await resumed.cancel();
  });

  test('is notified of missing events at their place, and gets the later events', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const log = new FakeLog();
    const server = instance(log.broker());
    const subscribers = [await subscribe(server, saved), await subscribe(server, saved, { id: '5' })];
    log.stop();
    for (const id of ['3', '4', '5']) {
      log.store({ id, subscription: 'userSaved', payload: JSON.stringify({ id, name: 'Ada' }) });
    }
    log.trim(1);
    log.start();
    for (const subscriber of subscribers) {
      const { errors } = await subscriber.next();
      expect(errors[0].extensions).toEqual({ code: 'EVENTS_LOST', missing: 2 });
      expect(await subscriber.next()).toEqual(result('5'));
    }
  });

  test('of a subscription with its own resolver ends with the error', async () => {
    const broker = new HeldBroker();
    const server = instance(broker, {
      ...resolvers,
      Subscription: {
        userSaved: {
          joins: true,
          subscribe: async function* () {
            yield { id: '0', name: 'Ada' };
            await new Promise(() => undefined);
          },
        },
      },
    });
    const subscriber = await subscribe(server, saved);
    expect(await subscriber.next()).toEqual(result('0'));
    const next = subscriber.next();
    broker.listener?.gap(undefined);
    expect((await next).errors[0].extensions.code).toBe('EVENTS_LOST');
    expect(await subscriber.next()).toBeUndefined();
  });

  test('skips an event that is not JSON, which is logged', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const broker = new HeldBroker();
    const subscriber = await subscribe(instance(broker), saved);
    await broker.deliver('{');
    await broker.deliver({ id: '1', name: 'Ada' });
    expect(await subscriber.next()).toEqual(result('1'));
    expect(logged).toHaveBeenCalledOnce();
  });

  test('that is slower than a log gets all events, because the log waits', async () => {
    // The log waits for a limited time.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const broker = new HeldBroker();
    const slow = { UserSaved: { name: () => new Promise((resolve) => setImmediate(resolve, 'Ada')) } };
    const subscriber = await subscribe(instance(broker, { ...resolvers, ...slow }), saved);
    const received: string[] = [];
    const reading = (async () => {
      while (received.length < 1_000) received.push((await subscriber.next()).data.userSaved.id);
    })();
    for (let id = 0; id < 1_000; id++) await broker.deliver({ id: String(id), name: 'Ada' });
    await reading;
    expect(received).toEqual(Array.from({ length: 1_000 }, (_, id) => String(id)));
  });

  test('that never reads is dropped, and does not delay the others', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const broker = new HeldBroker();
    const stuck = { UserSaved: { name: () => new Promise(() => undefined) } };
    const server = instance(broker, { ...resolvers, ...stuck });
    await subscribe(server, 'subscription { userSaved { name } }');
    const other = await subscribe(server, 'subscription { userSaved { id } }');
    let received = 0;
    const reading = (async () => {
      while (received < 300) {
        await other.next();
        received += 1;
      }
    })();
    for (let id = 0; id < 300; id++) await broker.deliver({ id: String(id), name: 'Ada' });
    await reading;
    expect(received).toBe(300);
  });
});

describe('readiness', () => {
  test('reports the broker, and fails before the first connection', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const log = new FakeLog();
    log.stop();
    const broker = log.broker();
    const server = instance(broker);
    const before = await ask(server, '/health/ready');
    expect([before.status, before.body.events]).toMatchObject([503, { broker: 'fake', connection: 'connecting' }]);
    log.start();
    await until(() => broker.state.status === 'connected');
    const after = await ask(server, '/health/ready');
    expect([after.status, after.body.events]).toMatchObject([200, { broker: 'fake', connection: 'connected' }]);
  });

  test.each([
    [9_999, 200],
    [10_000, 503],
  ])('without the broker for %i ms answers %i', async (duration, status) => {
    const broker = Object.assign(new HeldBroker(), { state: { status: 'reconnecting', duration } });
    const answer = await ask(instance(broker as unknown as EventBroker), '/health/ready');
    expect([answer.status, answer.body.events]).toEqual([
      status,
      { broker: 'held', connection: 'reconnecting', seconds: Math.floor(duration / 1000) },
    ]);
  });

  test('omits a broker that a topology without subscriptions does not use', async () => {
    const log = new FakeLog();
    log.stop();
    const server = serve("(root)-[:PROCESS]->(hello { text: 'Hello' })", { events: log.broker() });
    servers.push(server);
    const answer = await ask(server, '/health/ready');
    expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }]);
  });
});
