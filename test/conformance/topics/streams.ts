import { GraphQLError } from 'graphql';
import { beforeEach, expect, test } from 'vitest';
import { get, post } from '../client.js';
import { drainAtOnce } from '../drain-at-once.js';
import { EventReader } from '../event-reader.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';
import { conformanceOptions } from '../topology.js';

const source = `
(new_order: Record { total: Int!, place: String })-[:FOLD]->(place_order: Record { id: ID!, total: Int!, place: String })
(place_order)-[:FORK { total: Int }]->(order_placed: Event { id: ID!, total: Int!, place: Place })
(place: Record { name: String! })
(place_order)-[:FORK]->(order_noted: Event { id: ID!, note: String })
(root)-[:PROCESS { operation: 'orderNoted', returns: String! }]->(place)
(root)-[:PROCESS { operation: 'orders', returns: [ID!]! }]->(place)
`;

/** The options of a server of its own data. */
const options = (more: Parameters<typeof conformanceOptions>[0] = {}) =>
  conformanceOptions({
    topologies: [{ name: 'streams.gg', source }],
    resolvers: {
      Query: { orderNoted: () => 'a note', orders: () => [] },
      Mutation: {
        placeOrder: (_: unknown, { input }: { input: { total: number; place: string } }) => ({
          id: String(input.total),
          ...input,
        }),
      },
      OrderPlaced: { place: ({ place }: { place: string }) => ({ name: place }) },
      OrderNoted: {
        note: ({ total }: { total: number }) => {
          if (total < 0) throw new GraphQLError('No note.', { extensions: { code: 'FORBIDDEN' } });
          return `${total}`;
        },
      },
    },
    ...more,
  });

