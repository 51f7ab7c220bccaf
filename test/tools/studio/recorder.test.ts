import { createClient as createSocketClient } from 'graphql-ws';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import WebSocket from 'ws';
import { createGqlServer } from '../../../src/index.js';
import type { Call, PublishedEvent, StudioMessage } from '../../../src/tools/studio/protocol.js';
import { Recorder } from '../../../src/tools/studio/recorder.js';
import { get, post } from '../../conformance/client.js';
import { hosts, type RunningHost } from '../../conformance/hosts.js';
import { conformanceOptions } from '../../conformance/topology.js';
import { withRecorder } from './studios.js';

let messages: StudioMessage[] = [];
let recorder: Recorder;
let close: () => void;

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  messages = [];
  recorder = new Recorder((message) => void messages.push(message));
  close = recorder.open();
});
afterEach(() => {
  close();
  vi.restoreAllMocks();
});

type Kind = StudioMessage['kind'];

/** The messages of a kind so far. */
function sent<Wanted extends Kind>(kind: Wanted): readonly Extract<StudioMessage, { kind: Wanted }>[] {
  recorder.flush();
  return messages.filter((message) => message.kind === kind) as never;
}

const summaries = () => sent('calls').flatMap(({ calls }) => calls);
const lastCall = (coordinate: string) => recorder.callsOf(coordinate)[0];

/** How many calls of an operation the statistics have counted. */
const counted = (coordinate: string) =>
  sent('statistics')
    .flatMap(({ operations }) => operations)
    .findLast((statistics) => statistics.coordinate === coordinate)?.calls;

/** The last state of each event. */
const events = (): PublishedEvent[] => [
  ...new Map(sent('events').flatMap((message) => message.events.map((event) => [event.id, event]))).values(),
];

const stream = { accept: 'text/event-stream', 'content-type': 'application/json' };
const subscription = 'subscription { orderPlaced { total } }';

