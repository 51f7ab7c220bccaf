import { afterEach, describe, expect, test } from 'vitest';
import { createGqlServer, type GqlServer } from '../../../src/index.js';
import { shop } from '../call/chains/shop.js';
import { noSqlite } from '../store/engines.js';

const open: GqlServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** The shop, whose orders are dropped if they are not paid, and then the customer leaves. */
function serve(more: { readonly drop?: (id: string) => void; readonly roles?: string } = {}) {
  const { options, ran, state } = shop();
  const [{ source }] = options.topologies as unknown as [{ source: string }];
  const mutations = (options.resolvers as unknown as { Mutation: object }).Mutation;
  const durable = source
    .replace('returns: Order, chain: true', "returns: Order, undo: 'dropOrder'")
    .replace('returns: Customer! }', "returns: Customer!, undo: 'leave' }")
    .replace('returns: Card, chain: true', 'returns: Card, chain: true, durable: true, retries: 0')
    .concat(`(order)-[:FOLD { operation: 'dropOrder', id: ID!, total: Int, returns: Order${more.roles ?? ''} }]->(order)
      (customer)-[:FOLD { operation: 'leave', id: ID!, returns: Customer }]->(customer)`);
  const undone: unknown[] = [];
  const server = createGqlServer({
    ...options,
    topologies: [{ name: 'shop.gg', source: durable }],
    runs: { file: ':memory:' },
    authenticate: ({ header }) => ({ id: header('authorization') ?? 'nobody' }),
    resolvers: {
      ...options.resolvers,
      Mutation: {
        ...mutations,
        dropOrder: (_: unknown, args: { id: string }) => {
          more.drop?.(args.id);
          undone.push({ dropOrder: args });
          return { id: args.id, total: 1 };
        },
        leave: (_: unknown, args: { id: string }) => {
          undone.push({ leave: args });
          return { id: args.id, name: '' };
        },
      },
    } as never,
  });
  open.push(server);
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await server.fetch(
      new Request(`http://localhost/api/${path}`, {
        method,
        headers: { 'content-type': 'application/json', authorization: 'ada' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  };
  const start = () => send('POST', 'chains/payOrder', { signUp: { input: { name: 'Ada' } }, placeOrder: { total: 3 } });
  const until = async (id: unknown, state: string) => {
    await expect.poll(async () => (await send('GET', `runs/${id}`)).json.state).toBe(state);
    return (await send('GET', `runs/${id}`)).json;
  };
  return { ran, state, undone, send, start, until };
}

describe.skipIf(noSqlite)('undo', () => {
  test('undoes the steps that ran, the last one first, if a later step fails for good', async () => {
    const { start, until, state, undone, ran } = serve();
    state.isDeclined = true;
    const { json } = await start();
    const run = await until(json.id, 'failed');
    expect(undone).toEqual([{ dropOrder: { id: 'o7-1', total: 3 } }, { leave: { id: '7' } }]);
    expect(run).toMatchObject({
      step: 'payOrder',
      undone: ['placeOrder', 'signUp'],
      problem: { status: 500 },
    });
    expect(ran).toEqual(['signUp', 'placeOrder', 'payOrder']);
  });

  test('undoes nothing of a run that completes', async () => {
    const { start, until, undone } = serve();
    const run = await until((await start()).json.id, 'completed');
    expect(run.undone).toBeUndefined();
    expect(undone).toEqual([]);
  });

  test('is tried again until it succeeds, and goes on if the run is cancelled meanwhile', async () => {
    let isAway = true;
    const { start, until, send, state, undone } = serve({
      drop() {
        if (isAway) throw new Error('The warehouse is away.');
      },
    });
    state.isDeclined = true;
    const { json } = await start();
    await until(json.id, 'undoing');
    expect(await send('POST', `runs/${json.id}/cancel`)).toMatchObject({ status: 409 });
    isAway = false;
    expect(await until(json.id, 'failed')).toMatchObject({ undone: ['placeOrder', 'signUp'] });
    expect(undone).toHaveLength(2);
  });

  test('is not begun by a caller that may not undo', async () => {
    const { start, ran } = serve({ roles: ", roles: ['clerk']" });
    expect(await start()).toMatchObject({
      status: 403,
      json: { detail: 'The caller may not call dropOrder, which undoes placeOrder.' },
    });
    expect(ran).toEqual([]);
  });
});
