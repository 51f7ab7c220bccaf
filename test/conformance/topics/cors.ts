import { expect, test } from 'vitest';
import WebSocket from 'ws';
import { get, post } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';
import { conformanceOptions } from '../topology.js';

const origin = 'https://app.example.com';
const other = 'https://evil.example';
const vary = (answer: { readonly headers: Headers }) => answer.headers.get('vary')?.toLowerCase() ?? '';
const allowed = (answer: { readonly headers: Headers }) => answer.headers.get('access-control-allow-origin');

/** Pages of other origins. */
export const cors: Topic = {
  name: 'CORS',
  define(host) {
    const start = (more: object = {}) =>
      host.start(conformanceOptions({ cors: { origins: [origin], credentials: true, ...more } }));

    test('CORS is off by default', async () => {
      const server = await host.start(conformanceOptions());
      const answer = await get(server, '/api/greeting', { headers: { origin } });
      expect([allowed(answer), vary(answer)]).toEqual([null, expect.not.stringContaining('origin')]);
    });

    test('every answer to a listed origin names it, and every answer varies by origin', async () => {
      const server = await start();
      const answers = async (headers: Record<string, string>) => [
        await get(server, '/api/greeting', { headers }),
        await get(server, '/api/greeting', { method: 'HEAD', headers }),
        await get(server, '/api/missing', { headers }),
        await get(server, '/api/broken', { headers }),
        await get(server, '/api/greeting', { method: 'DELETE', headers }),
        await get(server, '/openapi.json', { headers }),
        await get(server, '/health/live', { headers }),
        await get(server, '/', { headers }),
        await post(server, '/api/placeOrder', '{', headers),
        await post(server, '/graphql', { query: '{ greeting { text } }' }, headers),
        await post(server, '/graphql', { query: '{ nothing }' }, headers),
        await post(server, '/graphql', { query: '{ greeting { text } }' }, { ...headers, accept: 'text/event-stream' }),
      ];
      for (const answer of await answers({ origin })) {
        expect(allowed(answer)).toBe(origin);
        expect(answer.headers.get('access-control-allow-credentials')).toBe('true');
        expect(answer.headers.get('access-control-expose-headers')).toContain('Link');
        expect(vary(answer)).toContain('origin');
      }
      for (const answer of [...(await answers({})), ...(await answers({ origin: `${origin}.evil.example` }))]) {
        expect(allowed(answer)).toBeNull();
        expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
        expect(vary(answer)).toContain('origin');
      }
    });

    test('Vary keeps its other names', async () => {
      const server = await start();
      const query = `/graphql?query=${encodeURIComponent('{ greeting { text } }')}`;
      const answer = await get(server, query, { headers: { origin } });
      expect(answer.status).toBe(200);
      expect(vary(answer)).toContain('accept');
      expect(vary(answer)).toContain('origin');
    });

    test('a preflight request is answered with the methods of the path', async () => {
      const server = await start({ maxAge: 60 });
      const headers = {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type, idempotency-key',
      };
      const answer = await get(server, '/api/placeOrder', { method: 'OPTIONS', headers });
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(answer.headers.get('access-control-allow-methods')).toBe('POST, OPTIONS');
      expect(answer.headers.get('access-control-allow-headers')).toBe('content-type, idempotency-key');
      expect(answer.headers.get('access-control-max-age')).toBe('60');
      expect([allowed(answer), vary(answer)]).toEqual([origin, expect.stringContaining('origin')]);
      const missing = await get(server, '/api/missing', { method: 'OPTIONS', headers });
      expect([missing.status, allowed(missing)]).toEqual([404, origin]);
      const refused = await get(server, '/api/placeOrder', {
        method: 'OPTIONS',
        headers: { ...headers, origin: other },
      });
      expect([refused.status, allowed(refused)]).toEqual([204, null]);
      expect(refused.headers.get('access-control-allow-methods')).toBeNull();
    });

    test('a preflight request grants no more than the listed headers', async () => {
      const server = await start({ headers: ['content-type'] });
      const headers = {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-other',
      };
      const answer = await get(server, '/graphql', { method: 'OPTIONS', headers });
      expect(answer.headers.get('access-control-allow-headers')).toBe('content-type');
    });

    test('the origin null is allowed only if listed', async () => {
      const without = await get(await start(), '/api/greeting', { headers: { origin: 'null' } });
      expect(allowed(without)).toBeNull();
      const server = await start({ origins: ['null'] });
      expect(allowed(await get(server, '/api/greeting', { headers: { origin: 'null' } }))).toBe('null');
    });

    test('the origin * allows all origins, without credentials and without Vary', async () => {
      const server = await start({ origins: '*', credentials: false });
      const answer = await get(server, '/api/greeting', { headers: { origin: other } });
      expect([allowed(answer), vary(answer)]).toEqual(['*', expect.not.stringContaining('origin')]);
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      await expect(start({ origins: '*' })).rejects.toThrow('cors.credentials must be false');
    });

    test('requests from listed origins pass the check of forged requests, others do not', async () => {
      const query = `/graphql?query=${encodeURIComponent('{ greeting { text } }')}`;
      const site = { 'sec-fetch-site': 'cross-site' };
      const server = await start();
      const statusOf = async (from: string, target: RunningHost = server) =>
        (await get(target, query, { headers: { ...site, origin: from } })).status;
      expect(await statusOf(origin)).toBe(200);
      expect(await statusOf(other)).toBe(400);
      expect(await statusOf(other, await start({ origins: '*', credentials: false }))).toBe(400);
      const empty = (from: string) =>
        get(server, '/api/placeOrder', { method: 'POST', headers: { ...site, origin: from } });
      // The resolver needs an input, and fails without one.
      expect([(await empty(origin)).status, (await empty(other)).status]).toEqual([500, 415]);
    });

    test('WebSockets open for listed origins', async () => {
      if (!host.hasNetwork) return;
      const server = await start();
      expect(await openedFrom(server, origin)).toBe(true);
      expect(await openedFrom(server, other)).toBe(false);
      expect(await openedFrom(await start({ origins: '*', credentials: false }), other)).toBe(false);
    });
  },
};

function openedFrom(server: RunningHost, from: string): Promise<boolean> {
  const url = `${server.origin.replace('http', 'ws')}/graphql`;
  const socket = new WebSocket(url, 'graphql-transport-ws', { origin: from });
  return new Promise((resolve) => {
    socket.once('open', () => {
      socket.close();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
