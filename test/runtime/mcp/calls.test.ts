import { GraphQLError } from 'graphql';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  AuthenticationError,
  type Credentials,
  createGqlServer,
  type GqlServer,
  type GqlServerOptions,
  type HookOperation,
} from '../../../src/index.js';
import { connectTo, textOf } from './connect.js';

const source = `
  (customer { id: ID!, name: String! })
  (order { id: ID!, total: Int! })
  (card { id: ID!, code: String })
  (sign_up: Input { name: String! })-[:FOLD { operation: 'signUp', returns: Customer! }]->(customer)
  (customer)-[:FOLD { operation: 'placeOrder', customerId: ID!, tags: [Tag!], /// @minimum 1
    total: Int! = 5, returns: Order! }]->(order)
  (order)-[:FOLD { operation: 'payOrder', id: ID!, returns: Card }]->(card)
  (tag: Input { name: String!, kind: Kind! })
  (kind: Enum { values: [RED, GREEN] })
  (shop)-[:PROCESS { id: ID! }]->(order)
  (shop)-[:PROCESS { operation: 'orders', page: '2 totalCount', returns: Order }]->(order)
  (shop)-[:PROCESS { operation: 'undone' }]->(card)
  (shop)-[:PROCESS { operation: 'smiles', before: String!, returns: [String!]! }]->(order)
  (shop)-[:PROCESS { operation: 'blob', size: Int!, returns: [String!]! }]->(order)
`;

const open: GqlServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
  vi.restoreAllMocks();
});

let ran: string[] = [];
async function serve(more: Partial<GqlServerOptions> = {}) {
  ran = [];
  const note = <Value>(name: string, value: Value) => {
    ran.push(name);
    return value;
  };
  const server = createGqlServer({
    topologies: [{ name: 'shop.gg', source }],
    mcp: true,
    resolvers: {
      Query: {
        order: (_: unknown, { id }: { id: string }) => ({ id, total: 1 }),
        orders: () => ['1', '2', '3', '4', '5'].map((id) => ({ id, total: 1 })),
        smiles: (_: unknown, { before }: { before: string }) => [before + '😀'.repeat(100_000)],
        blob: (_: unknown, { size }: { size: number }) => Array.from({ length: size / 100 }, () => 'x'.repeat(100)),
      },
      Mutation: {
        signUp: (_: unknown, { input }: { input: { name: string } }) => note('signUp', { id: '7', ...input }),
        placeOrder: (_: unknown, { customerId }: { customerId: string }) =>
          note('placeOrder', { id: `o${customerId}`, total: 1 }),
        payOrder: () => {
          note('payOrder', undefined);
          throw new GraphQLError('The card was declined.', { extensions: { code: 'DECLINED' } });
        },
      },
    },
    ...more,
  } as GqlServerOptions);
  open.push(server);
  return { server, client: await connectTo(server) };
}

const family = 'signUp_placeOrder_payOrder';

describe('a call that fails in a later step', () => {
  test('lists the earlier steps with their results', async () => {
    const { client } = await serve();
    const args = { signUp: { input: { name: 'Ada' } }, placeOrder: {}, payOrder: {} };
    const result = await client.callTool({ name: family, arguments: args });
    expect(result.isError).toBe(true);
    expect(ran).toEqual(['signUp', 'placeOrder', 'payOrder']);
    expect(textOf(result)).toBe(
      'payOrder: The card was declined.\n{"code":"DECLINED"}\n' +
        'These operations have run: do not call them again, and pass their ids. ' +
        '{"signUp":{"id":"7","name":"Ada"},"placeOrder":{"id":"o7","total":1}}',
    );
    expect(result.structuredContent).toEqual({
      done: { signUp: { id: '7', name: 'Ada' }, placeOrder: { id: 'o7', total: 1 } },
      failed: { step: 'payOrder', status: 500, detail: 'The card was declined.', code: 'DECLINED' },
    });
  });

  test.each([
    [
      'a type',
      { customerId: '1', total: 'five' },
      '“placeOrder.total” must be a 32-bit integer, not "five". Example of total: 5',
    ],
    [
      'an enum value',
      { customerId: '1', tags: [{ name: 'a', kind: 'BLUE' }] },
      '“placeOrder.tags[0].kind” must be one of RED, GREEN, not "BLUE". Example of kind: "RED"',
    ],
    [
      'an unknown name',
      { customerID: '1' },
      'There is no parameter “placeOrder.customerID”. Did you mean “placeOrder.customerId”?',
    ],
    [
      'a missing member',
      { customerId: '1', tags: [{ name: 'a' }] },
      '“placeOrder.tags[0].kind” is missing. Example of kind: "RED"',
    ],
  ])('is rejected before anything runs if %s is wrong', async (_, placeOrder, detail) => {
    const { client } = await serve();
    const args = { signUp: { input: { name: 'Ada' } }, placeOrder };
    const result = await client.callTool({ name: family, arguments: args });
    expect(textOf(result)).toBe(`placeOrder: ${detail}\nNo operation has run.`);
    expect(result.isError).toBe(true);
    expect(ran).toEqual([]);
  });
});

