import { afterEach, describe, expect, test } from 'vitest';
import { createGqlServer, type GqlServer, type GqlServerOptions } from '../../../src/index.js';
import { shop } from '../call/chains/shop.js';
import { noSqlite } from '../store/engines.js';

const open: GqlServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** The shop, whose chain `payOrder` is durable. */
function serve(more: Partial<GqlServerOptions> = {}) {
  const { options, ran } = shop();
  const [{ source }] = options.topologies as unknown as [{ source: string }];
  const server = createGqlServer({
    ...options,
    topologies: [
      {
        name: 'shop.gg',
        source: source.replace('returns: Card, chain: true', 'returns: Card, chain: true, durable: true'),
      },
    ],
    runs: { file: ':memory:' },
    ...more,
  });
  open.push(server);
  const send = async (method: string, path: string, body?: string) => {
    const response = await server.fetch(
      new Request(`http://localhost/api/${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body !== undefined && { body }),
      }),
    );
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  };
  return { ran, send };
}

const large = 'x'.repeat(10_000_000);

describe.skipIf(noSqlite)('a durable chain', () => {
  test('refuses inputs of 10 MB by default', async () => {
    const { send, ran } = serve();
    const inputs = { signUp: { input: { name: large } }, placeOrder: {}, payOrder: {} };
    expect(await send('POST', 'chains/payOrder', JSON.stringify(inputs))).toMatchObject({ status: 413 });
    expect(ran).toEqual([]);
  });

  test('runs with inputs of 10 MB where the limit of bodies allows them', async () => {
    const { send } = serve({ limits: { body: 11_000_000 } });
    const inputs = { signUp: { input: { name: large } }, placeOrder: {}, payOrder: {} };
    const { status, json } = await send('POST', 'chains/payOrder', JSON.stringify(inputs));
    expect(status).toBe(202);
    const read = async () => (await send('GET', `runs/${json.id}`)).json.state;
    // Each read has all of the inputs.
    await expect.poll(read, { interval: 1_000 }).toBe('completed');
    const { steps } = (await send('GET', `runs/${json.id}`)).json;
    expect(steps).toMatchObject([{ result: { name: large } }, { operation: 'placeOrder' }, {}]);
  });

  test('runs again and again for one caller, however large its results are', async () => {
    const { send } = serve({ limits: { body: 2_000_000 }, authenticate: () => ({ id: 'ada' }) });
    const inputs = { signUp: { input: { name: 'x'.repeat(1_000_000) } }, placeOrder: {}, payOrder: {} };
    // The results of all are more than a caller may keep with keys of its own.
    for (let at = 0; at < 40; at += 1) {
      const { json } = await send('POST', 'chains/payOrder', JSON.stringify(inputs));
      const read = async () => (await send('GET', `runs/${json.id}`)).json.state;
      await expect.poll(read).toBe('completed');
    }
  });

  test('refuses 100,000 steps, and answers with few of their mistakes', async () => {
    const { send, ran } = serve({ limits: { body: 2_000_000 } });
    const names = Array.from({ length: 100_000 }, (_, at) => `"s${at}":{}`);
    const { status, json } = await send('POST', 'chains/payOrder', `{${names.join()}}`);
    expect({ status, code: (json.errors as { code: string }[])[0]?.code }).toEqual({
      status: 400,
      code: 'UNKNOWN_ARGUMENT',
    });
    expect((json.errors as object[]).length).toBeLessThanOrEqual(100);
    expect(ran).toEqual([]);
  });

  test.each([
    'x'.repeat(10_000),
    '%00',
    '%25',
    '%F0%9F%93%A6',
    '00000000-0000-0000-0000-000000000000',
    '00000000-0000-0000-0000-00000000000A',
    '{"id":1}',
    "' OR ''='",
    '%2e%2e%2fhealth',
  ])('answers 404 for the forged id %#', async (id) => {
    const { send } = serve();
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/cancel'],
    ] as const)
      expect(await send(method, `runs/${id}${path}`)).toMatchObject({ status: 404 });
  });
});
