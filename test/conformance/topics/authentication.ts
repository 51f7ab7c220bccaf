import { inspect } from 'node:util';
import { createClient as createSocketClient } from 'graphql-ws';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { AuthenticationError, type GqlServerOptions, type Principal } from '../../../src/index.js';
import { type Answer, get, post } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';

const source = `
(root)-[:PROCESS { auth: 'optional' }]->(whoami: Record { id: String, context: String })
(root)-[:PROCESS { auth: 'required' }]->(account: Record {
  id: ID!,
  /// @scopes mail:read
  email: String,
})
(root)-[:PROCESS { auth: 'optional' }]->(customer: Record {
  id: ID!,
  /// @auth required
  city: String,
  /// @scopes mail:read
  email: String!,
})
(root)-[:PROCESS { scopes: ['orders:read'], operation: 'orders', returns: [Int!]! }]->(customer)
(new_order: Record { total: Int! })-[:FOLD { scopes: ['orders:write'] }]->(order: Record { total: Int! })
(order)-[:FORK { scopes: ['orders:read'] }]->(order_placed: Event { total: Int! })
`;

/** Callers by their token. */
const principals: Readonly<Record<string, Principal>> = {
  reader: { id: 'ada', scopes: ['orders:read', 'mail:read'] },
  writer: { id: 'bob', scopes: ['orders:write'] },
  plain: { id: 'eve' },
};

const missing = 'Bearer realm="api"';
const invalid = 'Bearer error="invalid_token", error_description="The token is unknown."';
const insufficient = (scopes: string) => `Bearer error="insufficient_scope", scope="${scopes}"`;

