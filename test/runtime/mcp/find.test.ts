import { afterEach, describe, expect, test } from 'vitest';
import { compile } from '../../../src/compiler/compile.js';
import { createGqlServer, type GqlServer, type GqlServerOptions } from '../../../src/index.js';
import { createTools } from '../../../src/runtime/mcp/toolset/create-tools.js';
import { estimateTokens } from '../../../src/runtime/mcp/toolset/estimate-tokens.js';
import { shop } from '../call/chains/shop.js';
import { connectTo, textOf } from './connect.js';

const open: GqlServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

interface Candidate {
  readonly name: string;
  readonly steps?: readonly string[];
  readonly inputSchema: { readonly properties: Readonly<Record<string, unknown>> };
}

async function serve(more: Partial<GqlServerOptions> = {}, headers: Readonly<Record<string, string>> = {}) {
  const { options, ran } = shop({ mcp: { tools: 'find' }, ...more });
  const server = createGqlServer(options);
  open.push(server);
  const client = await connectTo(server, '2026-07-28', headers);
  const call = (name: 'find' | 'run', args: Record<string, unknown>) => client.callTool({ name, arguments: args });
  const find = async (words: string, type?: string) => {
    const { structuredContent } = await call('find', { words, ...(type !== undefined && { type }) });
    return (structuredContent as { candidates: readonly Candidate[] }).candidates;
  };
  return { client, call, find, ran };
}

test('the tools of 600 operations have less than 1,500 tokens', () => {
  const nodes = Array.from(
    { length: 300 },
    (_, at) => `(thing_${at} { id: ID!, name: String! })
      (root)-[:PROCESS { operation: 'readThing${at}', id: ID! }]->(thing_${at})
      (root)-[:FOLD { operation: 'saveThing${at}', name: String! }]->(thing_${at})`,
  );
  const { schema } = compile(nodes.join('\n'));
  expect(schema.queries.length + schema.mutations.length).toBe(600);
  expect(estimateTokens(createTools(schema, 'operations'))).toBeGreaterThan(20_000);
  expect(estimateTokens(createTools(schema, 'find'))).toBeLessThan(600);
});