describe.each(hosts)('on $name', (host) => {
  let server: RunningHost;
  beforeEach(async () => {
    server = await host.start(withRecorder(conformanceOptions(), recorder));
  });
  afterEach(() => server.close());

  test.each([
    ['rest', () => get(server, '/api/greeting')],
    ['graphql', () => post(server, '/graphql', { query: '{ greeting { text } }' })],
    ['graphql', () => post(server, '/graphql', { query: '{ hi: greeting { text } }', extensions: {} })],
    ['graphql', () => get(server, '/graphql?query={greeting{text}}')],
    ['sse', () => post(server, '/graphql', { query: '{ greeting { text } }' }, stream)],
  ])('a call over %s is recorded with its request, answer and spans (%#)', async (protocol, call) => {
    const answer = await call();
    expect(answer.status).toBe(200);
    expect(summaries()).toEqual([
      {
        id: expect.any(String),
        coordinate: 'Query.greeting',
        protocol,
        start: expect.any(Number),
        duration: expect.any(Number),
        status: 200,
        errors: 0,
      },
    ]);
    const recorded = lastCall('Query.greeting');
    expect(recorded?.start).toBeLessThanOrEqual(Date.now());
    expect(recorded?.answer).toContain('"Hello"');
    if (protocol !== 'sse') expect(recorded?.answer).toBe(answer.text);
    expect(recorded?.request).toMatchObject({
      method: expect.stringMatching(/^(?:GET|POST)$/),
      url: expect.stringMatching(/^\/(?:api\/greeting|graphql)/),
    });
    const names = recorded?.spans.map(({ name }) => name);
    expect(names?.[0]).toBe('gg.operation');
    for (const { start, duration } of recorded?.spans ?? []) {
      expect(start).toBeGreaterThanOrEqual(0);
      expect(duration).toBeGreaterThanOrEqual(0);
    }
  });

  test('the body of a request and a resolver span below its operation are recorded', async () => {
    const body = { input: { total: 5 } };
    await post(server, '/api/placeOrder', body);
    const call = lastCall('Mutation.placeOrder');
    expect(JSON.parse(call?.request.body ?? '')).toEqual(body);
    const operation = call?.spans.find(({ name }) => name === 'gg.operation');
    const resolver = call?.spans.find(({ name }) => name === 'gg.resolve Mutation.placeOrder');
    expect(resolver).toMatchObject({
      parent: operation?.id,
      attributes: { 'gg.field': 'Mutation.placeOrder', 'gg.edge': expect.stringContaining('FOLD') },
    });
  });

  test('each operation of a document is a separate call with its own errors', async () => {
    await post(server, '/graphql', { query: '{ greeting { text } broken { value } }' });
    expect(summaries().map(({ coordinate, errors }) => [coordinate, errors])).toEqual([
      ['Query.greeting', 0],
      ['Query.broken', 1],
    ]);
    expect(sent('statistics').at(-1)?.operations).toEqual([
      { coordinate: 'Query.greeting', calls: 1, errors: 0, p95: expect.any(Number) },
      { coordinate: 'Query.broken', calls: 1, errors: 1, p95: expect.any(Number) },
    ]);
  });

  test('a request that was rejected before its operation ran is a call with an error', async () => {
    await get(server, '/api/listOrders?state=NONE');
    expect(lastCall('Query.listOrders')).toMatchObject({
      status: 400,
      errors: 1,
      spans: [],
      protocol: 'rest',
    });
  });

  test('a race shows its winner and the branch that it cancelled, and is part of its call', async () => {
    await get(server, '/api/copy');
    const race = {
      union: expect.any(String),
      winner: 'FastCopy',
      cancelled: ['SlowCopy'],
      at: expect.any(Number),
    };
    expect(sent('races').flatMap(({ races }) => races)).toEqual([race]);
    const call = lastCall('Query.copy');
    expect(call?.races).toEqual([race]);
    expect(call?.spans.map(({ name }) => name)).toContain(`gg.race ${call?.races[0]?.union}`);
  });

  test('an event has its payload and its number of subscribers, and can be published again', async () => {
    const controller = new AbortController();
    const init = { method: 'POST', headers: stream, body: JSON.stringify({ query: subscription }) };
    const response = await server.ask('/graphql', { ...init, signal: controller.signal });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    const readUntil = async (part: string): Promise<void> => {
      while (!text.includes(part)) text += new TextDecoder().decode((await reader.read()).value);
    };
    await readUntil(':');
    expect(sent('gauges').at(-1)?.subscriptions).toEqual([{ name: 'orderPlaced', subscribers: 1, waiting: 0, lag: 0 }]);
    await post(server, '/api/placeOrder', { input: { total: 5 } });
    await readUntil('"total":5');
    const [event] = events();
    expect(event).toMatchObject({ subscription: 'orderPlaced', payload: { total: 5 }, deliveredTo: 1 });
    expect(event).not.toHaveProperty('problem');

    text = '';
    expect(recorder.publishAgain(event?.id ?? '')).toBe(true);
    await readUntil('"total":5');
    expect(events()).toHaveLength(2);
    expect(recorder.publishAgain('nothing')).toBe(false);

    await reader.cancel();
    controller.abort();
    await expect.poll(() => sent('gauges').at(-1)?.subscriptions[0]?.subscribers).toBe(0);
    await expect.poll(() => lastCall('Subscription.orderPlaced')).toMatchObject({ protocol: 'sse', errors: 0 });
    const results = lastCall('Subscription.orderPlaced')?.answer?.split('\n') ?? [];
    expect(results.map((result) => JSON.parse(result))).toEqual(Array(2).fill({ data: { orderPlaced: { total: 5 } } }));
  });

  test('nothing is recorded while no page is open', async () => {
    close();
    messages = [];
    await get(server, '/api/greeting');
    await get(server, '/api/copy');
    await post(server, '/api/placeOrder', { input: { total: 5 } });
    recorder.flush();
    expect(messages.filter(({ kind }) => kind !== 'gauges')).toEqual([]);
    expect(recorder.callsOf('Query.greeting')).toEqual([]);
  });

  test('a recorded call contains no credentials of any part of the request', async () => {
    const secret = 'Zx81-hunter-two';
    const headers = {
      authorization: `Bearer ${secret}`,
      'proxy-authorization': `Basic ${Buffer.from(`ada:${secret}`).toString('base64')}`,
      cookie: `session=${secret}`,
      'x-api-key': secret,
      'x-auth-token': secret,
      'x-csrf-token': secret,
      'x-client-secret': secret,
      'x-user': 'Ada',
    };
    await get(server, `/api/whoami?access_token=${secret}`, { headers });
    await get(server, '/api/whoami', { headers });
    await post(server, '/api/placeOrder', { input: { total: 1, note: secret, password: secret } }, headers);
    const query = `query { refused(code: "${secret}") { value } }`;
    await post(server, '/graphql', { query, variables: { apiKey: secret } }, headers);
    recorder.flush();
    const kept = ['Query.whoami', 'Mutation.placeOrder', 'Query.refused'].flatMap((coordinate) =>
      recorder.callsOf(coordinate),
    );
    expect(kept.length).toBeGreaterThanOrEqual(4);
    expect(JSON.stringify([kept, messages])).not.toContain(secret);
    expect(kept[0]?.request.headers).toMatchObject({ authorization: '[redacted]', 'x-user': 'Ada' });
  });

  if (!host.hasNetwork) return;

  test('operations over WebSocket are recorded with their results', async () => {
    const url = `${server.origin.replace('http', 'ws')}/graphql`;
    const client = createSocketClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 });
    for await (const _ of client.iterate({ query: '{ greeting { text } }' }));
    const orders = client.iterate({ query: subscription });
    const next = orders.next();
    await expect.poll(() => sent('gauges').at(-1)?.subscriptions[0]?.subscribers).toBe(1);
    await post(server, '/api/placeOrder', { input: { total: 6 } });
    await next;
    await orders.return?.();
    await expect.poll(() => lastCall('Subscription.orderPlaced')).toBeDefined();
    const greeting = lastCall('Query.greeting');
    expect(greeting).toMatchObject({
      protocol: 'ws',
      errors: 0,
      answer: '{"data":{"greeting":{"text":"Hello"}}}',
    });
    expect(greeting).not.toHaveProperty('status');
    expect(JSON.parse(greeting?.request.body ?? '').query).toContain('greeting');
    expect(greeting?.spans[0]?.name).toBe('gg.operation');
    expect(lastCall('Subscription.orderPlaced')).toMatchObject({
      protocol: 'ws',
      answer: '{"data":{"orderPlaced":{"total":6}}}',
    });
    await client.dispose();
  });
});

