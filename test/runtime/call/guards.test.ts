import { GraphQLError } from 'graphql';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { GqlServerOptions, GuardedOperation } from '../../../src/index.js';
import { serve as serveTopology } from '../server/topology-server.js';
import { closeServers, serve, ways } from './ways.js';

afterEach(async () => {
  await closeServers();
  vi.restoreAllMocks();
});

/** Ada may change one thing, and nobody may change more. */
const guards: GqlServerOptions['guards'] = {
  Mutation: {
    change: async ({ arguments: { input }, principal }) =>
      principal?.id === 'ada' && (input as { readonly count: number }).count === 1,
  },
};

describe.each(Object.entries(ways))('a guard of an operation, over %s', (_, ask) => {
  test('admits a caller by its arguments', async () => {
    const { server, ran } = await serve({ guards });
    const change = { name: 'change', as: 'ada' } as const;
    expect(await ask(server, { ...change, args: { input: { count: 1 } } })).toContain('change 1');
    expect([await ask(server, { ...change, args: { input: { count: 2 } } }), ran]).toEqual([
      expect.stringContaining('This caller may not do this.'),
      ['change'],
    ]);
  });

  test('asks an unknown caller to authenticate', async () => {
    const { server, ran } = await serve({ guards });
    expect([await ask(server, { name: 'change', args: { input: { count: 1 } } }), ran]).toEqual([
      expect.stringContaining('Authentication is required.'),
      [],
    ]);
  });

  test('is called before a repeat is answered', async () => {
    let isAdmitted = true;
    const { server, ran } = await serve({
      idempotency: {},
      guards: { Mutation: { change: () => isAdmitted } },
    });
    const change = { name: 'change', args: { input: { count: 1 } }, as: 'ada', key: 'a' } as const;
    await ask(server, change);
    isAdmitted = false;
    expect([await ask(server, change), ran]).toEqual([expect.stringContaining('may not do this'), ['change']]);
  });

  test('that throws hides its error from the client, and nothing runs', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const fail = (): never => {
      throw new Error('the rights of ada are lost');
    };
    const { server, ran } = await serve({
      guards: { Mutation: { change: fail } },
      limits: { masking: true },
    });
    const answer = await ask(server, { name: 'change', args: { input: { count: 1 } }, as: 'ada' });
    expect([answer, ran]).toEqual([expect.not.stringContaining('rights of ada'), []]);
    expect(answer).toContain('INTERNAL_SERVER_ERROR');
  });
});

const source = `
  (user: Record { id: ID!, name: String! })
  (root)-[:PROCESS { operation: 'user', id: ID!, returns: User }]->(user)
  (fast: Record { name: String! })
  (slow: Record { name: String! })
  (root)-[:PROCESS { operation: 'fast' }]->(fast)
  (root)-[:PROCESS { operation: 'slow' }]->(slow)
  (fast | slow)-[:RACE]->(found)
  (root)-[:PROCESS { operation: 'found' }]->(found)
  (user)-[:FORK { operation: 'told', id: ID }]->(user)
`;

function start(guards: GqlServerOptions['guards']) {
  const resolvers = {
    Query: {
      user: (_: unknown, { id }: { readonly id: string }) => ({ id, name: 'Ada' }),
      fast: () => ({ name: 'fast' }),
      slow: () => ({ name: 'slow' }),
    },
  };
  return serveTopology(source, { guards, resolvers } as Partial<GqlServerOptions>);
}

async function codesOf(guards: GqlServerOptions['guards'], query: string) {
  const { data, errors = [] } = await start(guards).executeOperation({ query, principal: { id: 'ada' } });
  return { data: JSON.parse(JSON.stringify(data ?? null)), codes: errors.map((one) => one.extensions.code) };
}

describe('guards', () => {
  const onlyOwn = {
    Query: { user: (asked: GuardedOperation) => asked.arguments.id === asked.principal?.id },
  };

  test('reject a whole document if they reject one of its operations under any alias', async () => {
    expect(await codesOf(onlyOwn, '{ mine: user(id: "ada") { name } }')).toEqual({
      data: { mine: { name: 'Ada' } },
      codes: [],
    });
    expect(
      await codesOf(
        onlyOwn,
        '{ mine: user(id: "ada") { name } ...F } fragment F on Query { a: user(id: "eve") { name } }',
      ),
    ).toEqual({ data: null, codes: ['FORBIDDEN'] });
  });

  test('are called for the queries that a race may run', async () => {
    expect(await codesOf({ Query: { slow: () => false } }, '{ found { __typename } }')).toEqual({
      data: null,
      codes: ['FORBIDDEN'],
    });
  });

  test('are called when a subscription begins', async () => {
    const server = start({ Subscription: { told: ({ arguments: { id } }) => id === 'ada' } });
    const subscribe = (id: string) =>
      server.subscribe({
        query: `subscription { told(id: "${id}") { name } }`,
        principal: { id: 'ada' },
      });
    const started = await subscribe('ada');
    expect(Symbol.asyncIterator in started).toBe(true);
    if (Symbol.asyncIterator in started) await started.return();
    expect(await subscribe('eve')).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
  });

  test('may reject with their own message', async () => {
    const refuse = (): never => {
      throw new GraphQLError('No such user.', { extensions: { code: 'NOT_FOUND' } });
    };
    const server = start({ Query: { user: refuse } });
    const answer = await server.fetch(new Request('http://test.local/api/user?id=1'));
    expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ detail: 'No such user.' })]);
  });

  test('are not called for operations of the program itself', async () => {
    const { errors } = await start({ Query: { user: () => false } }).executeOperation({
      query: '{ user(id: "1") { name } }',
    });
    expect(errors).toBeUndefined();
  });

  test.each([undefined, null, 'yes', 1])('reject with an error if they return %j', async (said) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    expect(await codesOf({ Query: { user: () => said as never } }, '{ user(id: "1") { name } }')).toEqual({
      data: null,
      codes: ['INTERNAL_SERVER_ERROR'],
    });
  });

  test.each([
    [[], 'guards must be an object.'],
    [{ Query: () => true }, 'guards.Query must be an object.'],
    [{ Query: { user: true } }, 'guards.Query.user must be a function.'],
    [{ Query: { usr: () => true } }, 'guards.Query.usr guards nothing: there is no such operation.'],
    [{ User: { name: () => true } }, 'guards.User.name guards nothing: there is no such operation.'],
  ])('cannot be %j', (given, message) => {
    expect(() => start(given as never)).toThrow(new TypeError(message));
  });
});
