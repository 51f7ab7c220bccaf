import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { createGqlServer, type GqlServer, type GqlServerOptions } from '../../../src/index.js';
import { shop } from '../call/chains/shop.js';
import { noSqlite } from '../store/engines.js';

const open: GqlServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** The shop, whose orders are dropped if they are not paid, and then the customer leaves. */
function serve({
  drop,
  roles = '',
  change = (source) => source,
  ...more
}: Partial<GqlServerOptions> & {
  readonly drop?: (id: string) => void;
  readonly roles?: string;
  readonly change?: (source: string) => string;
} = {}) {
  const { options, ran, state } = shop();
  const [{ source }] = options.topologies as unknown as [{ source: string }];
  const mutations = (options.resolvers as unknown as { Mutation: object }).Mutation;
  const durable = source
    .replace('returns: Order, chain: true', "returns: Order, undo: 'dropOrder'")
    .replace('returns: Customer! }', "returns: Customer!, undo: 'leave' }")
    .replace('returns: Card, chain: true', 'returns: Card, chain: true, durable: true, retries: 0')
    .concat(`(order)-[:FOLD { operation: 'dropOrder', id: ID!, total: Int, returns: Order${roles} }]->(order)
      (customer)-[:FOLD { operation: 'leave', id: ID!, returns: Customer }]->(customer)`);
  const undone: unknown[] = [];
  const server = createGqlServer({
    ...options,
    topologies: [{ name: 'shop.gg', source: change(durable) }],
    runs: { file: ':memory:' },
    authenticate: ({ header }) => ({ id: header('authorization') ?? 'nobody' }),
    resolvers: {
      ...options.resolvers,
      Mutation: {
        ...mutations,
        dropOrder: (_: unknown, args: { id: string }) => {
          drop?.(args.id);
          undone.push({ dropOrder: args });
          return { id: args.id, total: 1 };
        },
        leave: (_: unknown, args: { id: string }) => {
          undone.push({ leave: args });
          return { id: args.id, name: '' };
        },
      },
    } as never,
    ...more,
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
  return { ran, state, undone, send, start, until, server };
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'gg-svc-undo-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
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

  test('undoes the last step first, and shows all in their order, however fast they ran', async () => {
    const { start, until, state } = serve();
    state.isDeclined = true;
    const begun = await Promise.all(Array.from({ length: 20 }, start));
    for (const { json } of begun) {
      const run = await until(json.id, 'failed');
      expect(run).toMatchObject({
        steps: [{ operation: 'signUp' }, { operation: 'placeOrder' }],
        step: 'payOrder',
        undone: ['placeOrder', 'signUp'],
      });
    }
  });

  test('undoes what a step has made, not what it was given under the same name', async () => {
    const copied: unknown[] = [];
    const server = createGqlServer({
      topologies: [
        {
          name: 'a.gg',
          source: `(order { id: ID! }) (card { id: ID! })
            (root)-[:FOLD { operation: 'copyOrder', orderId: ID!, returns: Order!, undo: 'dropOrder' }]->(order)
            (root)-[:FOLD { operation: 'dropOrder', orderId: ID!, returns: Order }]->(order)
            (root)-[:FOLD { operation: 'payOrder', orderId: ID!, returns: Card, chain: true, durable: true, retries: 0 }]->(card)
            (shop)-[:PROCESS { id: ID! }]->(order)`,
        },
      ],
      runs: { file: ':memory:' },
      resolvers: {
        Mutation: {
          copyOrder: () => ({ id: 'the copy' }),
          dropOrder: (_: unknown, { orderId }: { orderId: string }) => {
            copied.push(orderId);
            return { id: orderId };
          },
          payOrder: () => {
            throw new Error('The bank is away.');
          },
        },
      } as never,
    });
    open.push(server);
    await server.run('payOrder', { copyOrder: { orderId: 'the first' } });
    await expect.poll(() => copied).toEqual(['the copy']);
  });

  test('waits for a server with the chain, while one with another topology works', async () => {
    const runs = { file: join(folder(), 'runs.sqlite') };
    const change = (source: string) => source.replace('retries: 0', 'retries: 50');
    const { start, send, server, state } = serve({ runs, change });
    state.isDeclined = true;
    const { json } = await start();
    await expect.poll(async () => (await send('GET', `runs/${json.id}`)).json.problem).toBeDefined();
    await server.close();
    const other = serve({
      runs,
      change: (source) =>
        source
          .replace("returns: Order, undo: 'dropOrder'", 'returns: Order, chain: true, durable: true')
          .replace(/\(order\)-\[:FOLD \{ operation: 'payOrder'.*/, ''),
      resolvers: {},
    });
    await other.send('POST', `runs/${json.id}/cancel`);
    await other.until(json.id, 'undoing');
    // The other server has had its turn.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await other.send('GET', `runs/${json.id}`)).json.state).toBe('undoing');
    await other.server.close();
    const last = serve({ runs, change });
    expect(await last.until(json.id, 'cancelled')).toMatchObject({ undone: ['placeOrder', 'signUp'] });
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
