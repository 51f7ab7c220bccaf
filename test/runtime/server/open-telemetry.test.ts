import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createGqlServer, type GqlServerOptions } from '../../../src/index.js';
import { runs } from '../../arbitraries/runs.js';
import { type Meter, startMeter } from '../../base/tracing/meter.js';
import { FakeLog } from '../brokers/fake-broker.js';

const source = `
(root)-[:PROCESS { id: ID!, route: 'GET /users/{id}' }]->(read_user: Record { id: ID!, name: String })
(root)-[:PROCESS { code: String }]->(refused: Record { value: String })
(new_user: Record { name: String })-[:FOLD]->(add_user: Record { id: ID! })
(add_user)-[:FORK]->(user_added: Event { id: ID!, note: String })
(note: Event { text: String! })
(editor)-[:FORK]->(note)
`;

let meter: Meter;
beforeAll(() => {
  meter = startMeter();
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterAll(() => {
  meter.stop();
  vi.restoreAllMocks();
});

function createServer(more: Partial<GqlServerOptions> = {}) {
  return createGqlServer({
    topologies: [{ name: 'users.gg', source }],
    metrics: true,
    resolvers: {
      Query: {
        readUser: (_: unknown, { id }: { id: string }) => ({ id }),
        refused: (_: unknown, { code }: { code?: string }) => {
          throw Object.assign(new Error('no'), { extensions: { code }, name: 'GraphQLError' });
        },
      },
      Mutation: { addUser: () => ({ id: '7' }) },
    },
    ...more,
  });
}

const sumOf = async (name: string, wanted: object): Promise<number> =>
  (await meter.series(name))
    .filter(({ attributes }) => Object.entries(wanted).every(([key, value]) => attributes[key] === value))
    .reduce((total, { value }) => total + value, 0);

describe('the number of series', () => {
  test('is bounded for 1,000 random requests', async () => {
    const server = createServer();
    const name = fc.stringMatching(/^[a-z]{1,12}$/);
    const path = fc.oneof(
      fc.webPath(),
      name.map((id) => `/users/${id}`),
      name.map((id) => `/api/${id}`),
      name.map((code) => `/api/refused?code=${code}`),
    );
    const query = fc.oneof(
      fc.string(),
      name.map((alias) => `query ${alias} { ${alias}: refused(code: "${alias}") { value } }`),
      fc.tuple(name, name).map(([one, other]) => `{ ${one}: readUser(id: "${other}") { id } ${other} }`),
      name.map((alias) => `{ ${alias}: __typename }`),
    );
    const method = fc.oneof(fc.constantFrom('GET', 'HEAD', 'PUT', 'OPTIONS'), fc.stringMatching(/^[A-Z]{3,9}$/));
    const request = fc.oneof(
      fc.tuple(method, path).map(
        ([given, at]) =>
          new Request(`http://localhost${at}`, {
            method: given === 'TRACE' || given === 'CONNECT' || given === 'TRACK' ? 'GET' : given,
          }),
      ),
      fc.tuple(query, name).map(
        ([text, operationName]) =>
          new Request('http://localhost/graphql', {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-request-id': operationName },
            body: JSON.stringify({ query: text, ...(text.startsWith('query') ? {} : { operationName }) }),
          }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(request, async (given) => {
        await (await server.fetch(given)).arrayBuffer();
      }),
      { numRuns: runs(1_000) },
    );
    const all = await meter.all();
    const bounds: Readonly<Record<string, number>> = {
      // Operations × protocols, and for errors the known codes.
      'gg.operation.requests': 4,
      'gg.operation.duration': 4,
      'gg.operation.errors': 8,
      // Routes × methods × statuses.
      'http.server.request.duration': 80,
    };
    for (const [metric, most] of Object.entries(bounds)) {
      expect([metric, (all.get(metric) ?? []).length <= most]).toEqual([metric, true]);
    }
    const values = new Set(
      [...all.values()]
        .flat()
        .flatMap(({ attributes }) => Object.entries(attributes).map(([key, value]) => `${key}=${value}`)),
    );
    expect(values.size).toBeLessThan(60);
  });
});

describe('events', () => {
  test('that cannot be completed are counted once as dropped', async () => {
    const server = createServer();
    const subscription = await server.subscribe({ query: 'subscription { note { text } }' });
    if (!(Symbol.asyncIterator in subscription)) throw new Error('It did not start.');
    server.publish('note', {});
    server.publish('note', { text: 'a' });
    expect((await subscription.next()).value?.errors?.[0]?.extensions.code).toBe('EVENT_INCOMPLETE');
    expect((await subscription.next()).value?.data).toEqual({ note: { text: 'a' } });
    await subscription.return();
    const named = { 'gg.operation.name': 'note' };
    expect(await sumOf('gg.events.published', named)).toBe(2);
    expect(await sumOf('gg.events.dropped', { ...named, 'gg.drop.reason': 'incomplete' })).toBe(1);
    expect(await sumOf('gg.events.delivered', { ...named, 'gg.protocol': 'process' })).toBe(1);
    expect(await sumOf('gg.operation.errors', { ...named, 'error.type': 'EVENT_INCOMPLETE' })).toBe(1);
  });

  test('wait in a queue, whose length is observed, until the subscriber is too slow', async () => {
    const server = createServer();
    const subscription = await server.subscribe({ query: 'subscription { userAdded { id } }' });
    if (!(Symbol.asyncIterator in subscription)) throw new Error('It did not start.');
    const named = { 'gg.operation.name': 'userAdded' };
    expect(await sumOf('gg.subscriptions.open', named)).toBe(1);
    for (let id = 0; id < 5; id++) server.publish('userAdded', { id });
    await expect.poll(() => sumOf('gg.subscriptions.queued', named)).toBe(5);
    for (let id = 0; id < 120; id++) {
      server.publish('userAdded', { id });
      await new Promise((resolve) => setImmediate(resolve));
    }
    const dropped = () => sumOf('gg.events.dropped', { ...named, 'gg.drop.reason': 'slow' });
    await expect.poll(dropped).toBe(1);
    for await (const _ of subscription) {
      // Reads what waits, and the error at the end.
    }
    expect(await sumOf('gg.subscriptions.open', named)).toBe(0);
    expect(await sumOf('gg.events.delivered', named)).toBe(100);
  });
});

describe('a server', () => {
  test('with metrics: false is not measured', async () => {
    const before = await sumOf('gg.operation.requests', {});
    const server = createServer({ metrics: false });
    await server.executeOperation({ query: '{ readUser(id: "1") { id } }' });
    await server.fetch(new Request('http://localhost/users/1'));
    expect(await sumOf('gg.operation.requests', {})).toBe(before);
  });

  test('does not turn on metrics of other servers', async () => {
    const server = createGqlServer({ topologies: [{ name: 'users.gg', source }] });
    const before = await sumOf('http.server.request.duration', {});
    await server.fetch(new Request('http://localhost/health/live'));
    expect(await sumOf('http.server.request.duration', {})).toBe(before);
  });

  test('counts the calls of the program with the protocol process', async () => {
    const server = createServer();
    const called = { 'gg.operation.name': 'readUser', 'gg.protocol': 'process' };
    const before = await sumOf('gg.operation.requests', called);
    await server.executeOperation({ query: '{ readUser(id: "1") { id } }' });
    expect(await sumOf('gg.operation.requests', called)).toBe(before + 1);
  });
});

describe('an outage of the broker', () => {
  test('is in the metrics: an event counts as published only once it is acknowledged', async () => {
    const log = new FakeLog();
    const server = createServer({ events: log.broker(3_000) });
    const named = { 'gg.operation.name': 'userAdded' };
    const before = {
      published: await sumOf('gg.events.published', named),
      durations: await sumOf('gg.events.publish.duration', named),
    };
    const add = () => server.executeOperation({ query: 'mutation { addUser(input: {}) { id } }' });
    const of = { 'messaging.system': 'fake' };
    await expect.poll(() => sumOf('gg.broker.connected', of)).toBe(1);

    log.isMute = true;
    const adding = add();
    await expect.poll(() => log.sent).toBe(1);
    expect(await sumOf('gg.events.published', named)).toBe(before.published);
    expect((await adding).errors?.[0]?.extensions.code).toBe('EVENT_NOT_PUBLISHED');
    expect(await sumOf('gg.events.published', named)).toBe(before.published);
    expect(await sumOf('gg.events.dropped', { ...named, 'gg.drop.reason': 'unpublished' })).toBe(1);
    expect(await sumOf('gg.operation.errors', { 'error.type': 'EVENT_NOT_PUBLISHED' })).toBe(1);
    expect(await sumOf('gg.events.publish.duration', { ...named, 'error.type': 'EVENT_NOT_PUBLISHED' })).toBe(1);

    log.stop();
    await expect.poll(() => sumOf('gg.broker.connected', of)).toBe(0);
    log.isMute = false;
    log.start();
    await expect.poll(() => sumOf('gg.broker.connected', of)).toBe(1);
    expect((await add()).errors).toBeUndefined();
    expect(await sumOf('gg.events.published', named)).toBe(before.published + 1);
    expect(await sumOf('gg.events.publish.duration', named)).toBe(before.durations + 2);
    server.drain();
    await server.close();
    expect(await sumOf('gg.broker.connected', of)).toBe(0);
  });

  test('that loses events is counted in the process and for each subscriber', async () => {
    const log = new FakeLog();
    const server = createServer({ events: log.broker() });
    const subscription = await server.subscribe({ query: 'subscription { userAdded { id } }' });
    if (!(Symbol.asyncIterator in subscription)) throw new Error('It did not start.');
    const before = await sumOf('gg.events.lost', {});
    const next = subscription.next();
    log.stop();
    for (const id of ['1', '2', '3']) log.store({ id, subscription: 'userAdded', payload: `{"id":"${id}"}` });
    log.trim(1);
    log.start();
    expect((await next).value?.errors?.[0]?.extensions).toMatchObject({ code: 'EVENTS_LOST', missing: 2 });
    expect(await sumOf('gg.events.lost', {})).toBe(before + 2);
    expect(await sumOf('gg.operation.errors', { 'error.type': 'EVENTS_LOST' })).toBe(1);
    await subscription.return();
    server.drain();
    await server.close();
  });

  test('counts the events that wait at the broker', async () => {
    const log = new FakeLog();
    const server = createServer({ events: log.broker() });
    const subscription = await server.subscribe({ query: 'subscription { userAdded { id } }' });
    if (!(Symbol.asyncIterator in subscription)) throw new Error('It did not start.');
    const lag = () => sumOf('gg.broker.lag', { 'messaging.system': 'fake' });
    expect(await lag()).toBe(0);
    // Nobody reads them, so the process asks the broker for a pause when the queue is half full.
    for (let at = 0; at < 90; at++) log.store({ id: String(at), subscription: 'userAdded', payload: '{"id":"1"}' });
    await expect.poll(lag).toBeGreaterThan(0);
    await subscription.return();
    await expect.poll(lag).toBe(0);
    server.drain();
    await server.close();
  });
});