/** The callers of operations, over every protocol. */
export const authentication: Topic = {
  name: 'authentication',
  define(host) {
    let ran: string[] = [];
    let server: RunningHost;
    const note = <Value>(name: string, value: Value) => {
      ran.push(name);
      return value;
    };
    const options = (): GqlServerOptions<never> => ({
      topologies: [{ name: 'accounts.gg', source }],
      limits: { batching: 10, masking: true },
      authenticate: ({ header, request }) => {
        const authorization = header('authorization');
        if (authorization === undefined) return null;
        if (authorization === 'Bearer broken') throw new Error('users at 10.0.0.7 are down');
        const found = principals[/^Bearer (\w+)$/.exec(authorization)?.[1] ?? ''];
        if (found === undefined) throw new AuthenticationError('The token is unknown.');
        return authorization.endsWith('reader') ? Promise.resolve(found) : request() && found;
      },
      resolvers: {
        Query: {
          whoami: (_: unknown, __: unknown, { principal, request }: DefaultContext) =>
            note('whoami', { id: principal?.id, context: request.headers.get('x-user') }),
          account: () => note('account', { id: '1', email: 'a@example.com' }),
          customer: () => note('customer', { id: '1', city: 'Bern', email: 'a@example.com' }),
          orders: () => note('orders', [1, 2]),
        },
        Mutation: { order: (_: unknown, { input }: { input: object }) => note('order', input) },
      },
    });
    beforeAll(async () => {
      server = await host.start(options() as never);
    });
    beforeEach(() => {
      ran = [];
    });
    const as = (token: string | undefined): Record<string, string> =>
      token === undefined ? {} : { authorization: `Bearer ${token}` };

    test.each([
      ['the default context', undefined],
      ['a context of the user', () => ({ tenant: 'north' })],
    ])('printing %s shows no credentials', async (_, context) => {
      const printed: string[] = [];
      const { resolvers } = options();
      const whoami = (_root: unknown, _args: unknown, context: object) => {
        printed.push(inspect(context, { depth: 20 }));
        return {};
      };
      const talkative = await host.start({
        ...options(),
        ...(context && { context }),
        resolvers: { ...resolvers, Query: { ...(resolvers as { readonly Query: object }).Query, whoami } },
      } as never);
      await get(talkative, '/api/whoami', { headers: as('reader') });
      await post(talkative, '/graphql', { query: '{ whoami { id } }' }, as('reader'));
      expect(printed).toHaveLength(2);
      for (const text of printed) {
        expect(text).not.toContain('Bearer');
        expect(text.length).toBeLessThan(1_000);
      }
    });

    describe('over REST', () => {
      const problem = (answer: Answer) => {
        const { status, body, headers } = answer;
        expect(headers.get('content-type')).toBe('application/problem+json');
        expect(ran).toEqual([]);
        return {
          status,
          challenge: headers.get('www-authenticate'),
          detail: body.detail,
          code: body.code,
          scopes: body.scopes,
        };
      };

      test('a route rejects unknown callers and callers without its scopes', async () => {
        expect(problem(await get(server, '/api/account'))).toEqual({
          status: 401,
          challenge: missing,
          detail: 'Authentication is required.',
          code: 'UNAUTHENTICATED',
          scopes: undefined,
        });
        expect(problem(await get(server, '/api/orders', { headers: as('plain') }))).toEqual({
          status: 403,
          challenge: insufficient('orders:read'),
          detail: 'The scope orders:read is required.',
          code: 'FORBIDDEN',
          scopes: ['orders:read'],
        });
        expect((await get(server, '/api/orders', { headers: as('reader') })).body).toEqual([1, 2]);
        expect((await get(server, '/api/account', { headers: as('plain') })).body).toEqual({ id: '1' });
      });

      test('public routes also reject invalid credentials', async () => {
        for (const token of ['nobody', 'a b', 'a, Bearer reader', 'é'.normalize()]) {
          for (const path of ['/api/whoami', '/api/account']) {
            const found = problem(await get(server, path, { headers: as(token) }));
            expect(found).toMatchObject({ status: 401, challenge: invalid, detail: 'The token is unknown.' });
          }
        }
        expect((await get(server, '/api/whoami')).body).toEqual({ id: null, context: null });
        expect((await get(server, '/openapi.json', { headers: as('nobody') })).status).toBe(200);
      });

      test('HEAD is answered like GET, and the body of a rejected request is not read', async () => {
        const head = await get(server, '/api/account', { method: 'HEAD' });
        expect([head.status, head.text, head.headers.get('www-authenticate')]).toEqual([401, '', missing]);
        expect(problem(await post(server, '/api/order', { input: 'no object' }, as('plain'))).status).toBe(403);
        expect((await post(server, '/api/order', { input: { total: 1 } }, as('writer'))).body).toEqual({
          total: 1,
        });
      });

      test('fields that require a caller are omitted unless requested', async () => {
        expect((await get(server, '/api/customer')).body).toEqual({ id: '1' });
        ran = [];
        expect(problem(await get(server, '/api/customer?fields=id,city'))).toMatchObject({
          status: 401,
          challenge: missing,
        });
        expect(problem(await get(server, '/api/customer?fields=email', { headers: as('plain') }))).toMatchObject({
          status: 403,
          challenge: insufficient('mail:read'),
          scopes: ['mail:read'],
        });
        const path = '/api/customer?fields=city,email';
        expect((await get(server, path, { headers: as('reader') })).body).toEqual({
          city: 'Bern',
          email: 'a@example.com',
        });
      });

      test('a failing authenticator is a masked server error', async () => {
        const answer = await get(server, '/api/whoami', { headers: as('broken') });
        expect([answer.status, answer.text]).toEqual([500, expect.not.stringContaining('10.0.0.7')]);
      });
    });

    describe('over GraphQL', () => {
      const media = ['application/json', 'application/graphql-response+json', '*/*', 'text/event-stream'];
      const refusals: readonly (readonly [string, string | undefined, number, string, object])[] = [
        ['{ account { id } }', undefined, 401, missing, unauthenticated('Authentication is required.')],
        ['{ mine: account { id } }', undefined, 401, missing, unauthenticated('Authentication is required.')],
        [
          '{ whoami { id } ...F } fragment F on Query { account { id } }',
          undefined,
          401,
          missing,
          unauthenticated('Authentication is required.'),
        ],
        [
          '{ account { email } }',
          'plain',
          403,
          insufficient('mail:read'),
          forbidden('The scope mail:read is required.', 'mail:read'),
        ],
        [
          '{ customer { ... on Customer { post: email @skip(if: true) } } }',
          'writer',
          403,
          insufficient('mail:read'),
          forbidden('The scope mail:read is required.', 'mail:read'),
        ],
        [
          '{ orders account { email } }',
          'plain',
          403,
          insufficient('mail:read orders:read'),
          forbidden('The scopes mail:read and orders:read are required.', 'mail:read', 'orders:read'),
        ],
        [
          'mutation { order(input: { total: 1 }) { total } }',
          'reader',
          403,
          insufficient('orders:write'),
          forbidden('The scope orders:write is required.', 'orders:write'),
        ],
        ['{ whoami { id } }', 'nobody', 401, invalid, unauthenticated('The token is unknown.')],
      ];

      test.each(media)('GraphQL documents are rejected before anything runs (%s)', async (accept) => {
        for (const [query, token, status, challenge, error] of refusals) {
          const answer = await post(server, '/graphql', { query }, { accept, ...as(token) });
          expect([query, answer.status, answer.headers.get('www-authenticate'), answer.body]).toEqual([
            query,
            status,
            challenge,
            { errors: [error] },
          ]);
          expect(ran).toEqual([]);
        }
      });

      test('queries over GET are rejected in the same way', async () => {
        for (const [query, token, status, challenge, error] of refusals) {
          if (query.startsWith('mutation')) continue;
          const answer = await get(server, `/graphql?query=${encodeURIComponent(query)}`, {
            headers: as(token),
          });
          expect([answer.status, answer.headers.get('www-authenticate'), answer.body]).toEqual([
            status,
            challenge,
            { errors: [error] },
          ]);
        }
        expect(ran).toEqual([]);
      });

      test('of the operations of a document, only the one that runs counts', async () => {
        const query = 'query A { whoami { id } } query B { account { id } }';
        const a = await post(server, '/graphql', { query, operationName: 'A' });
        expect([a.status, a.body]).toEqual([200, { data: { whoami: { id: null } } }]);
        expect((await post(server, '/graphql', { query, operationName: 'B' })).status).toBe(401);
      });

      test('introspection does not require a caller', async () => {
        const { body } = await post(server, '/graphql', {
          query: '{ __schema { queryType { name } } __typename }',
        });
        expect(body.data.__schema.queryType.name).toBe('Query');
      });

      test('callers with access get their data, and resolvers get the caller and the request', async () => {
        const query = '{ account { email } orders whoami { id context } }';
        for (const accept of ['application/json', 'application/graphql-response+json']) {
          const answer = await post(server, '/graphql', { query }, { accept, 'x-user': 'x', ...as('reader') });
          expect(answer.body).toEqual({
            data: {
              account: { email: 'a@example.com' },
              orders: [1, 2],
              whoami: { id: 'ada', context: 'x' },
            },
          });
        }
      });

      test('no context is created for a caller without access', async () => {
        let made = 0;
        const context = (_: Request, { principal }: { readonly principal: Principal | null }) => {
          made += 1;
          return { user: (principal as Principal).id };
        };
        const strict = await host.start({ ...options(), context } as never);
        const long = `# ${'x'.repeat(5_000)}`;
        for (const query of ['{ account { id } }', '{ a: account { id } orders }', `{ account { id } } ${long}`]) {
          const path = `/graphql?query=${encodeURIComponent(query)}`;
          const headers = { 'apollo-require-preflight': '1' };
          const answers = [
            await post(strict, '/graphql', { query }),
            await post(strict, '/graphql', { query }, { accept: 'application/graphql-response+json' }),
            await post(strict, '/graphql', { query, extensions: {} }),
            await post(strict, '/graphql', { query }, { accept: 'text/event-stream' }),
            await get(strict, path, { headers }),
          ];
          for (const { status, body } of answers)
            expect([status, body]).toEqual([401, { errors: [unauthenticated('Authentication is required.')] }]);
        }
        expect((await get(strict, '/api/account')).status).toBe(401);
        expect([made, ran]).toEqual([0, []]);
        const answer = await post(strict, '/graphql', { query: '{ account { id } }' }, as('plain'));
        expect([answer.body, made]).toEqual([{ data: { account: { id: '1' } } }, 1]);
        await strict.close();
      });

      test('each operation of a batch is checked', async () => {
        const batch = [{ query: '{ whoami { id } }' }, { query: '{ account { id } }' }, { query: '{ orders }' }];
        const answer = await post(server, '/graphql', batch, as('plain'));
        expect([answer.status, answer.headers.get('www-authenticate'), answer.body]).toEqual([
          200,
          null,
          [
            { data: { whoami: { id: 'eve' } } },
            { data: { account: { id: '1' } } },
            { errors: [forbidden('The scope orders:read is required.', 'orders:read')] },
          ],
        ]);
      });
    });

    describe('of subscriptions', () => {
      const query = 'subscription { orderPlaced { total } }';

      test('SSE without access gets a status before the stream opens', async () => {
        const answer = await post(server, '/graphql', { query }, { accept: 'text/event-stream', ...as('plain') });
        expect([answer.status, answer.headers.get('www-authenticate'), answer.body]).toEqual([
          403,
          insufficient('orders:read'),
          { errors: [forbidden('The scope orders:read is required.', 'orders:read')] },
        ]);
      });

      test('SSE ends with an error when the credentials expire', async () => {
        const started = await host.start({
          ...options(),
          authenticate: () => ({
            id: 'ada',
            scopes: ['orders:read'],
            // The stream has to open before.
            expiresAt: Date.now() / 1000 + 2,
          }),
        } as never);
        const answer = await post(started, '/graphql', { query }, { accept: 'text/event-stream' });
        expect(answer.text).toContain(
          `event: next\ndata: ${JSON.stringify({ errors: [unauthenticated('The credentials have expired.')] })}\n\nevent: complete\n`,
        );
      });

      if (!host.hasNetwork) return;

      test('WebSocket operations are checked one by one', async () => {
        const url = `${server.origin.replace('http', 'ws')}/graphql`;
        const run = async (
          text: string,
          parameters: Record<string, unknown> | undefined,
          headers: Record<string, string> = {},
        ) => {
          class Socket extends WebSocket {
            constructor(address: string, protocols: string) {
              super(address, protocols, { headers });
            }
          }
          const client = createSocketClient({
            url,
            webSocketImpl: Socket,
            retryAttempts: 0,
            ...(parameters && { connectionParams: parameters }),
          });
          try {
            return (await client.iterate({ query: text }).next()).value;
          } catch (errors) {
            return errors;
          } finally {
            await client.dispose();
          }
        };
        expect(await run('{ account { id } }', undefined)).toEqual([unauthenticated('Authentication is required.')]);
        expect(await run('{ account { id } }', as('nobody'))).toEqual([unauthenticated('The token is unknown.')]);
        expect(await run('{ whoami { id } }', as('nobody'))).toEqual([unauthenticated('The token is unknown.')]);
        expect(await run(query, as('plain'))).toEqual([forbidden('The scope orders:read is required.', 'orders:read')]);
        expect(await run('{ whoami { id } }', as('broken'))).toEqual([
          expect.objectContaining({ message: 'Unexpected error.' }),
        ]);
        expect(ran).toEqual([]);
        expect(await run('{ account { id } }', as('plain'))).toEqual({ data: { account: { id: '1' } } });
        expect(await run('{ whoami { id } }', undefined, as('reader'))).toEqual({
          data: { whoami: { id: 'ada' } },
        });
      });
    });
  },
};

interface DefaultContext {
  readonly principal: Principal | null;
  readonly request: Request;
}

function unauthenticated(message: string) {
  return { message, extensions: { code: 'UNAUTHENTICATED' } };
}

function forbidden(message: string, ...scopes: string[]) {
  return { message, extensions: { code: 'FORBIDDEN', scopes } };
}