describe('a call', () => {
  test('runs its steps in dependency order, for any order of its arguments', async () => {
    const { client } = await serve();
    await client.callTool({
      name: family,
      arguments: { placeOrder: {}, signUp: { input: { name: 'Ada' } } },
    });
    expect(ran).toEqual(['signUp', 'placeOrder']);
  });

  test('starts at a step whose id is given', async () => {
    const { client } = await serve();
    const { structuredContent } = await client.callTool({
      name: family,
      arguments: { placeOrder: { customerId: '9' }, order: {} },
    });
    expect(structuredContent).toEqual({ placeOrder: { id: 'o9', total: 1 }, order: { id: 'o9', total: 1 } });
  });

  test('passes on the id that the fallback of a step returns', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const topology = `
      (author { id: ID! }) (book { id: ID!, authorId: ID! })
      (root)-[:PROCESS { operation: 'author', name: String!, returns: Author! }]->(author)
      (root)-[:PROCESS { operation: 'known', name: String!, returns: Author!, internal: true }]->(known)
      (author)-[:VENT { fallback: true }]->(known)
      (root)-[:PROCESS { operation: 'books', authorId: ID!, returns: [Book!]! }]->(book)
    `;
    const { client } = await serve({
      topologies: [{ name: 'books.gg', source: topology }],
      resolvers: {
        Query: {
          author: () => Promise.reject(new Error('down')),
          known: () => ({ id: '7' }),
          books: (_: unknown, { authorId }: { authorId: string }) => [{ id: '1', authorId }],
        },
      },
    });
    const args = { author: { name: 'Ada' }, books: {} };
    const { structuredContent } = await client.callTool({ name: 'read', arguments: args });
    expect(structuredContent).toEqual({ author: { id: '7' }, books: [{ id: '1', authorId: '7' }] });
  });

  test('gets a page of a connection, and the cursor of the next one', async () => {
    const { client } = await serve();
    const first = await client.callTool({ name: 'read', arguments: { orders: {} } });
    const { items, after } = (first.structuredContent as never as { orders: { items: unknown[]; after: string } })
      .orders;
    expect(items).toHaveLength(2);
    const second = await client.callTool({ name: 'read', arguments: { orders: { first: 3, after } } });
    expect(second.structuredContent).toEqual({
      orders: { items: ['3', '4', '5'].map((id) => ({ id, total: 1 })), totalCount: 5 },
    });
  });

  test.each([
    ['an unknown step', { ordr: {} }, /^The tool read has no operation “ordr”\. Did you mean “order”\?/],
    [
      'a step of another tool',
      { signUp: {} },
      /^The tool read does not run “signUp”: call the tool signUp_placeOrder_payOrder\./,
    ],
    ['no step', {}, /^Name at least one operation: .*order/],
    ['arguments that are not an object', { order: 5 }, /^“order” must be an object with the arguments of order/],
  ])('with %s is told which operation to call', async (_, args, message) => {
    const { client } = await serve();
    const result = await client.callTool({ name: 'read', arguments: args });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(message);
  });

  test('of an unknown tool gets a protocol error that names the right tool', async () => {
    const { client } = await serve();
    await expect(client.callTool({ name: 'signUp', arguments: {} })).rejects.toThrow(
      'Unknown tool: signUp. The tool signUp_placeOrder_payOrder runs it: {"signUp": {…}}.',
    );
    await expect(client.callTool({ name: 'rea', arguments: {} })).rejects.toThrow('Did you mean read?');
  });

  test('of an operation without a resolver names its edge', async () => {
    const { client } = await serve();
    const result = await client.callTool({ name: 'read', arguments: { undone: {} } });
    expect(textOf(result)).toContain('shop -[:PROCESS]-> card');
    expect(result.structuredContent).toMatchObject({ failed: { status: 501, code: 'NOT_IMPLEMENTED' } });
  });

  test('may run as many operations as a GraphQL operation may select', async () => {
    const { client } = await serve({ limits: { rootFields: 1 } });
    const result = await client.callTool({ name: 'read', arguments: { order: { id: '1' }, undone: {} } });
    expect(textOf(result)).toContain('A call may run 1 operations, not 2.');
  });

  test('hides unexpected errors with masking', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const resolvers = {
      Query: {
        order: () => {
          throw new Error('password=hunter2');
        },
      },
    };
    const { client } = await serve({ resolvers, limits: { masking: true } } as never);
    const result = await client.callTool({ name: 'read', arguments: { order: { id: '1' } } });
    expect(JSON.stringify(result)).not.toContain('hunter2');
    expect(result.isError).toBe(true);
  });
});

