import { createClient } from 'graphql-ws';
import { beforeEach, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { AuthenticationError, type Credentials, type GqlServerOptions, type RateLimit } from '../../../src/index.js';
import { ask, get, post } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';
import { conformanceOptions } from '../topology.js';

const query = '{ greeting { text } }';

/** Limits on the number of requests. */
export const rates: Topic = {
  name: 'rate limits',
  countsRequests: true,
  define(host) {
    const start = (...rateLimits: readonly RateLimit[]) =>
      host.start(conformanceOptions({ rateLimits, trustedProxies: ['loopback', 'unix'], limits: { batching: 5 } }));
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

    test('a rate limit answers with the status, the headers and the format of the path', async () => {
      const server = await start({ limit: 2, per: '1h', by: 'address' });
      const first = await get(server, '/api/greeting');
      expect(first.headers.get('ratelimit-policy')).toBe('"address";q=2;w=3600');
      expect(first.headers.get('ratelimit')).toMatch(/^"address";r=1;t=\d+$/);
      expect((await ask(server, query)).headers.get('ratelimit')).toMatch(/^"address";r=0;t=\d+$/);
      const rest = await get(server, '/api/greeting');
      expect([rest.status, rest.body]).toEqual([
        429,
        {
          type: 'about:blank',
          title: 'Too Many Requests',
          status: 429,
          detail: 'Too many requests: at most 2 in 3600 s (address).',
          code: 'RATE_LIMITED',
        },
      ]);
      expect(rest.headers.get('content-type')).toContain('application/problem+json');
      expect(rest.headers.get('ratelimit')).toMatch(/^"address";r=0;t=\d+$/);
      const wait = Number(rest.headers.get('retry-after'));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(3600);
      const graphql = await ask(server, query);
      expect([graphql.status, graphql.headers.get('retry-after')]).toEqual([429, expect.any(String)]);
      expect((await get(server, '/api/missing')).status).toBe(429);
    });

    test('a rate limit answers GraphQL with errors that have a code', async () => {
      const server = await start({ limit: 1, per: '1h', by: 'principal' });
      await ask(server, query);
      for (const accept of ['application/json', 'text/event-stream', 'application/graphql-response+json']) {
        const { status, body } = await post(server, '/graphql', { query }, { accept });
        expect([status, body?.errors[0].extensions]).toEqual([429, { code: 'RATE_LIMITED' }]);
      }
      expect((await get(server, '/api/greeting')).body.code).toBe('RATE_LIMITED');
    });

    test('addresses are counted apart, and those of an IPv6 network together', async () => {
      const server = await start({ limit: 1, per: '1h', by: 'address' });
      const statusOf = async (address: string) => (await get(server, '/api/greeting', from(address))).status;
      expect(await statusOf('203.0.113.1')).toBe(200);
      expect(await statusOf('203.0.113.1')).toBe(429);
      expect(await statusOf('203.0.113.2')).toBe(200);
      expect(await statusOf('2001:db8:1:2::1')).toBe(200);
      expect(await statusOf('2001:db8:1:2:ffff::9')).toBe(429);
      expect(await statusOf('2001:db8:1:3::1')).toBe(200);
    });

    test('a function determines the counted unit, and undefined is not counted', async () => {
      const by: RateLimit['by'] = ({ header }) => header('x-user');
      const server = await start({
        limit: 1,
        per: '1h',
        by: (client) => by({ ...client, header: (name) => client.header(name) }),
      });
      const statusOf = async (user?: string) =>
        (await get(server, '/api/greeting', user === undefined ? {} : { headers: { 'x-user': user } })).status;
      expect([await statusOf('ada'), await statusOf('ada'), await statusOf('bob')]).toEqual([200, 429, 200]);
      expect([await statusOf(), await statusOf()]).toEqual([200, 200]);
    });

    describe('on a server that rejects callers', () => {
      let checked = 0;
      beforeEach(() => {
        checked = 0;
      });
      const authenticate = ({ header }: Credentials) => {
        const id = header('authorization');
        if (id === undefined) return null;
        checked += 1;
        if (id === 'forged') throw new AuthenticationError('The token is unknown.');
        return { id, scopes: id === 'ada' ? ['totals'] : [] };
      };
      const source = "(root)-[:PROCESS { scopes: ['totals'] }]->(total: Record { sum: Int })";
      const startGuarded = (...rateLimits: readonly RateLimit[]) =>
        host.start({
          topologies: [{ name: 'totals.gg', source }],
          resolvers: { Query: { total: () => ({ sum: 1 }) } },
          authenticate,
          trustedProxies: ['loopback', 'unix'],
          rateLimits,
        } as GqlServerOptions<never>);
      const calls = {
        'over REST': (server: RunningHost, headers: Record<string, string>) => get(server, '/api/total', { headers }),
        'over GraphQL': (server: RunningHost, headers: Record<string, string>) =>
          ask(server, '{ total { sum } }', undefined, headers),
      };

      describe.each(Object.entries(calls))('%s', (_, call) => {
        const statuses = async (server: RunningHost, count: number, ...[address, id]: [string, string?]) => {
          const headers = { 'x-forwarded-for': address, ...(id && { authorization: id }) };
          const all: number[] = [];
          for (let at = 0; at < count; at += 1) all.push((await call(server, headers)).status);
          return all;
        };

        test('forged credentials are counted by address before they are checked', async () => {
          const server = await startGuarded({ limit: 2, per: '1h', by: 'address' });
          expect(await statuses(server, 4, '203.0.113.1', 'forged')).toEqual([401, 401, 429, 429]);
          expect(checked).toBe(2);
        });

        test('callers without access are counted by principal, wherever they come from', async () => {
          const server = await startGuarded({ limit: 2, per: '1h', by: 'principal' });
          expect(await statuses(server, 3, '203.0.113.1', 'bob')).toEqual([403, 403, 429]);
          expect(await statuses(server, 1, '203.0.113.2', 'bob')).toEqual([429]);
          expect(await statuses(server, 3, '203.0.113.1', 'ada')).toEqual([200, 200, 429]);
        });

        test('unknown callers and forged credentials are counted by address', async () => {
          const server = await startGuarded({ limit: 2, per: '1h', by: 'principal' });
          expect(await statuses(server, 1, '203.0.113.1')).toEqual([401]);
          expect(await statuses(server, 2, '203.0.113.1', 'forged')).toEqual([401, 429]);
          expect(await statuses(server, 1, '203.0.113.2', 'forged')).toEqual([401]);
          expect(await statuses(server, 1, '203.0.113.1', 'ada')).toEqual([200]);
        });
      });

      test('rejected operations of a WebSocket are counted by principal', async () => {
        if (!host.hasNetwork) return;
        const server = await startGuarded({ limit: 2, per: '1h', by: 'principal' });
        const codes = { forged: 'UNAUTHENTICATED', bob: 'FORBIDDEN' };
        for (const [id, code] of Object.entries(codes)) {
          const client = socketTo(server, id);
          const answers = [];
          for (const text of ['{ total { sum } }', '{ total { sum } }', '{ wrong }'])
            answers.push(await client.ask(text));
          expect(answers).toMatchObject(
            [code, code, 'RATE_LIMITED'].map((expected) => [{ extensions: { code: expected } }]),
          );
          client.close();
        }
      });
    });

    test('several rate limits are counted and stated together', async () => {
      const server = await start(
        { limit: 9, per: 60, by: 'address' },
        { limit: 5, per: '1d', by: 'principal', name: 'daily' },
      );
      const { headers } = await get(server, '/api/greeting');
      expect(headers.get('ratelimit-policy')).toBe('"address";q=9;w=60, "daily";q=5;w=86400');
      expect(headers.get('ratelimit')).toMatch(/^"address";r=8;t=\d+, "daily";r=4;t=\d+$/);
    });

    test('each field of a document is counted as an operation, over every protocol', async () => {
      const limit = { limit: 3, per: '1h', by: 'address', operations: ['greeting', 'placeOrder'] } as const;
      const server = await start(limit);
      expect((await get(server, '/api/copy')).headers.get('ratelimit')).toBeNull();
      expect((await get(server, '/api/greeting')).status).toBe(200);
      const twice = await ask(
        server,
        '{ a: greeting { text } ...on Query { ...more } } fragment more on Query { copy { from } }'.replace(
          '{ from }',
          '{ __typename }',
        ),
      );
      expect(twice.status).toBe(200);
      expect(twice.headers.get('ratelimit')).toMatch(/;r=1;/);
      expect((await ask(server, '{ a: greeting { text } b: greeting { text } }')).status).toBe(429);
      expect((await post(server, '/api/placeOrder', { input: { total: 1 } })).status).toBe(429);
      expect((await ask(server, '{ copy { __typename } }')).status).toBe(200);
      expect((await get(server, `/graphql?query=${encodeURIComponent(query)}`)).status).toBe(429);
    });

    test('each operation of a batch is counted', async () => {
      const server = await start({ limit: 3, per: '1h', by: 'address' });
      expect((await post(server, '/graphql', [{ query }, { query }])).status).toBe(200);
      expect((await post(server, '/graphql', [{ query }, { query }])).status).toBe(429);
    });

    test('preflight requests and health checks are not counted', async () => {
      const server = await start({ limit: 1, per: '1h', by: 'address' });
      for (let at = 0; at < 3; at += 1) {
        expect((await get(server, '/api/greeting', { method: 'OPTIONS' })).status).toBe(204);
        expect((await get(server, '/health/ready')).status).toBe(200);
      }
      expect((await get(server, '/api/greeting')).status).toBe(200);
    });

    test('messages of a WebSocket are counted, and so is its connection', async () => {
      if (!host.hasNetwork) return;
      const server = await start({ limit: 3, per: '1h', by: 'address' });
      const client = socketTo(server);
      const first = await client.ask(query);
      expect(first).toMatchObject({ data: { greeting: { text: 'Hello' } } });
      await client.ask(query);
      expect(await client.ask(query)).toMatchObject([
        { extensions: { code: 'RATE_LIMITED', retryAfter: expect.any(Number) } },
      ]);
      client.close();
      const refused = new WebSocket(`${server.origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
      const [status, wait] = await new Promise<[number | undefined, unknown]>((resolve) => {
        refused.once('unexpected-response', (_, { statusCode, headers }) =>
          resolve([statusCode, headers['retry-after']]),
        );
        refused.once('open', () => resolve([101, undefined]));
      });
      expect([status, Number(wait) > 0]).toEqual([429, true]);
    });

    test('operations of a WebSocket are counted by principal', async () => {
      if (!host.hasNetwork) return;
      const authenticate = ({ header }: Credentials) => ({ id: header('authorization') ?? 'nobody' });
      const rateLimits = [{ limit: 1, per: '1h', by: 'principal' }] as const;
      const server = await host.start(conformanceOptions({ authenticate, rateLimits }));
      const [ada, bob] = [socketTo(server, 'ada'), socketTo(server, 'bob')];
      expect(await ada.ask(query)).toHaveProperty('data');
      expect(await ada.ask(query)).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }]);
      expect(await bob.ask(query)).toHaveProperty('data');
      ada.close();
      bob.close();
    });

    test('an unknown operation in the option is an error', async () => {
      await expect(start({ limit: 1, per: 1, by: 'address', operations: ['greting'] })).rejects.toThrow(
        'rateLimits[0].operations must name operations, and greting is none; did you mean greeting?.',
      );
    });
  },
};

/** A client over WebSocket; errors of an operation are its result. */
function socketTo({ origin }: RunningHost, authorization?: string) {
  const url = `${origin.replace('http', 'ws')}/graphql`;
  const client = createClient({
    url,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    lazy: false,
    connectionParams: { authorization },
  });
  return {
    ask: (text: string): Promise<unknown> =>
      new Promise((resolve) => {
        let last: unknown;
        client.subscribe(
          { query: text },
          { next: (result) => (last = result), error: resolve, complete: () => resolve(last) },
        );
      }),
    close: () => void client.dispose(),
  };
}