describe('a recorder', () => {
  const start = () => createGqlServer(withRecorder(conformanceOptions(), recorder));

  test('records calls of the program itself', async () => {
    const query = 'query ($id: ID!) { order(id: $id) { total } }';
    await start().executeOperation({ query, variables: { id: '2' } });
    const call = lastCall('Query.order');
    expect(call).toMatchObject({ protocol: 'process', errors: 0, answer: '{"data":{"order":{"total":12}}}' });
    expect(JSON.parse(call?.request.body ?? '')).toMatchObject({ variables: { id: '2' } });
  });

  test('counts calls, and records the time of day, even after the machine was suspended', async () => {
    const wake = Date.now() + 8 * 3_600_000;
    vi.useFakeTimers({ toFake: ['Date'], now: wake });
    onTestFinished(() => void vi.useRealTimers());
    await start().fetch(new Request('http://localhost/api/greeting'));
    expect(counted('Query.greeting')).toBe(1);
    expect(Math.abs((lastCall('Query.greeting')?.start ?? 0) - wake)).toBeLessThan(3_600_000);
  });

  test('keeps the calls when a new server replaces an old one', async () => {
    await start().fetch(new Request('http://localhost/api/greeting'));
    await start().fetch(new Request('http://localhost/api/greeting'));
    expect(recorder.callsOf('Query.greeting')).toHaveLength(2);
  });

  test('sends every call once, and keeps the last 50 of an operation', async () => {
    const server = start();
    for (let at = 0; at < 130; at++) {
      await server.fetch(new Request(`http://localhost/api/order?id=${at}`));
      if (at % 5 === 4) recorder.flush();
    }
    expect(counted('Query.order')).toBe(130);
    expect(summaries()).toHaveLength(130);
    expect(new Set(summaries().map(({ id }) => id)).size).toBe(130);
    const urls = recorder.callsOf('Query.order').map(({ request }) => request.url);
    expect(urls).toEqual(Array.from({ length: 50 }, (_, at) => `/api/order?id=${129 - at}`));
  });

  test('counts all calls of a burst, and records its first 50 with their spans', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    close();
    close = recorder.open();
    const server = start();
    const burst = async (from: number) => {
      for (let id = from; id < from + 400; id++) await server.fetch(new Request(`http://localhost/api/order?id=${id}`));
      return recorder.callsOf('Query.order');
    };
    const ids = (calls: readonly Call[]) => calls.map(({ request }) => Number(request.url?.split('=')[1]));
    const first = await burst(0);
    expect(ids(first)).toEqual(Array.from({ length: 50 }, (_, at) => 49 - at));
    expect(first.filter(({ spans }) => spans.length === 0)).toEqual([]);
    // The room grows with each message.
    const second = await burst(400);
    expect(ids(second).slice(0, 6)).toEqual([404, 403, 402, 401, 400, 49]);
    for (let at = 0; at < 10; at++) recorder.flush();
    expect(ids(await burst(800))).toEqual(Array.from({ length: 50 }, (_, at) => 849 - at));
    expect(counted('Query.order')).toBe(1200);
  });

  test('records every call with an error, for any number of calls', async () => {
    const server = start();
    for (let at = 0; at < 120; at++) {
      const id = at === 111 ? 'id=1&id=2' : `id=${at}`;
      await server.fetch(new Request(`http://localhost/api/order?${id}`));
    }
    const urls = recorder.callsOf('Query.order').map(({ request }) => request.url);
    expect(urls).toHaveLength(50);
    expect(urls).toContain('/api/order?id=1&id=2');
    expect(counted('Query.order')).toBe(120);
  });

  test('keeps at most 64 KiB of a body', async () => {
    const server = start();
    const tags = Array.from({ length: 20_000 }, () => 'tag-of-some-length');
    const query = 'query ($tags: [String!]) { findOrders(tags: $tags) }';
    await server.fetch(
      new Request('http://localhost/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables: { tags } }),
      }),
    );
    const call = lastCall('Query.findOrders');
    expect(call?.answer?.length).toBe(65_537);
    expect(call?.request.body?.length).toBe(65_537);
  });
});