describe('find', () => {
  test('gives the best operations first, with the steps that lead to them and their input schema', async () => {
    const { client, find } = await serve();
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['find', 'run']);
    const [pay] = await find('pay for an order');
    expect(pay).toMatchObject({
      name: 'payOrder',
      kind: 'mutation',
      steps: ['signUp', 'placeOrder', 'payOrder'],
      returns: 'Card',
      inputSchema: { type: 'object', properties: { signUp: {}, placeOrder: {}, payOrder: {} } },
    });
    expect((await find('signing up a new customer'))[0]?.name).toBe('signUp');
    expect((await find('all orders')).slice(0, 2).map(({ name }) => name)).toEqual(['order', 'orders']);
  });

  test('keeps to a type, and says if nothing has the words', async () => {
    const { find, call } = await serve();
    expect((await find('order', 'card')).map(({ name }) => name)).toEqual(['payOrder']);
    expect((await call('find', { words: 'weather' })).structuredContent).toEqual({
      candidates: [],
      hint: 'No operation has these words: use others, such as the names of things.',
    });
    expect((await call('find', { words: 'order', type: 'weather' })).structuredContent).toMatchObject({
      hint: expect.stringContaining('and returns or takes the type “weather”'),
    });
    for (const args of [{ word: 'x' }, { words: 'x', kind: 'query' }, { words: 'x', type: 5 }])
      expect(textOf(await call('find', args))).toContain('find takes {"words"');
  });

  test('compares the first 100 words, so that a long text does not hold the server', async () => {
    const { find } = await serve();
    const letter = (digit: string) => 'abcdefghij'[Number(digit)] as string;
    const others = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`.replaceAll(/\d/g, letter));
    expect((await find([...others(99), 'pay'].join(' ')))[0]?.name).toBe('payOrder');
    expect(await find([...others(100), 'pay'].join(' '))).toEqual([]);
  });

  test('gives the schema of the goal alone if that of the chain is long', async () => {
    const fields = Array.from({ length: 400 }, (_, at) => `aLongNameOfField${at}: String`).join(', ');
    const source = `(customer { id: ID! }) (order { id: ID! }) (form: Input { ${fields} })
      (form)-[:FOLD { operation: 'signUp', returns: Customer! }]->(customer)
      (customer)-[:FOLD { operation: 'placeOrder', customerId: ID!, returns: Order! }]->(order)
      (root)-[:PROCESS]->(order)`;
    const { find } = await serve({ topologies: [{ name: 'long.gg', source }], resolvers: {} });
    const [placed] = await find('place order');
    expect(placed?.steps).toEqual(['signUp', 'placeOrder']);
    expect(Object.keys(placed?.inputSchema.properties ?? {})).toEqual(['placeOrder']);
  });
});

describe('run', () => {
  const inputs = { signUp: { input: { name: 'Ada' } }, placeOrder: {} };

  test('runs a chain, and returns only the fields that were asked for', async () => {
    const { call } = await serve();
    const whole = await call('run', { name: 'payOrder', inputs });
    expect(whole.structuredContent).toEqual({
      signUp: { id: '7', name: 'Ada' },
      placeOrder: { id: 'o7-1', total: 5 },
      payOrder: { id: 'co7-1', code: 'ok' },
    });
    const fields = { placeOrder: ['total'], payOrder: ['code'] };
    const { structuredContent } = await call('run', { name: 'payOrder', inputs, fields });
    expect(structuredContent).toEqual({
      signUp: { id: '8', name: 'Ada' },
      // The id is handed on.
      placeOrder: { total: 5, id: 'o8-2' },
      payOrder: { code: 'ok' },
    });
    const page = await call('run', { name: 'orders', inputs: {}, fields: { orders: ['total'] } });
    expect(page.structuredContent).toMatchObject({ orders: { items: [{ total: 1 }, { total: 1 }] } });
  });

  test('teaches the right call: with the mistake, and the schema of the inputs', async () => {
    const { call, ran } = await serve();
    const wrong = await call('run', { name: 'payOrder', inputs: { placeOrdr: {}, signUp: {} } });
    expect(wrong.isError).toBe(true);
    expect(textOf(wrong)).toContain('The chain payOrder has no step “placeOrdr”. Did you mean placeOrder?');
    expect(wrong.structuredContent).toMatchObject({
      failed: { status: 400, inputSchema: { properties: { signUp: { required: ['input'] } } } },
    });
    const field = await call('run', { name: 'payOrder', inputs, fields: { payOrder: ['cod'] } });
    expect(textOf(field)).toContain('Did you mean “code”?');
    const unknown = await call('run', { name: 'placeOrders' });
    expect(textOf(unknown)).toContain('There is no operation “placeOrders”. Did you mean placeOrder?');
    expect(unknown.structuredContent).toMatchObject({ failed: { candidates: [{ name: 'placeOrder' }, {}] } });
    expect(textOf(await call('run', { name: 'weather' }))).toContain('“weather”. Call find.');
    const step = await call('run', { name: 'payOrder', inputs, fields: { placeOrdr: ['id'] } });
    expect(textOf(step)).toContain('fields: The chain payOrder has no step “placeOrdr”. Did you mean placeOrder?');
    const none = await call('run', { name: 'payOrder', inputs, fields: { payOrder: [] } });
    expect(textOf(none)).toContain('“fields” names no field.');
    for (const { structuredContent } of [field, step, none])
      expect(structuredContent).toMatchObject({ failed: { status: 400, inputSchema: {} } });
    for (const args of [
      {},
      { name: 'payOrder', fields: ['id'] },
      { name: 'payOrder', fields: { payOrder: 'id' } },
      { name: 'payOrder', input: inputs },
    ])
      expect(textOf(await call('run', args))).toContain('run takes {"name"');
    expect(ran).toEqual([]);
  });

  test('takes null for no value, as it may be left out', async () => {
    const { call } = await serve();
    const given = { name: 'orders', inputs: null, fields: null };
    expect((await call('run', given)).structuredContent).toMatchObject({ orders: { items: [{}, {}] } });
    const { structuredContent } = await call('find', { words: 'pay', type: null });
    expect(structuredContent).toMatchObject({ candidates: [{ name: 'payOrder' }] });
  });

  test('leaves a failure of a step that has started as it is', async () => {
    const { call } = await serve();
    const { structuredContent } = await call('run', { name: 'payOrder', inputs: { payOrder: { id: 'o1' } } });
    expect(structuredContent).toMatchObject({ done: {}, failed: { code: 'DECLINED' } });
    expect(JSON.stringify(structuredContent)).not.toContain('inputSchema');
  });
});

test('a caller finds and learns nothing that it may not call', async () => {
  const { options } = shop();
  const [{ source, name }] = options.topologies as unknown as [{ source: string; name: string }];
  const guarded = source
    .replace("operation: 'payOrder', ", "operation: 'payOrder', scopes: ['pay'], ")
    .replace("operation: 'signUp', ", "operation: 'signUp', scopes: ['sell'], ");
  const access = {
    topologies: [{ name, source: guarded }],
    authenticate: ({ header }: { header(name: string): string | undefined }) => {
      const scopes = header('authorization')?.split(' ');
      return scopes === undefined ? null : { id: scopes.join(), scopes };
    },
  };
  const nobody = await serve(access);
  expect((await nobody.find('pay order card sign')).map((one) => one.name)).not.toContain('payOrder');
  expect((await nobody.find('place'))[0]).not.toHaveProperty('steps');
  const refused = await nobody.call('run', { name: 'payOrder', inputs: { payOrder: { id: 1.5 } } });
  expect(refused.isError).toBe(true);
  expect(JSON.stringify(refused)).not.toContain('inputSchema');
  const denied = await nobody.call('run', { name: 'payOrder', inputs: { payOrder: { id: '1' } } });
  expect(denied.structuredContent).toMatchObject({ failed: { code: 'UNAUTHENTICATED' } });
  expect(nobody.ran).toEqual([]);
  const payer = await serve(access, { authorization: 'pay' });
  expect((await payer.find('pay order'))[0]).toMatchObject({
    name: 'payOrder',
    steps: ['placeOrder', 'payOrder'],
  });
});
