import { GraphQLError } from 'graphql';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type GqlServerOptions, signalOf } from '../../../../src/index.js';
import { connectTo, textOf } from '../../mcp/connect.js';
import { ask, post, run, serve } from '../../server/topology-server.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const topology = (settings = '', more = '') => `
  (root)-[:PROCESS { id: ID!, returns: Price, null: 404, throws: [Gone, Down] }]->(price { id: ID!, from: String! })
  (root)-[:PROCESS { id: ID!, day: String! = 'today', returns: Price }]->(cached)
  (price)-[:VENT { fallback: true${settings} }]->(cached)
  (gone: Problem { status: 410 } | down: Problem { status: 503 })
  ${more}
`;

type Resolvers = NonNullable<GqlServerOptions['resolvers']>;
type Resolver = (
  parent: unknown,
  args: { readonly id: string; readonly day: string },
  context: unknown,
  info: Parameters<typeof signalOf>[0],
) => unknown;

const cached: Resolver = (_parent, { id, day }) => ({ id, from: `the cache of ${day}` });
const fromCache = { id: '1', from: 'the cache of today' };

function serverOf(price: unknown, options: Partial<GqlServerOptions> = {}, settings = '', more = '') {
  const { Query, ...others } = (options.resolvers ?? {}) as Record<string, Record<string, unknown>>;
  const resolvers = { Query: { price, cached, ...Query }, ...others } as Resolvers;
  return serve(topology(settings, more), { ...options, resolvers });
}

class Down extends Error {
  override readonly name = 'Down';
}

describe('the fallback of a query', () => {
  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('refused');
      },
    ],
    ['rejects', () => Promise.reject(new Error('refused'))],
    ['returns an error', () => new Error('refused')],
    ['resolves to an error', async () => new Error('refused')],
    [
      'throws what is no error',
      () => {
        throw 'refused';
      },
    ],
    [
      'throws a GraphQLError without a status',
      () => {
        throw new GraphQLError('No.');
      },
    ],
    [
      'throws an error with a status of 500 or more',
      () => {
        throw new GraphQLError('No.', { extensions: { http: { status: 502 } } });
      },
    ],
    [
      'throws a declared error with such a status',
      () => {
        throw new Down('No.');
      },
    ],
    [
      'throws one by its code',
      () => {
        throw new GraphQLError('No.', { extensions: { code: 'DOWN' } });
      },
    ],
  ])('answers over REST and GraphQL when the resolver %s', async (_, price) => {
    const server = serverOf(price);
    expect(await ask(server, '/api/price?id=1')).toMatchObject({ status: 200, body: fromCache });
    const query = '{ one: price(id: "1") { ...P } two: price(id: "2") { from } } fragment P on Price { id from }';
    expect(await run(server, query)).toEqual({
      data: { one: fromCache, two: { from: fromCache.from } },
      errors: undefined,
    });
  });

  test('answers agents, too', async () => {
    vi.useRealTimers();
    const server = serverOf(() => Promise.reject(new Error('refused')), { mcp: { tools: 'operations' } });
    const client = await connectTo(server);
    const result = await client.callTool({ name: 'price', arguments: { id: '1' } });
    expect(textOf(result)).toContain('the cache of today');
    await client.close();
  });

  test.each<[number, unknown]>([
    [400, new GraphQLError('No.', { extensions: { code: 'BAD_USER_INPUT' } })],
    [403, new GraphQLError('No.', { extensions: { code: 'FORBIDDEN' } })],
    [429, new GraphQLError('No.', { extensions: { http: { status: 429 } } })],
    [410, Object.assign(new Error('No.'), { name: 'Gone' })],
    [410, new GraphQLError('No.', { extensions: { code: 'GONE' } })],
    [404, null],
  ])('does not answer in place of a %i', async (status, result) => {
    for (const price of [() => result, async () => result]) {
      expect((await ask(serverOf(price), '/api/price?id=1')).status).toBe(status);
    }
  });

  test('does not answer a call whose arguments are refused, or that succeeds', async () => {
    const server = serverOf({ id: '1', from: 'the shop' });
    expect((await ask(server, '/api/price')).status).toBe(400);
    expect((await ask(server, '/api/price?id=1')).body).toEqual({ id: '1', from: 'the shop' });
  });

  test('gives its own error when it fails, too, and the first failure is reported', async () => {
    const fault = vi.spyOn(console, 'error');
    const failing = () => {
      throw new GraphQLError('The cache is empty.', { extensions: { code: 'NOT_FOUND' } });
    };
    const server = serverOf(() => Promise.reject(new Error('refused')), {
      resolvers: { Query: { cached: failing } },
    });
    expect((await ask(server, '/api/price?id=1')).body).toMatchObject({
      status: 404,
      detail: 'The cache is empty.',
    });
    expect(fault.mock.calls).toEqual([
      ['Query.price (root -[:PROCESS]-> price, test.gg:2:3):', expect.objectContaining({ message: 'refused' })],
    ]);
  });

  test('has a fallback itself, and constants without a resolver', async () => {
    const more = `(root)-[:PROCESS { returns: Price }]->(last)(cached)-[:VENT { fallback: true }]->(last)`;
    const broken = () => Promise.reject(new Error('refused'));
    const last = () => ({ id: '0', from: 'the last resort' });
    const server = serverOf(broken, { resolvers: { Query: { cached: broken, last } } }, '', more);
    expect((await ask(server, '/api/price?id=1')).body).toEqual({ id: '0', from: 'the last resort' });
    expect((await ask(server, '/api/cached?id=1')).body).toEqual({ id: '0', from: 'the last resort' });
    const constant = serve(`
      (root)-[:PROCESS]->(price { id: ID! })
      (root)-[:PROCESS { returns: Default, operation: 'fixed' }]->(default { id: '7' })
      (root)-[:PROCESS { returns: Default }]->(rate)
      (rate)-[:VENT { fallback: true }]->(default)
    `);
    expect((await ask(constant, '/api/rate')).body).toEqual({ id: '7' });
  });

  test('checks its own constraints', async () => {
    const source = `
      (root)-[:PROCESS { code: String!, returns: Price }]->(price { id: ID! })
      (root)-[:PROCESS {
        /// @maxLength 2
        code: String!, returns: Price,
      }]->(cached)
      (price)-[:VENT { fallback: true }]->(cached)`;
    const server = serve(source, {
      resolvers: { Query: { price: () => Promise.reject(new Error('refused')), cached: { id: '1' } } },
    });
    expect((await ask(server, '/api/price?code=ab')).body).toEqual({ id: '1' });
    expect((await ask(server, '/api/price?code=abc')).status).toBe(400);
  });

  test('gets the page of the call, and gives cursors of the query', async () => {
    const source = `
      (root)-[:PROCESS { returns: [Book!]!, page: 2, operation: 'books' }]->(book { id: ID! })
      (root)-[:PROCESS { returns: [Book!]!, page: 2 }]->(copies)
      (book)-[:VENT { fallback: true }]->(copies)`;
    const server = serve(source, {
      resolvers: {
        Query: {
          books: () => Promise.reject(new Error('refused')),
          copies: ['1', '2', '3'].map((id) => ({ id })),
        },
      } as Resolvers,
    });
    const pageAfter = async (after = '') =>
      (await run(server, `{ books${after} { edges { node { id } cursor } } }`)).data.books.edges;
    const [first, second] = await pageAfter();
    expect([first.node, second.node]).toEqual([{ id: '1' }, { id: '2' }]);
    expect(await pageAfter(`(after: "${second.cursor}")`)).toMatchObject([{ node: { id: '3' } }]);
  });
});

/** A resolver that never answers, and its signals. */
function pending() {
  const signals: AbortSignal[] = [];
  const resolve: Resolver = (_parent, _args, _context, info) => {
    signals.push(signalOf(info));
    return new Promise(() => undefined);
  };
  return { resolve, signals };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

describe('a query with a fallback and a time', () => {
  test('is given up when it is late, and its signal is aborted', async () => {
    const { resolve, signals } = pending();
    const server = serverOf(resolve, {}, ', timeoutMs: 50');
    let answer: unknown;
    const asked = run(server, '{ price(id: "1") { id from } }').then((result) => {
      answer = result.data;
    });
    await vi.advanceTimersByTimeAsync(49);
    expect(answer).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await asked;
    expect(answer).toEqual({ price: fromCache });
    expect(signals[0]?.reason).toMatchObject({
      name: 'TimeoutError',
      message: 'price took longer than 50 ms.',
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each(['', ', timeoutMs: 50'])('ends with its client, and nothing falls back%s', async (settings) => {
    const fallback = vi.fn();
    const price: Resolver = (_parent, _args, _context, info) =>
      new Promise((_, reject) => {
        const signal = signalOf(info);
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const server = serverOf(price, { resolvers: { Query: { cached: fallback } } as Resolvers }, settings);
    const client = new AbortController();
    const asked = server.executeOperation({ query: '{ price(id: "1") { id } }', signal: client.signal });
    await settle();
    client.abort();
    expect((await asked).errors).toMatchObject([{ extensions: { code: 'OPERATION_ABORTED' } }]);
    await settle();
    expect(fallback).not.toHaveBeenCalled();
  });

  test('ends with the time of operations, and so does its fallback', async () => {
    const [price, late] = [pending(), pending()];
    const server = serverOf(
      price.resolve,
      { limits: { timeout: 100 }, resolvers: { Query: { cached: late.resolve } } as Resolvers },
      ', timeoutMs: 50',
    );
    const asked = ask(server, '/api/price?id=1');
    await settle();
    await vi.advanceTimersByTimeAsync(100);
    expect(await asked).toMatchObject({ status: 504, body: { code: 'OPERATION_TIMEOUT' } });
    expect([...price.signals, ...late.signals].map(({ aborted }) => aborted)).toEqual([true, true]);
  });
});

describe('a race with a fallback', () => {
  const source = `
    (root)-[:PROCESS]->(near { text: String! } | far { text: String! } | page)
    (near | far)-[:RACE { deadlineMs: 50 }]->(page)
    (root)-[:PROCESS { returns: Near! }]->(spare)`;
  const query = '{ page { __typename ... on Near { text } } }';

  test('gets its value when all branches fail or are late', async () => {
    const { resolve, signals } = pending();
    const far = () => Promise.reject(new Error('refused'));
    const server = serve(`${source}(page)-[:VENT { fallback: true }]->(spare)`, {
      resolvers: { Query: { near: resolve, far, spare: { text: 'spare' } } } as Resolvers,
    });
    const asked = run(server, query);
    await settle();
    await vi.advanceTimersByTimeAsync(50);
    expect((await asked).data).toEqual({ page: { __typename: 'Near', text: 'spare' } });
    expect(signals[0]?.aborted).toBe(true);
    const rest = ask(server, '/api/page');
    await settle();
    await vi.advanceTimersByTimeAsync(50);
    expect((await rest).body).toEqual({ __typename: 'Near', text: 'spare' });
  });

  test('has null of it as null', async () => {
    const nullable = source.replace('Near!', 'Near');
    const failing = () => Promise.reject(new Error('refused'));
    const server = serve(`${nullable}(page)-[:VENT { fallback: true }]->(spare)`, {
      resolvers: { Query: { near: failing, far: failing, spare: async () => null } } as Resolvers,
    });
    expect((await run(server, query)).data).toEqual({ page: null });
  });

  test('is won by the fallback of a branch that fails', async () => {
    const server = serve(`${source}(near)-[:VENT { fallback: true }]->(spare)`, {
      resolvers: {
        Query: {
          near: () => Promise.reject(new Error('refused')),
          far: pending().resolve,
          spare: { text: 'spare' },
        },
      } as Resolvers,
    });
    expect((await run(server, query)).data).toEqual({ page: { __typename: 'Near', text: 'spare' } });
  });
});

describe('a call of a query with a fallback', () => {
  const guarded = (own: string) => `
    (root)-[:PROCESS { returns: Price${own} }]->(price { id: ID! })
    (root)-[:PROCESS { returns: Price, scopes: ['cache:read'] }]->(cached)
    (price)-[:VENT { fallback: true }]->(cached)`;

  test('is refused by the compiler if it demands less than the fallback', () => {
    expect(() => serve(guarded(''))).toThrow(/GG3080.*price → VENT cached \(cache:read\)/s);
  });

  test.each([
    [", scopes: ['cache:read']", 401],
    [", open: 'a cached price is public'", 200],
  ])('demands what the fallback demands, unless it is open%s', async (own, status) => {
    const server = serve(guarded(own), {
      resolvers: { Query: { price: { id: '1' }, cached: { id: '2' } } } as Resolvers,
      authenticate: () => null,
    });
    expect((await ask(server, '/api/price')).status).toBe(status);
  });

  test('shows the fallback to hooks, which may refuse it', async () => {
    const names: string[] = [];
    const onOperation = ({ name }: { readonly name: string }): void => {
      names.push(name);
      if (name === 'cached') throw new GraphQLError('No cache.');
    };
    const server = serverOf({ id: '1', from: 'the shop' }, { hooks: [{ onOperation }] });
    expect((await post(server, '/graphql', { query: '{ price(id: "1") { id } }' })).body.errors).toMatchObject([
      { message: 'No cache.' },
    ]);
    expect(names).toEqual(['price', 'cached']);
  });
});
