import { beforeAll, expect, test } from 'vitest';
import { sendRaw } from '../../attack/wire.js';
import { get, post } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';
import { conformanceOptions } from '../topology.js';

/** The REST routes. */
export const rest: Topic = {
  name: 'REST',
  define(host) {
    let server: RunningHost;
    beforeAll(async () => {
      server = await host.start(conformanceOptions());
    });

    test('REST answers a query with its value', async () => {
      const { status, headers, body } = await get(server, '/api/order?id=2');
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(body).toEqual({ id: '2', total: 12, state: 'SHIPPED', note: 'gift', tags: [] });
      expect((await get(server, '/api/order?id=99')).text).toBe('null');
    });

    test('REST applies defaults, and parses scalars, lists and objects of the query string', async () => {
      expect((await get(server, '/api/listOrders?fields=id')).body).toEqual([{ id: '1' }, { id: '3' }]);
      expect((await get(server, '/api/listOrders?fields=id&first=1')).body).toEqual([{ id: '1' }]);
      const { body } = await get(server, '/api/findOrders?at[latitude]=1.5&at[longitude]=2&tags=a&tags=b');
      expect(JSON.parse(body[0])).toEqual({ at: { latitude: 1.5, longitude: 2 }, tags: ['a', 'b'] });
      const tagsOf = async (query: string) => JSON.parse((await get(server, `/api/findOrders${query}`)).body[0]).tags;
      expect(await tagsOf('?tags=')).toEqual([]);
      expect(await tagsOf('?tags=&tags=a')).toEqual(['', 'a']);
      expect(await tagsOf('')).toBeUndefined();
    });

    test('REST runs a mutation over POST', async () => {
      const { status, body } = await post(server, '/api/placeOrder', { input: { total: 8 } });
      expect([status, body]).toEqual([200, { id: '4', total: 8 }]);
      expect((await get(server, '/api/order?id=4')).body.total).toBe(8);
    });

    test('REST answers HEAD like GET, without a body', async () => {
      const [head, whole] = [
        await get(server, '/api/order?id=1', { method: 'HEAD' }),
        await get(server, '/api/order?id=1'),
      ];
      expect([head.status, head.text]).toEqual([200, '']);
      expect(head.headers.get('content-length')).toBe(whole.headers.get('content-length'));
      expect(head.headers.get('content-length')).toBe(String(whole.text.length));
    });

    test('REST answers OPTIONS and wrong methods with the allowed methods', async () => {
      const options = await get(server, '/api/order', { method: 'OPTIONS' });
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
      const wrong = await get(server, '/api/order?id=1', { method: 'DELETE' });
      expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect((await get(server, '/api/placeOrder')).headers.get('allow')).toBe('POST, OPTIONS');
    });

    test('REST gives resolvers the context of the request', async () => {
      const { body } = await get(server, '/api/whoami', { headers: { 'x-user': 'ada' } });
      expect(body).toEqual({ name: 'ada' });
    });

    test('REST is not reachable by a path that a framework in front routes elsewhere', async () => {
      if (!/Alpha on (?:Express|Fastify)/.test(host.name)) return;
      const { origin } = server;
      const port = Number(new URL(origin).port);
      for (const path of ['/public/../api/greeting', '/public/%2e%2e/api/greeting']) {
        expect(await sendRaw({ origin, port }, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)).toBe(404);
      }
    });
  },
};