/** FORK edges over REST: `GET /api/{subscription}`. */
export const streams: Topic = {
  name: 'streams',
  define(host) {
    /** A new server for each test, so that no test hears events of another. */
    let server: RunningHost;
    /** The number of listeners for events of this server. */
    let listeners: { open: number };
    beforeEach(async () => {
      const counted = { open: 0 };
      listeners = counted;
      const events = new EventTarget();
      const add = events.addEventListener.bind(events);
      const remove = events.removeEventListener.bind(events);
      events.addEventListener = (...args: Parameters<typeof add>) => {
        counted.open += 1;
        add(...args);
      };
      events.removeEventListener = (...args: Parameters<typeof remove>) => {
        counted.open -= 1;
        remove(...args);
      };
      server = await host.start(options({ events }));
    });
    const place = (total: number) => post(server, '/api/placeOrder', { input: { total, place: 'Here' } });
    const follow = async (path: string, headers: Record<string, string> = {}) => {
      const response = await server.ask(path, { headers: { accept: 'text/event-stream', ...headers } });
      const { status } = response;
      expect([status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
      expect(response.headers.get('cache-control')).toBe('no-cache');
      return new EventReader(response);
    };
    const dataOf = async (reader: EventReader): Promise<unknown> => {
      const found = await reader.next();
      expect(found?.event).toBe('message');
      return JSON.parse(found?.data ?? '');
    };

    test('an event of a stream is the value of the field, and the stream is cut when the server drains', async () => {
      const reader = await follow('/api/orderPlaced');
      expect((await place(5)).status).toBe(200);
      expect(await dataOf(reader)).toEqual({ id: '5', total: 5, place: { name: 'Here' } });
      const drained = drainAtOnce(server);
      await expect(reader.next()).rejects.toThrow();
      await drained;
    });

    test('the query string of a stream has the filters, and narrows the events', async () => {
      const reader = await follow('/api/orderPlaced?total=7&fields=place.name,total');
      for (const total of [6, 7]) await place(total);
      expect(await dataOf(reader)).toEqual({ place: { name: 'Here' }, total: 7 });
      await reader.cancel();
    });

    test.each([
      ['total=seven', 'total'],
      ['total=1&total=2', 'total'],
      ['totl=1', 'totl'],
      ['fields=nothing', 'fields'],
      ['after=1&after=2', 'after'],
    ])('the query string %s is rejected before the stream begins', async (query, parameter) => {
      const refused = await get(server, `/api/orderPlaced?${query}`, {
        headers: { accept: 'text/event-stream' },
      });
      expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
      expect(refused.body).toMatchObject({ status: 400, parameter });
      expect(listeners.open).toBe(0);
    });

    test('an event with errors is a problem, and the stream continues', async () => {
      const reader = await follow('/api/orderNoted');
      await place(-1);
      await place(2);
      const failed = await reader.next();
      expect(failed?.event).toBe('error');
      expect(JSON.parse(failed?.data ?? '')).toEqual({
        type: 'about:blank',
        title: 'Forbidden',
        status: 403,
        detail: 'No note.',
        code: 'FORBIDDEN',
      });
      expect(await dataOf(reader)).toEqual({ id: '2', note: '2' });
      await reader.cancel();
    });

    test.each([undefined, '*/*', 'text/*', 'application/json, text/event-stream;q=0.1'])(
      'Accept %s allows the stream',
      async (accept) => {
        const headers: Record<string, string> = accept === undefined ? {} : { accept };
        const response = await server.ask('/api/orderPlaced', { headers });
        expect(response.status).toBe(200);
        await response.body?.cancel();
      },
    );

    test.each(['application/json', 'text/html', 'text/event-stream;q=0', '*/*, text/event-stream;q=0'])(
      'Accept %s gets 406',
      async (accept) => {
        const refused = await get(server, '/api/orderPlaced', { headers: { accept } });
        expect([refused.status, refused.headers.get('content-type')]).toEqual([406, 'application/problem+json']);
        expect(listeners.open).toBe(0);
      },
    );

    test.each(['HEAD', 'POST', 'PUT', 'DELETE'])('%s gets 405', async (method) => {
      const refused = await get(server, '/api/orderPlaced', { method });
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, OPTIONS']);
    });

    test('OPTIONS lists the methods of a stream', async () => {
      const answer = await get(server, '/api/orderPlaced', { method: 'OPTIONS' });
      expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'GET, OPTIONS']);
    });

    test('a query of the same name answers clients that do not prefer events', async () => {
      for (const accept of ['application/json', '*/*', 'application/json, text/event-stream']) {
        const answer = await get(server, '/api/orderNoted', { headers: { accept } });
        expect([answer.status, answer.body, answer.headers.get('vary')]).toEqual([200, 'a note', 'Accept']);
      }
      const head = await get(server, '/api/orderNoted', { method: 'HEAD' });
      expect([head.status, head.text]).toEqual([200, '']);
      const reader = await follow('/api/orderNoted');
      await reader.cancel();
    });

    test('an error of the context is a problem with its status', async () => {
      const headers = { accept: 'text/event-stream', 'x-user': 'nobody' };
      const refused = await get(server, '/api/orderPlaced', { headers });
      expect([refused.status, refused.body.code]).toEqual([401, 'UNAUTHENTICATED']);
    });

    test('a client resumes after an event by its id, which the header names before the parameter', async () => {
      server = await host.start(options());
      const reader = await follow('/api/orderPlaced');
      const placed = [];
      for (const total of [1, 2]) {
        await place(total);
        placed.push(await reader.next());
      }
      await reader.cancel();
      const [first, second] = placed.map((event) => event?.id);
      expect([first, second, new Set([first, second]).size]).toEqual([expect.any(String), expect.any(String), 2]);
      await place(3);
      const resumed = async (query: string, headers: Record<string, string> = {}) => {
        const again = await follow(`/api/orderPlaced${query}`, headers);
        const event = await again.next();
        await again.cancel();
        return [event?.id, JSON.parse(event?.data ?? 'null').total];
      };
      const afterFirst = `?after=${encodeURIComponent(first ?? '')}`;
      expect(await resumed(afterFirst)).toEqual([second, 2]);
      expect(await resumed('', { 'last-event-id': first ?? '' })).toEqual([second, 2]);
      expect((await resumed(afterFirst, { 'last-event-id': second ?? '' }))[1]).toBe(3);
      expect((await resumed(`${afterFirst}&total=3`))[1]).toBe(3);
      const forged = await get(server, '/api/orderPlaced?after=forged');
      expect([forged.status, forged.body.code]).toEqual([400, 'INVALID_EVENT_ID']);
    });

    test.each(['/api/orderPlaced', '/graphql?query=subscription{orderPlaced{total}}'])(
      'a client of %s that is cut before its first event resumes where it began',
      async (path) => {
        server = await host.start(options());
        await place(1);
        const cut = await follow(path);
        const opening = await cut.block();
        expect([...(opening?.keys() ?? [])]).not.toContain('data');
        await cut.cancel();
        await place(2);
        const again = await follow(path, { 'last-event-id': cut.lastId ?? '' });
        expect((await again.next())?.data).toContain('"total":2');
        await place(3);
        expect((await again.next())?.data).toContain('"total":3');
        await again.cancel();
      },
    );

    test('a stream whose events are not kept opens without an id', async () => {
      const reader = await follow('/api/orderPlaced');
      expect([...((await reader.block()) ?? [])]).toEqual([[':', expect.anything()]]);
      await reader.cancel();
    });

    test('an id is rejected if the events are not kept', async () => {
      const refused = await get(server, '/api/orderPlaced', { headers: { 'last-event-id': 'a:1' } });
      expect([refused.status, refused.body.code]).toEqual([400, 'EVENTS_NOT_KEPT']);
    });

    test('a client that disconnects ends its subscription', async () => {
      const reader = await follow('/api/orderPlaced');
      expect(listeners.open).toBe(1);
      await reader.cancel();
      await expect.poll(() => listeners.open).toBe(0);
    });
  },
};
