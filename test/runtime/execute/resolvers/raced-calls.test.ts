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

const topology = (policy: string, more = '') => `
  (near { text: String! } | far { text: String! })-[:RACE { ${policy} }]->(page { text: String! })
  (root)-[:PROCESS]->(near | far | page)
  ${more}
`;
const query = '{ page { __typename ... on Near { text } ... on Far { text } } }';

type Resolver = (parent: unknown, args: object, context: unknown, info: Parameters<typeof signalOf>[0]) => unknown;

/** Resolvers that never answer. They tell when they have started, and which of their signals are aborted. */
function pending() {
  const signals: AbortSignal[] = [];
  let begin: () => void = () => undefined;
  const started = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const resolve: Resolver = (_parent, _args, _context, info) => {
    signals.push(signalOf(info));
    begin();
    return new Promise(() => undefined);
  };
  return { resolve, signals, started };
}

const failing = () => {
  throw new GraphQLError('No page.', { extensions: { code: 'NO_PAGE' } });
};

describe('a race whose branches are all late', () => {
  async function late(policy: string, options: Partial<GqlServerOptions> = {}) {
    const branch = pending();
    const server = serve(topology(policy), {
      ...options,
      resolvers: { Query: { near: branch.resolve, far: branch.resolve } },
    });
    /** Lets the time pass when the branches have started. */
    const within = async <Result>(answer: Promise<Result>): Promise<Result> => {
      await Promise.race([branch.started, answer]);
      await vi.advanceTimersByTimeAsync(50);
      return answer;
    };
    return { server, within, branch };
  }
  const policies = ['timeoutMs: 50', 'deadlineMs: 50', "timeoutMs: 50, failure: 'cancel'", 'quorum: 2, deadlineMs: 50'];

  test.each(policies)('answers 504 with a code over REST: %s', async (policy) => {
    const { server, within, branch } = await late(policy);
    const { status, body } = await within(ask(server, '/api/page'));
    expect(status).toBe(504);
    expect(body).toMatchObject({ status: 504, code: 'RACE_TIMEOUT' });
    expect(branch.signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  test.each(policies)('answers 504 with a code over GraphQL, masked or not: %s', async (policy) => {
    for (const masking of [true, false]) {
      const { server, within } = await late(policy, { limits: { masking } });
      const { status, body } = await within(post(server, '/graphql', { query }));
      expect(status).toBe(504);
      expect(body.errors[0]).toMatchObject({
        message: expect.stringContaining('took longer than 50 ms.'),
        extensions: { code: 'RACE_TIMEOUT' },
      });
      expect(body.errors[0].extensions).not.toHaveProperty('http');
    }
  });

  test('tells agents the code over MCP', async () => {
    const { server, within } = await late('timeoutMs: 50', { mcp: { tools: 'operations' } });
    vi.useRealTimers();
    const client = await connectTo(server);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const result = await within(client.callTool({ name: 'page', arguments: {} }));
    vi.useRealTimers();
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('RACE_TIMEOUT');
    await client.close();
  });
});

describe('a race with a policy', () => {
  test('returns the branch that is in time, and cancels the late one', async () => {
    const { resolve, signals, started } = pending();
    const far = () => new Promise((settle) => setTimeout(settle, 80, { text: 'far' }));
    const server = serve(topology("after: '30ms', timeoutMs: 100"), {
      resolvers: { Query: { near: resolve, far } },
    });
    const answer = ask(server, '/api/page');
    await started;
    await vi.advanceTimersByTimeAsync(100);
    expect(signals[0]?.reason).toMatchObject({ extensions: { code: 'RACE_TIMEOUT' } });
    await vi.advanceTimersByTimeAsync(10);
    expect((await answer).body).toEqual({ __typename: 'Far', text: 'far' });
  });

  test('fails with the error of the first branch with cancel', async () => {
    const { resolve, signals } = pending();
    const resolvers = { Query: { near: resolve, far: failing } };
    const server = serve(topology("failure: 'cancel'"), { resolvers });
    expect((await run(server, query)).errors).toMatchObject([
      { message: 'No page.', path: ['page'], extensions: { code: 'NO_PAGE' } },
    ]);
    expect(signals[0]?.aborted).toBe(true);
    expect((await ask(server, '/api/page')).body).toMatchObject({ detail: 'No page.', code: 'NO_PAGE' });
  });

  test('masks an unexpected error of the first branch with cancel', async () => {
    const near = () => {
      throw new Error('password=hunter2');
    };
    const server = serve(topology("failure: 'cancel'"), {
      limits: { masking: true },
      resolvers: { Query: { near, far: pending().resolve } },
    });
    const { errors } = await run(server, query);
    expect(errors).toMatchObject([{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }]);
    expect(JSON.stringify(errors)).not.toContain('hunter2');
  });

  test('fails with an error that the operation declares with cancel', async () => {
    class Gone extends Error {
      override readonly name = 'Gone';
    }
    const source = topology("failure: 'cancel'", '(gone: Problem { status: 410 })').replace(
      '(near | far | page)',
      '(near | far) (root)-[:PROCESS { throws: [Gone] }]->(page)',
    );
    const resolvers = {
      Query: {
        near: () => {
          throw new Gone('It is gone.');
        },
        far: () => null,
      },
    };
    expect(await ask(serve(source, { resolvers }), '/api/page')).toMatchObject({
      status: 410,
      body: { code: 'GONE', detail: 'It is gone.' },
    });
  });

  test('lets the other branches run to their ends with shield', async () => {
    const { resolve, signals } = pending();
    const server = serve(topology("failure: 'shield', timeoutMs: 50"), {
      resolvers: { Query: { near: resolve, far: () => ({ text: 'far' }) } },
    });
    expect((await ask(server, '/api/page')).body).toEqual({ __typename: 'Far', text: 'far' });
    expect(signals[0]?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(50);
    expect(signals[0]?.aborted).toBe(true);
  });

  test('returns what a quorum agrees on, and fails without one', async () => {
    const serveTexts = (far: string) =>
      serve(topology('quorum: 2'), {
        resolvers: { Query: { near: () => ({ text: 'same' }), far: async () => ({ text: far }) } },
      });
    expect((await ask(serveTexts('same'), '/api/page')).body).toEqual({ __typename: 'Near', text: 'same' });
    expect(await ask(serveTexts('other'), '/api/page')).toMatchObject({
      status: 500,
      body: { code: 'RACE_NO_QUORUM', detail: 'Fewer than 2 branches of PageRace agree.' },
    });
    expect((await run(serveTexts('other'), query)).errors).toMatchObject([{ extensions: { code: 'RACE_NO_QUORUM' } }]);
  });

  test('lets constants agree with results of resolvers', async () => {
    const source = topology('quorum: 2').replace('far { text: String! }', "far { text: 'same' }");
    const server = serve(source, { resolvers: { Query: { near: () => ({ text: 'same' }) } } });
    expect((await run(server, query)).data).toEqual({ page: { __typename: 'Near', text: 'same' } });
  });

  test('holds for an internal race', async () => {
    const source = topology('internal: true, quorum: 2');
    const resolvers = { Query: { near: () => ({ text: 'a' }), far: () => ({ text: 'b' }) } };
    const { status, body } = await ask(serve(source, { resolvers }), '/api/page');
    expect(status).toBe(500);
    expect(body).toMatchObject({
      code: 'RACE_NO_QUORUM',
      detail: 'Fewer than 2 branches of the race to Page agree.',
    });
  });

  test('holds for a field that races', async () => {
    const source = topology('quorum: 2', '(root)-[:PROCESS]->(site { page: Page })');
    const resolvers = {
      Query: { site: () => ({}), near: () => ({ text: 'same' }), far: () => ({ text: 'same' }) },
    };
    expect((await ask(serve(source, { resolvers }), '/api/site?fields=page')).body).toEqual({
      page: { __typename: 'Near', text: 'same' },
    });
  });

  test.each(["failure: 'cancel'", "failure: 'shield'", 'quorum: 2', 'timeoutMs: 50'])(
    'demands the access of each branch before any of them starts: %s',
    async (policy) => {
      const source = topology(policy).replace(
        '(near | far | page)',
        "(near) (root)-[:PROCESS { scopes: ['vault:read'] }]->(far | page)",
      );
      const near = vi.fn(() => ({ text: 'same' }));
      const server = serve(source, {
        resolvers: { Query: { near, far: () => ({ text: 'same' }) } },
        authenticate: ({ header }) => ({
          id: 'ada',
          scopes: header('x-scope') === undefined ? [] : ['vault:read'],
        }),
      } as Partial<GqlServerOptions>);
      expect((await ask(server, '/api/page')).status).toBe(403);
      expect(near).not.toHaveBeenCalled();
      expect((await ask(server, '/api/page', { headers: { 'x-scope': 'x' } })).status).toBe(200);
    },
  );

  test('does not race again for a repeat with the same idempotency key, and publishes one event', async () => {
    const source = topology(
      'timeoutMs: 50',
      `(form: Input { name: String! })-[:FOLD { operation: 'save' }]->(saved { id: ID!, page: Page })
       (saved)-[:FORK]->(told { id: ID! })`,
    );
    const branch = pending();
    const save = vi.fn(() => ({ id: '1' }));
    const told = vi.fn();
    const server = serve(source, {
      idempotency: {},
      authenticate: () => ({ id: 'ada' }),
      hooks: [{ onEvent: told }],
      resolvers: { Query: { near: branch.resolve, far: branch.resolve }, Mutation: { save } },
    } as Partial<GqlServerOptions>);
    const send = () =>
      ask(server, '/api/save?fields=id,page', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'k1' },
        body: JSON.stringify({ input: { name: 'x' } }),
      });
    const first = send();
    await Promise.race([branch.started, first]);
    await vi.advanceTimersByTimeAsync(50);
    const { status, body } = await first;
    expect(await send()).toMatchObject({ status, body });
    expect([status, body.code]).toEqual([504, 'RACE_TIMEOUT']);
    expect(save).toHaveBeenCalledTimes(1);
    expect(branch.signals).toHaveLength(2);
    expect(told).toHaveBeenCalledTimes(1);
  });
});
