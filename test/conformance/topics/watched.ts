import { createClient as createSocketClient } from 'graphql-ws';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import { type Meter, startMeter } from '../../base/tracing/meter.js';
import { ask, get, post } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';
import { conformanceOptions } from '../topology.js';

// biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects to find.
type Line = any;

const events = { accept: 'text/event-stream' };
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

/** Metrics and logs: the same series and lines on every host. */
export const watched: Topic = {
  name: 'metrics and logs',
  countsRequests: true,
  define(host) {
    let meter: Meter;
    let server: RunningHost;
    let lines: Line[] = [];
    beforeAll(() => {
      meter = startMeter();
    });
    afterAll(() => meter.stop());
    beforeEach(async () => {
      meter.stop();
      meter = startMeter();
      lines = [];
      const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
      server = await host.start(conformanceOptions({ metrics: true, logs: { destination } }));
    });
    const count = async (name: string, wanted: object): Promise<number> => {
      const found = (await meter.series(name)).filter(({ attributes }) =>
        Object.entries(wanted).every(([key, value]) => attributes[key] === value),
      );
      return found.reduce((sum, { value }) => sum + value, 0);
    };
    const access = () => lines.filter(({ msg }) => msg === 'request' || msg === 'operation');
    const stable = ({ time, pid, hostname, duration, requestId, address, ...rest }: Line) => rest;

    test('REST, GraphQL and SSE have the same metrics, by operation and edge', async () => {
      await get(server, '/api/greeting');
      await post(server, '/graphql', { query: '{ greeting { text } }' });
      await ask(server, 'query Named { hi: greeting { text } again: greeting { text } }');
      await post(server, '/graphql', { query: '{ greeting { text } }' }, events);
      const edge = 'root -[:PROCESS]-> greeting';
      const operation = { 'gg.operation.name': 'greeting', 'gg.edge': edge };
      for (const [protocol, times] of Object.entries({ rest: 1, graphql: 2, sse: 1 })) {
        const wanted = { ...operation, 'gg.protocol': protocol };
        const requests = { ...wanted, 'gg.operation.type': 'query' };
        expect([protocol, await count('gg.operation.requests', requests)]).toEqual([protocol, times]);
        expect([protocol, await count('gg.operation.duration', wanted)]).toEqual([protocol, times]);
      }
      expect(await meter.series('gg.operation.errors')).toEqual([]);
    });

    test('requests are counted by the template of their route; unknown paths share one series', async () => {
      await get(server, '/api/order?id=1');
      await get(server, '/api/order?id=none');
      await get(server, '/health/live');
      await get(server, '/a/b/c');
      await get(server, '/api/secret-of-a-client');
      const name = 'http.server.request.duration';
      const status = 'http.response.status_code';
      expect(await count(name, { 'http.route': '/api/order', [status]: 200 })).toBe(2);
      expect(await count(name, { 'http.route': '/health/live', 'http.request.method': 'GET' })).toBe(1);
      const unknown = (await meter.series(name)).filter(({ attributes }) => attributes[status] === 404);
      // A framework may answer some of them itself.
      expect(unknown.every(({ attributes }) => attributes['http.route'] === undefined)).toBe(true);
      expect(unknown.length).toBeLessThanOrEqual(1);
    });

    test('errors are counted for their operation, and masked errors have a log line with the place', async () => {
      await get(server, '/api/broken');
      await post(server, '/graphql', { query: '{ greeting { text } broken { value } }' });
      await post(server, '/graphql', { query: '{ refused(code: "MADE_BY_A_CLIENT") { value } }' });
      const fault = { 'gg.operation.name': 'broken', 'error.type': 'INTERNAL_SERVER_ERROR' };
      expect(await count('gg.operation.errors', { ...fault, 'gg.protocol': 'rest' })).toBe(1);
      expect(await count('gg.operation.errors', { ...fault, 'gg.protocol': 'graphql' })).toBe(1);
      expect(await count('gg.operation.errors', { 'gg.operation.name': 'greeting' })).toBe(0);
      // The code comes from an argument, so it is no label.
      expect(await count('gg.operation.errors', { 'gg.operation.name': 'refused', 'error.type': '_OTHER' })).toBe(1);

      const faults = lines.filter(({ field }) => field !== undefined);
      expect(faults).toHaveLength(2);
      for (const line of faults) {
        expect(line).toMatchObject({
          level: 'error',
          field: 'Query.broken',
          edge: 'root -[:PROCESS]-> broken',
          source: expect.stringMatching(/^orders\.gg:\d+:\d+$/),
          error: { type: 'Error', message: 'password=[redacted]', stack: expect.stringContaining('at ') },
        });
        expect(access().map(({ requestId }) => requestId)).toContain(line.requestId);
      }
    });

    test('a race is counted with its winner and the branches that it cancelled', async () => {
      await get(server, '/api/copy');
      const union = { 'gg.union': (await meter.series('gg.race.wins'))[0]?.attributes['gg.union'] };
      expect(await meter.series('gg.race.wins')).toEqual([
        { attributes: { ...union, 'gg.race.winner': 'FastCopy' }, value: 1 },
      ]);
      expect(await meter.series('gg.race.cancelled')).toEqual([
        { attributes: { ...union, 'gg.race.branch': 'SlowCopy' }, value: 1 },
      ]);
    });

    test('a request has one log line with its ids, operation and edge, without arguments', async () => {
      const headers = { 'x-request-id': 'req-7', traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
      const answer = await get(server, '/api/order?id=1', { headers });
      expect(answer.headers.get('x-request-id')).toBe('req-7');
      const query = '{ order(id: "2") { id } }';
      const other = await post(server, '/graphql', { query }, { 'x-request-id': 'not\twell formed' });
      const made = other.headers.get('x-request-id');
      expect(made).toMatch(/^[\da-f]{32}$/);
      const operation = { operation: 'order', edge: 'root -[:PROCESS]-> order' };
      expect(access().map(stable)).toEqual([
        {
          level: 'info',
          msg: 'request',
          traceId,
          method: 'GET',
          route: '/api/order',
          status: 200,
          protocol: 'rest',
          ...operation,
        },
        {
          level: 'info',
          msg: 'request',
          method: 'POST',
          route: '/graphql',
          status: 200,
          protocol: 'graphql',
          ...operation,
        },
      ]);
      expect(access().map(({ requestId }) => requestId)).toEqual(['req-7', made]);
      for (const { duration, time, address } of access()) {
        expect(duration).toBeGreaterThan(0);
        expect(Number.isNaN(Date.parse(time))).toBe(false);
        expect(address === undefined).toBe(!host.hasNetwork);
      }
    });

    test('a rejected request has a log line with its operation, and a server error has the level error', async () => {
      await get(server, '/api/listOrders?state=NONE');
      await get(server, '/api/broken');
      expect(access().map(({ level, status, operation }) => [level, status, operation])).toEqual([
        ['info', 400, 'listOrders'],
        ['error', 500, 'broken'],
      ]);
    });

    test('events are counted, and a subscription over SSE has one log line at its end', async () => {
      const controller = new AbortController();
      const response = await server.ask('/graphql', {
        method: 'POST',
        headers: { ...events, 'content-type': 'application/json' },
        body: JSON.stringify({ query: 'subscription { orderPlaced { total } }' }),
        signal: controller.signal,
      });
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      const read = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
      let text = await read();
      const open = () => count('gg.subscriptions.open', { 'gg.operation.name': 'orderPlaced', 'gg.protocol': 'sse' });
      expect(await open()).toBe(1);
      await post(server, '/api/placeOrder', { input: { total: 5 } });
      while (!text.includes('"total":5')) text += await read();
      const subscription = { 'gg.operation.name': 'orderPlaced' };
      expect(await count('gg.events.published', subscription)).toBe(1);
      expect(await count('gg.events.delivered', { ...subscription, 'gg.protocol': 'sse' })).toBe(1);
      expect(await count('gg.subscriptions.queued', subscription)).toBe(0);
      expect(access().map(({ operation }) => operation)).toEqual(['placeOrder']);

      await reader.cancel();
      controller.abort();
      await expect.poll(() => access()).toHaveLength(2);
      expect(stable(access()[1])).toMatchObject({
        route: '/graphql',
        protocol: 'sse',
        operation: 'orderPlaced',
        events: 1,
      });
      await expect.poll(() => open()).toBe(0);
      expect(await count('gg.operation.duration', { ...subscription, 'gg.protocol': 'sse' })).toBe(1);
    });

    if (!host.hasNetwork) return;

    test('an operation over WebSocket has one log line at its end, and the same series', async () => {
      const url = `${server.origin.replace('http', 'ws')}/graphql`;
      const client = createSocketClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 });
      for await (const result of client.iterate({ query: '{ greeting { text } }' })) {
        expect(result).toEqual({ data: { greeting: { text: 'Hello' } } });
      }
      const orders = client.iterate({ query: 'subscription { orderPlaced { total } }' });
      const next = orders.next();
      const named = { 'gg.operation.name': 'orderPlaced', 'gg.protocol': 'ws' };
      await expect.poll(() => count('gg.subscriptions.open', named)).toBe(1);
      await post(server, '/api/placeOrder', { input: { total: 6 } });
      expect((await next).value).toEqual({ data: { orderPlaced: { total: 6 } } });
      await orders.return?.();
      await expect.poll(() => access()).toHaveLength(3);
      expect(access().map(stable)).toMatchObject([
        { msg: 'operation', protocol: 'ws', operation: 'greeting', edge: 'root -[:PROCESS]-> greeting' },
        { msg: 'request', protocol: 'rest', operation: 'placeOrder' },
        { msg: 'operation', protocol: 'ws', operation: 'orderPlaced', events: 1 },
      ]);
      expect(await count('gg.operation.requests', { 'gg.operation.name': 'greeting', 'gg.protocol': 'ws' })).toBe(1);
      expect(await count('gg.events.delivered', named)).toBe(1);
      await client.dispose();
    });
  },
};
