import { afterEach, describe, expect, test } from 'vitest';
import { createAlphaServer, createGqlServer, type GqlServer, type GqlServerOptions } from '../../../../src/index.js';
import { shop } from './shop.js';

const open: GqlServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

function serve(more: Partial<GqlServerOptions> = {}) {
  const { options, ...rest } = shop(more);
  const server = createGqlServer(options);
  open.push(server);
  const post = async (name: string, inputs: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const body = typeof inputs === 'string' ? inputs : JSON.stringify(inputs);
    const response = await server.fetch(
      new Request(`http://localhost/api/chains/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      }),
    );
    const json = (await response.json()) as { readonly [member: string]: unknown };
    return { status: response.status, headers: response.headers, json };
  };
  return { ...rest, server, post };
}

const inputs = { payOrder: {}, placeOrder: { total: 3 }, signUp: { input: { name: 'Ada' } } };
const steps = [
  { operation: 'signUp', result: { id: '7', name: 'Ada' } },
  { operation: 'placeOrder', result: { id: 'o7-1', total: 3 } },
  { operation: 'payOrder', result: { id: 'co7-1', code: 'ok' } },
];

describe('POST /api/chains/{name}', () => {
  test('runs the steps in their order, hands ids on, and answers with each result', async () => {
    const { post, ran } = serve();
    const { status, json, headers } = await post('payOrder', inputs);
    expect({ status, json }).toEqual({ status: 200, json: { steps } });
    expect(ran).toEqual(['signUp', 'placeOrder', 'payOrder']);
    expect(headers.get('idempotency-replayed')).toBeNull();
  });

  test('starts at a step whose id is given, and runs the goal if no input names it', async () => {
    const { post, ran } = serve();
    const { json } = await post('payOrder', { placeOrder: { customerId: '9' } });
    expect(json.steps).toEqual([
      { operation: 'placeOrder', result: { id: 'o9-1', total: 5 } },
      { operation: 'payOrder', result: { id: 'co9-1', code: 'ok' } },
    ]);
    expect(ran).toEqual(['placeOrder', 'payOrder']);
  });

  test('says which steps are done, with their results, and which failed', async () => {
    const { post, state } = serve();
    state.isDeclined = true;
    const { status, json, headers } = await post('payOrder', inputs);
    expect(status).toBe(500);
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(json).toMatchObject({
      title: 'Internal Server Error',
      status: 500,
      failed: 'payOrder',
      steps: steps.slice(0, 2),
    });
  });

  test('lists all mistakes of all steps with their pointers, and runs nothing', async () => {
    const { post, ran } = serve();
    const wrong = {
      signUp: { input: { nam: 'Ada' } },
      placeOrder: { total: 'five' },
      payOrder: { id: 1.5 },
      'pay/Ordr': {},
      order: [],
    };
    const { status, json } = await post('payOrder', wrong);
    expect(status).toBe(400);
    expect((json.errors as { pointer: string }[]).map(({ pointer }) => pointer)).toEqual([
      '#/pay~1Ordr',
      '#/order',
      '#/signUp/input/nam',
      '#/signUp/input/name',
      '#/placeOrder/total',
      '#/payOrder/id',
    ]);
    expect(json).toMatchObject({
      steps: [],
      detail: 'The chain payOrder has no step “pay/Ordr”. Did you mean payOrder?',
    });
    expect(json.failed).toBeUndefined();
    expect(ran).toEqual([]);
  });

  test('names the step of a mistake, and suggests a step', async () => {
    const { post } = serve();
    expect((await post('payOrder', { placeOrder: { total: 0 } })).json).toMatchObject({
      failed: 'placeOrder',
      detail: '“placeOrder.customerId” is missing. Example of customerId: "1"',
      errors: [{ pointer: '#/placeOrder/customerId' }, { pointer: '#/placeOrder/total' }],
    });
    const { json } = await post('payOrder', { placeOrdr: {} });
    expect(json.detail).toBe('The chain payOrder has no step “placeOrdr”. Did you mean placeOrder?');
    expect((await post('payOrder', { signUp: 5 })).json.detail).toBe(
      '“signUp” must be an object with the arguments of signUp: {} for none.',
    );
  });

  test('does not tell names of the schema without introspection', async () => {
    const { post } = serve({ limits: { introspection: false } });
    const { json } = await post('payOrder', { placeOrdr: {}, signUp: { input: { name: 5 } } });
    expect(json.detail).toBe('The chain payOrder has no step “placeOrdr”.');
    expect((await post('payOrder', { signUp: { input: { name: 5 } } })).json.detail).toBe(
      '“signUp.input.name” must be a string, not 5.',
    );
  });

  test('fails clearly at a step whose id is the field of a null result', async () => {
    const { post, ran } = serve();
    const { status, json } = await post('payOrder', { placeOrder: { customerId: '0' } });
    expect(status).toBe(400);
    expect(json).toMatchObject({
      detail: 'placeOrder gave no id. Pass “payOrder.id” itself.',
      failed: 'payOrder',
      steps: [{ operation: 'placeOrder', result: null }],
    });
    expect(ran).toEqual(['placeOrder']);
  });

  test('rejects unknown chains, other methods, malformed and large bodies', async () => {
    const { post, server, ran } = serve();
    const unknown = await post('payOrdr', {});
    expect(unknown.status).toBe(404);
    expect(unknown.json.detail).toContain('Did you mean /api/chains/payOrder?');
    const got = await server.fetch(new Request('http://localhost/api/chains/payOrder'));
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect((await post('payOrder', '{')).status).toBe(400);
    expect((await post('payOrder', [1])).json.detail).toBe('The arguments must be an object.');
    expect((await post('payOrder', { signUp: { input: { name: 'x'.repeat(10_000_000) } } })).status).toBe(413);
    expect(ran).toEqual([]);
  });

  test('limits the number of steps, and counts each for rate limits', async () => {
    const few = serve({ limits: { rootFields: 2 } });
    expect((await few.post('payOrder', inputs)).json.detail).toBe('A call may run 2 operations, not 3.');
    const { post, ran } = serve({ rateLimits: [{ limit: 4, per: 60, by: 'address' }] });
    expect((await post('payOrder', inputs)).status).toBe(200);
    const refused = await post('payOrder', inputs);
    expect(refused.status).toBe(429);
    expect(ran).toHaveLength(3);
  });

  test('publishes the events of its steps, and gives the receipt of the last one', async () => {
    const { post, server } = serve();
    const events = (await server.subscribe({
      query: 'subscription { orderPlaced { id } }',
    })) as AsyncGenerator<{ data?: unknown }>;
    const first = events.next();
    const { headers } = await post('payOrder', inputs);
    expect((await first).value).toEqual({ data: { orderPlaced: { id: 'o7-1' } } });
    await events.return(undefined);
    expect(headers.get('event-id')).toMatch(/^\S+-0{7}$/);
  });
});

describe('access to a chain', () => {
  const authenticate = ({ header }: { header(name: string): string | undefined }) => {
    const name = header('authorization');
    return name === undefined ? null : { id: name, scopes: name === 'ada' ? ['pay'] : [] };
  };
  const guarded = (edge: RegExp, words: string): Partial<GqlServerOptions> => {
    const { options } = shop();
    const [{ source, name }] = options.topologies as unknown as [{ source: string; name: string }];
    return { authenticate, topologies: [{ name, source: source.replace(edge, `$&${words}, `) }] };
  };

  test.each([
    ['the goal', /operation: 'placeOrder', /],
    ['an earlier step', /operation: 'signUp', /],
  ])('is checked before anything runs, for %s', async (_, edge) => {
    const { post, ran } = serve(guarded(edge, "scopes: ['pay']"));
    const chain = { signUp: { input: { name: 'Ada' } } };
    expect((await post('placeOrder', chain)).status).toBe(401);
    expect((await post('placeOrder', chain, { authorization: 'eve' })).status).toBe(403);
    expect(ran).toEqual([]);
    expect((await post('placeOrder', chain, { authorization: 'ada' })).status).toBe(200);
    expect(ran).toEqual(['signUp', 'placeOrder']);
  });

  test('is that of the principal for a program, which alone may run everything', async () => {
    const { server, ran } = serve(guarded(/operation: 'placeOrder', /, "scopes: ['pay']"));
    const chain = { signUp: { input: { name: 'Ada' } } };
    const refused = await server.run('placeOrder', chain, { principal: { id: 'eve' } });
    expect(refused).toMatchObject({ steps: [], problem: { status: 403, failed: 'placeOrder' } });
    expect((await server.run('placeOrder', chain, { principal: null })).problem?.status).toBe(401);
    expect(ran).toEqual([]);
    expect((await server.run('placeOrder', chain)).problem).toBeUndefined();
  });
});

describe('an idempotency key', () => {
  const key = { 'idempotency-key': 'k1', authorization: 'Bearer x' };

  test('lets a chain that ended early continue, and runs no mutation twice', async () => {
    const { post, ran, state } = serve();
    state.isDeclined = true;
    expect((await post('payOrder', inputs, key)).status).toBe(500);
    state.isDeclined = false;
    const second = await post('payOrder', inputs, key);
    expect(second.json).toEqual({ steps });
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect((await post('payOrder', inputs, key)).json).toEqual({ steps });
    expect(ran).toEqual(['signUp', 'placeOrder', 'payOrder', 'payOrder']);
  });

  test('is refused for other inputs', async () => {
    const { post } = serve();
    await post('payOrder', inputs, key);
    const other = await post('payOrder', { ...inputs, signUp: { input: { name: 'Eve' } } }, key);
    expect(other.json).toMatchObject({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED', failed: 'signUp' });
  });

  test('that a later step requires is asked for before the first step runs', async () => {
    const { options } = shop();
    const [{ source, name }] = options.topologies as unknown as [{ source: string; name: string }];
    const required = source.replace("operation: 'payOrder', ", "operation: 'payOrder', idempotent: 'required', ");
    const { post, ran } = serve({ topologies: [{ name, source: required }] });
    expect((await post('payOrder', inputs)).json).toMatchObject({
      status: 400,
      code: 'IDEMPOTENCY_KEY_REQUIRED',
    });
    expect(ran).toEqual([]);
    expect((await post('payOrder', inputs, key)).status).toBe(200);
  });
});

describe.each<[string, (options: GqlServerOptions) => Pick<GqlServer, 'run' | 'close'>]>([
  ['Yoga', createGqlServer],
  ['Apollo', (options) => createAlphaServer(options as never) as unknown as GqlServer],
])('server.run on %s', (_, create) => {
  test('gives the results of REST, and the reason of a failure', async () => {
    const { options, ran, state } = shop();
    const server = create(options);
    expect(await server.run('payOrder', inputs)).toEqual({ steps, eventId: expect.any(String) });
    state.isDeclined = true;
    const failed = await server.run('payOrder', { payOrder: { id: 'o1' } });
    expect(failed).toMatchObject({ steps: [], problem: { status: 500, failed: 'payOrder' } });
    expect(ran).toHaveLength(4);
    const all = { wrong: {} };
    expect((await server.run('payOrder', all)).problem).toMatchObject({ status: 400, parameter: 'wrong' });
    await expect(server.run('payOrdr', {})).rejects.toThrow(
      new TypeError('There is no chain payOrdr. Did you mean payOrder?'),
    );
    await server.close();
  });

  test('takes a context, a key and a signal', async () => {
    const seen: unknown[] = [];
    const { options, ran } = shop();
    const { resolvers } = options as unknown as { resolvers: { Mutation: Record<string, unknown> } };
    const signUp = resolvers.Mutation.signUp as (...args: unknown[]) => unknown;
    resolvers.Mutation.signUp = (...args: unknown[]) => {
      seen.push(args[2]);
      return signUp(...args);
    };
    const server = create(options);
    const context = { tenant: 'a' };
    const given = { context, key: 'k' } as object;
    await server.run('placeOrder', { signUp: { input: { name: 'Ada' } } }, given);
    await server.run('placeOrder', { signUp: { input: { name: 'Ada' } } }, given);
    expect(seen).toEqual([context]);
    expect(ran).toEqual(['signUp', 'placeOrder']);
    const { problem } = await server.run('payOrder', inputs, { signal: AbortSignal.abort() });
    expect(problem?.code).toBe('OPERATION_ABORTED');
    await server.close();
  });
});