describe('access', () => {
  const guarded = source.replace("operation: 'payOrder',", "operation: 'payOrder', scopes: ['pay'],");
  const authenticate = ({ header }: Credentials) => {
    const given = header('authorization');
    if (given === undefined) return null;
    if (given !== 'Bearer payer') throw new AuthenticationError('The token is unknown.');
    return { id: 'ada', scopes: ['pay'] };
  };
  const topologies = [{ name: 'shop.gg', source: guarded }];

  test('to a later step is checked before the first one runs', async () => {
    const { client, server } = await serve({ topologies, authenticate });
    const args = { signUp: { input: { name: 'Ada' } }, placeOrder: {}, payOrder: {} };
    const result = await client.callTool({ name: family, arguments: args });
    expect(textOf(result)).toBe(
      'payOrder: Authentication is required.\n{"code":"UNAUTHENTICATED"}\nNo operation has run.',
    );
    expect(ran).toEqual([]);
    const payer = await connectTo(server, '2026-07-28', { authorization: 'Bearer payer' });
    expect(textOf(await payer.callTool({ name: family, arguments: args }))).toMatch(/^payOrder: The card was declined/);
    expect(ran).toEqual(['signUp', 'placeOrder', 'payOrder']);
  });

  test('with invalid credentials gets 401 and a challenge', async () => {
    const { server } = await serve({ topologies, authenticate });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/list' });
    const headers = {
      authorization: 'Bearer other',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const response = await server.fetch(new Request('http://localhost/mcp', { method: 'POST', body, headers }));
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('invalid_token');
    expect(await response.json()).toMatchObject({ error: { message: 'The token is unknown.' } });
  });

  test('is denied by the hook onOperation for the whole call', async () => {
    const seen: string[] = [];
    const onOperation = ({ name, protocol }: HookOperation) => {
      seen.push(`${protocol} ${name}`);
      if (name === 'placeOrder') throw new GraphQLError('Not today.', { extensions: { code: 'CLOSED' } });
    };
    const { client } = await serve({ hooks: [{ onOperation }] });
    const args = { signUp: { input: { name: 'Ada' } }, placeOrder: { customerId: '1' } };
    const result = await client.callTool({ name: family, arguments: args });
    expect(textOf(result)).toContain('placeOrder: Not today.');
    expect([seen, ran]).toEqual([['mcp signUp', 'mcp placeOrder'], []]);
  });
});

describe('a list of messages', () => {
  const call = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'sign_up', arguments: { input: { name: 'Ada' } } },
  });
  const send = async (server: GqlServer, messages: readonly unknown[]) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-03-26',
    };
    const body = JSON.stringify(messages);
    const response = await server.fetch(new Request('http://localhost/mcp', { method: 'POST', body, headers }));
    return [response.status, await response.text()] as const;
  };
  const many = (count: number) => Array.from({ length: count }, (_, id) => call(id));

  test('is rejected by default, before anything runs', async () => {
    const { server } = await serve();
    for (const messages of [many(1), many(1000), [[call(1)]], []]) {
      const [status, text] = await send(server, messages);
      expect([status, JSON.parse(text).error.data.code]).toEqual([400, 'BATCHING_DISABLED']);
    }
    expect(ran).toEqual([]);
  });

  test('has at most limits.batching messages', async () => {
    const { server } = await serve({ limits: { batching: 2 } });
    const [status, text] = await send(server, many(3));
    expect([status, JSON.parse(text).error.data.code]).toEqual([400, 'BATCHING_LIMIT_EXCEEDED']);
    expect(ran).toEqual([]);
    await send(server, many(2));
    expect(ran.length).toBeLessThanOrEqual(2);
  });
});

