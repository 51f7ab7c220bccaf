import { GraphQLError } from 'graphql';
import { createClient as createSocketClient } from 'graphql-ws';
import { afterEach, describe, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import type { HookEvent, HookOperation, HookRequest, ServerHooks } from '../../../src/index.js';
import { ask, get, post } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';
import { conformanceOptions } from '../topology.js';

const greeting = { query: '{ greeting { text } }' };
const placing = 'mutation ($total: Int!) { placeOrder(input: { total: $total }) { id } }';

/** The ways to send an operation, and the protocol that hooks are told. */
type Send = (server: RunningHost, query: string, variables?: object) => Promise<string>;

/** Functions of the program around requests: refusals and observations, for every protocol. */
export const hooks: Topic = {
  name: 'hooks',
  countsRequests: true,
  define(host) {
    afterEach(() => void vi.restoreAllMocks());
    const start = (...given: readonly ServerHooks[]): Promise<RunningHost> =>
      host.start(conformanceOptions({ hooks: given, limits: { masking: true } }));

    const overGraphQL: Send = async (server, query, variables) => (await ask(server, query, variables)).text;
    const overSse: Send = async (server, query, variables) =>
      (await post(server, '/graphql', { query, variables }, { accept: 'text/event-stream' })).text;
    const overWebSocket: Send = async (server, query, variables = {}) => {
      const url = `${server.origin.replace('http', 'ws')}/graphql`;
      const client = createSocketClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 });
      try {
        const request = { query, variables: variables as Record<string, unknown> };
        const results: unknown[] = [];
        for await (const result of client.iterate(request)) results.push(result);
        return JSON.stringify(results);
      } catch (error) {
        return JSON.stringify(error);
      } finally {
        await client.dispose();
      }
    };
    const protocols: readonly (readonly [string, Send])[] = [
      ['graphql', overGraphQL],
      ['sse', overSse],
      ...(host.hasNetwork ? [['ws', overWebSocket] as const] : []),
    ];

    describe('onRequest', () => {
      test('onRequest is called in order with the method, the path, the query, headers and the address', async () => {
        const seen: unknown[] = [];
        const note = (name: string) => ({
          onRequest: ({ method, path, query, header, address }: HookRequest) =>
            void seen.push([name, method, path, query, header('X-User'), header('nothing'), typeof address]),
        });
        const server = await start(note('a'), { onRequest: async () => undefined }, note('b'));
        await get(server, '/api/order?id=1', { headers: { 'x-user': 'Ada' } });
        await ask(server, greeting.query);
        await get(server, '/openapi.json');
        const address = host.hasNetwork ? 'string' : 'undefined';
        expect(seen).toEqual(
          [
            ['GET', '/api/order', 'id=1', 'Ada', undefined, address],
            ['POST', '/graphql', '', undefined, undefined, address],
            ['GET', '/openapi.json', '', undefined, undefined, address],
          ].flatMap((call) => [
            ['a', ...call],
            ['b', ...call],
          ]),
        );
      });

      test('onRequest is not called for health checks', async () => {
        const server = await start({
          onRequest: () => {
            throw new GraphQLError('Closed.');
          },
        });
        expect((await get(server, '/health/live')).status).toBe(200);
        expect((await get(server, '/health/ready')).status).toBe(200);
      });

      test('onRequest rejects with errors in the format of the path', async () => {
        const later = vi.fn();
        const refuse = (extensions?: Record<string, unknown>) => ({
          onRequest: async () => {
            throw new GraphQLError('Not today.', extensions === undefined ? {} : { extensions });
          },
        });
        const forbidden = await start(refuse(), { onRequest: later });
        const rest = await get(forbidden, '/api/greeting');
        expect([rest.status, rest.body]).toEqual([
          403,
          { type: 'about:blank', title: 'Forbidden', status: 403, detail: 'Not today.', code: 'FORBIDDEN' },
        ]);
        const graphql = await post(forbidden, '/graphql', greeting);
        expect([graphql.status, graphql.body]).toEqual([
          403,
          { errors: [{ message: 'Not today.', extensions: { code: 'FORBIDDEN' } }] },
        ]);
        expect(later).not.toHaveBeenCalled();

        const http = { status: 503, headers: { 'Retry-After': '60' } };
        const closed = await start(refuse({ code: 'MAINTENANCE', until: 'noon', http }));
        for (const path of ['/api/greeting', '/graphql?query={greeting{text}}']) {
          const answer = await get(closed, path);
          expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
          expect(answer.text).toContain('MAINTENANCE');
        }
        expect((await get(closed, '/api/greeting')).body.until).toBe('noon');
      });

      test('onRequest rejects before the body is read and the caller is known', async () => {
        const authenticate = vi.fn(() => null);
        const server = await host.start(
          conformanceOptions({
            authenticate,
            hooks: [
              {
                onRequest: () => {
                  throw new GraphQLError('Who?', { extensions: { code: 'UNAUTHENTICATED' } });
                },
              },
            ],
          }),
        );
        expect((await post(server, '/graphql', '{"query":')).status).toBe(401);
        expect(authenticate).not.toHaveBeenCalled();
      });

      test('onRequest answers with a Response', async () => {
        const server = await start({
          onRequest: ({ path }) =>
            path === '/api/greeting'
              ? new Response('Moved.', { status: 308, headers: { location: '/v2/greeting' } })
              : undefined,
        });
        const answer = await get(server, '/api/greeting', { redirect: 'manual' });
        expect([answer.status, answer.headers.get('location'), answer.text]).toEqual([308, '/v2/greeting', 'Moved.']);
        expect((await get(server, '/api/order?id=1')).status).toBe(200);
      });

      test.each([
        ['throws', () => Promise.reject(new Error('password=hunter2'))],
        ['throws at once', () => fail()],
        ['throws a value', () => Promise.reject('password=hunter2')],
        ['returns another value', () => false],
        ['throws an error that cannot be serialized', () => Promise.reject(unwritable())],
      ])('an onRequest that %s becomes a masked error', async (_, onRequest) => {
        const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
        const server = await start({ onRequest: onRequest as never });
        const rest = await get(server, '/api/greeting');
        expect([rest.status, rest.body.detail]).toEqual([500, 'Unexpected error.']);
        const graphql = await post(server, '/graphql', greeting);
        expect([graphql.status, graphql.body.errors[0].extensions.code]).toEqual([500, 'INTERNAL_SERVER_ERROR']);
        expect(rest.text + graphql.text).not.toContain('hunter2');
        expect(log).toHaveBeenCalled();
      });

      if (!host.hasNetwork) return;

      test.each([
        [403, () => Promise.reject(new GraphQLError('Not today.'))],
        [500, () => fail()],
        [503, () => new Response('Closed.', { status: 503 })],
      ])('onRequest rejects WebSocket connections with %i', async (status, onRequest) => {
        vi.spyOn(console, 'error').mockImplementation(() => undefined);
        const server = await start({ onRequest });
        const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
        const message = await new Promise((resolve) => {
          socket.on('error', ({ message }) => resolve(message));
          socket.on('open', () => resolve('open'));
        });
        expect(message).toContain(String(status));
      });
    });

    describe('onOperation', () => {
      test.each(protocols)('onOperation is called before an operation runs: %s', async (protocol, send) => {
        const seen: HookOperation[] = [];
        const server = await start({ onOperation: async (operation) => void seen.push(operation) });
        expect(await send(server, 'query Hi { greeting { text } }')).toContain('Hello');
        await send(server, placing, { total: 5 });
        const common = { principal: null, protocol };
        expect(seen).toEqual([
          { kind: 'query', name: 'greeting', arguments: {}, operationName: 'Hi', ...common },
          {
            kind: 'mutation',
            name: 'placeOrder',
            arguments: { input: { total: 5 } },
            operationName: undefined,
            ...common,
          },
        ]);
      });

      test('onOperation is called before an operation runs: rest', async () => {
        const seen: HookOperation[] = [];
        const server = await start({ onOperation: (operation) => void seen.push(operation) });
        await get(server, '/api/greeting');
        await post(server, '/api/placeOrder', { input: { total: 1 } });
        const common = { operationName: undefined, principal: null, protocol: 'rest' };
        expect(seen).toEqual([
          { kind: 'query', name: 'greeting', arguments: {}, ...common },
          { kind: 'mutation', name: 'placeOrder', arguments: { input: { total: 1 } }, ...common },
        ]);
      });

      test('onOperation is called once for each operation of the topology, in fragments too, and not for introspection', async () => {
        const seen: string[] = [];
        const server = await start({ onOperation: ({ name }) => void seen.push(name) });
        const query = `{ a: greeting { text } ...F ... on Query { whoami { name } } __typename }
          fragment F on Query { b: greeting { text } order(id: "1") { id } ...G }
          fragment G on Query { copy { __typename } }`;
        for (let times = 0; times < 2; times++) await ask(server, query);
        // A race may run its branches.
        const names = ['greeting', 'order', 'copy', 'whoami', 'fastCopy', 'slowCopy'];
        expect(seen).toEqual([...names, ...names]);
      });

      test('onOperation receives the caller, after access was checked', async () => {
        const seen: unknown[] = [];
        const server = await host.start(
          conformanceOptions({
            topologies: [
              {
                name: 'a.gg',
                source: `(root)-[:PROCESS { auth: 'required' }]->(greeting { text: 'Hello' })`,
              },
            ],
            resolvers: {},
            authenticate: ({ header }) => {
              const id = header('x-user');
              return id === undefined ? null : { id };
            },
            hooks: [{ onOperation: ({ principal }) => void seen.push(principal?.id) }],
          }),
        );
        expect((await ask(server, greeting.query)).status).toBe(401);
        expect((await get(server, '/api/greeting')).status).toBe(401);
        expect(seen).toEqual([]);
        await ask(server, greeting.query, {}, { 'x-user': 'ada' });
        await get(server, '/api/greeting', { headers: { 'x-user': 'bob' } });
        expect(seen).toEqual(['ada', 'bob']);
      });

      test.each(protocols)('onOperation rejects before anything runs: %s', async (_, send) => {
        let isOpen = false;
        const server = await start({
          onOperation: ({ name }) => {
            if (name === 'placeOrder' && !isOpen) throw new GraphQLError('Closed.');
          },
        });
        const mutation =
          'mutation { a: placeOrder(input: { total: 1 }) { id } placeOrder(input: { total: 2 }) { id } }';
        const refused = await send(server, mutation);
        expect(refused).toContain('Closed.');
        expect(refused).toContain('FORBIDDEN');
        expect(refused).not.toContain('"http"');
        isOpen = true;
        // The conformance topology has three orders: none was placed before.
        expect(await send(server, placing, { total: 1 })).toContain('"id":"4"');
      });

      test('onOperation rejects with the status of the error, over REST and GraphQL alike', async () => {
        const statuses = [
          [undefined, 403],
          [{ code: 'NOT_FOUND' }, 404],
          [{ code: 'QUOTA', http: { status: 429, headers: { 'retry-after': '9' } } }, 429],
          [{ code: 'ODD', http: { status: 200 } }, 403],
        ] as const;
        for (const [extensions, status] of statuses) {
          const server = await start({
            onOperation: () => {
              throw new GraphQLError('No.', extensions === undefined ? {} : { extensions });
            },
          });
          const rest = await get(server, '/api/greeting');
          const graphql = await ask(server, greeting.query);
          const streamed = await post(server, '/graphql', greeting, { accept: 'text/event-stream' });
          for (const answer of [rest, graphql, streamed]) {
            expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, status === 429 ? '9' : null]);
            expect(answer.text).toContain(extensions?.code ?? 'FORBIDDEN');
            expect(answer.text).toContain('No.');
          }
        }
      });

      test('an onOperation that throws becomes a masked error', async () => {
        const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
        const server = await start({ onOperation: () => fail() });
        const rest = await get(server, '/api/greeting');
        expect([rest.status, rest.body.detail]).toEqual([500, 'Unexpected error.']);
        const texts = [rest.text];
        for (const [, send] of protocols) {
          const text = await send(server, greeting.query);
          expect(text).toContain('INTERNAL_SERVER_ERROR');
          texts.push(text);
        }
        expect(texts.join()).not.toContain('hunter2');
        expect(log).toHaveBeenCalledTimes(texts.length);
      });
    });

    describe('onError', () => {
      test('onError receives masked errors with their place, but no errors for clients', async () => {
        vi.spyOn(console, 'error').mockImplementation(() => undefined);
        const seen: unknown[] = [];
        const server = await start({
          onError: (error, place) => void seen.push([(error as Error).message, place?.coordinate]),
        });
        await ask(server, '{ broken { value } }');
        await get(server, '/api/broken');
        await ask(server, '{ refused(code: "FORBIDDEN") { value } nothing }');
        await get(server, '/api/greeting', { headers: { 'x-user': 'crash' } });
        expect(seen).toEqual([
          ['password=hunter2', 'Query.broken'],
          ['password=hunter2', 'Query.broken'],
          ['session store at 10.0.0.7 is down', undefined],
        ]);
      });

      test('an onError that fails is logged, and the answer is the same', async () => {
        const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
        const seen: unknown[] = [];
        const server = await start(
          { onError: () => fail() },
          { onError: () => Promise.reject(new Error('later')) },
          { onError: (error) => void seen.push((error as Error).message) },
        );
        expect((await get(server, '/api/broken')).body.detail).toBe('Unexpected error.');
        expect(seen).toEqual(['password=hunter2']);
        await expect.poll(() => log).toHaveBeenCalledTimes(3);
      });
    });

    describe('onEvent', () => {
      test('onEvent receives each event that is published', async () => {
        const seen: HookEvent[] = [];
        const server = await start({ onEvent: (event) => void seen.push(event) });
        await post(server, '/api/placeOrder', { input: { total: 5 } });
        await ask(server, placing, { total: 6 });
        expect(seen).toMatchObject([
          { subscription: 'orderPlaced', payload: { id: '4', total: 5 } },
          { subscription: 'orderPlaced', payload: { id: '5', total: 6 } },
        ]);
      });

      test('an onEvent that fails is logged, and the mutation succeeds', async () => {
        const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
        const server = await start({ onEvent: () => fail() }, { onEvent: () => Promise.reject(new Error('later')) });
        expect((await post(server, '/api/placeOrder', { input: { total: 5 } })).status).toBe(200);
        await expect.poll(() => log).toHaveBeenCalledTimes(2);
      });
    });
  },
};

function fail(): never {
  throw new Error('password=hunter2');
}

function unwritable(): GraphQLError {
  const extensions: Record<string, unknown> = { code: 'X' };
  extensions.self = extensions;
  return new GraphQLError('Cyclic.', { extensions });
}