describe('sizes', () => {
  test('a result of 10 MB is shortened with a note', async () => {
    const { client } = await serve();
    const result = await client.callTool({ name: 'read', arguments: { blob: { size: 10_000_000 } } });
    expect(JSON.stringify(result).length).toBeLessThan(250_000);
    expect(result.content).toHaveLength(2);
    expect(textOf(result)).toMatch(/The result has 103\d{5} characters\. Lists are cut to 100 items/);
    expect((result.structuredContent as { blob: string[] }).blob).toHaveLength(100);
  });

  test.each(['', 'x'])('a text is cut between characters, not inside of one: after “%s”', async (before) => {
    const { client } = await serve();
    const result = await client.callTool({ name: 'read', arguments: { smiles: { before } } });
    // Strict parsers refuse half of a surrogate pair, and with it the whole answer.
    expect(JSON.stringify(result)).not.toMatch(/\\ud83d/);
    const [cut = ''] = (result.structuredContent as { smiles: string[] }).smiles;
    expect(cut).toMatch(/^x?(?:😀)+…$/u);
    expect([9_999, 10_000]).toContain(cut.length);
  });

  test('arguments of 10 MB are rejected before they are parsed', async () => {
    const { server, client } = await serve();
    const args = { signUp: { input: { name: 'x'.repeat(10_000_000) } } };
    await expect(client.callTool({ name: family, arguments: args })).rejects.toThrow(/more than 1048576 bytes/);
    expect(ran).toEqual([]);
    expect((await server.fetch(new Request('http://localhost/api/order?id=1'))).status).toBe(200);
  });

  test('arguments that are nested too deeply are rejected', async () => {
    const { client } = await serve();
    let deep: unknown = 1;
    for (let level = 0; level < 200; level++) deep = [deep];
    await expect(client.callTool({ name: family, arguments: { signUp: { input: deep } } })).rejects.toThrow(
      /nested more than 64 levels/,
    );
  });

  test('a repeated failing call gets the same answer until it exceeds a rate limit', async () => {
    const { client } = await serve({ rateLimits: [{ limit: 30, per: 60, by: 'address' }] });
    const call = () => client.callTool({ name: 'read', arguments: { order: {} } });
    const answers = new Set<string>();
    for (let at = 0; at < 20; at++) answers.add(textOf(await call()));
    expect(answers.size).toBe(1);
    const refused = Promise.all(Array.from({ length: 20 }, call));
    await expect(refused).rejects.toThrow(/Too many requests: at most 30 in 60 s/);
  });

  test('limits of operations count the steps of a call', async () => {
    const { client } = await serve({
      rateLimits: [{ limit: 2, per: 60, by: 'address', operations: ['signUp', 'order'] }],
    });
    const args = { signUp: { input: { name: 'Ada' } }, order: { id: '1' } };
    expect((await client.callTool({ name: family, arguments: args })).isError).toBeUndefined();
    const refused = await client.callTool({ name: 'read', arguments: { order: { id: '1' } } });
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringMatching(/Too many requests/)]);
  });
});
