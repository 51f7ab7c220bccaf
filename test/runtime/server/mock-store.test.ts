import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { analyze } from '../../../src/compiler/analyze.js';
import { exampleArguments, isExemplary } from '../../../src/compiler/api/examples.js';
import { operationDocument } from '../../../src/compiler/api/operation-document.js';
import { printSelection } from '../../../src/compiler/api/print-selection.js';
import { defaultSelection } from '../../../src/compiler/api/selection.js';
import type { Resolvers } from '../../../src/index.js';
import { mockStore } from '../../../src/runtime/server/mock-store.js';
import { createGqlServer } from '../../../src/runtime/server/service.js';
import { noSqlite } from '../store/engines.js';

function mocked(source: string, hasDatabase?: boolean, resolvers: Resolvers = {}) {
  const store = mockStore(['ada'], hasDatabase);
  const server = createGqlServer({ topologies: [{ name: 'a.gg', source }], store, resolvers });
  onTestFinished(() => server.close());
  return {
    server,
    async run(query: string, variables = {}) {
      const { data, errors } = await server.executeOperation({ query, variables });
      expect(errors).toBeUndefined();
      return JSON.parse(JSON.stringify(data));
    },
  };
}

const shop = `
(status: Enum { values: [OPEN, PAID] })
(customer { id: ID!, name: String!, orders: [Order!]! })
(order {
  id: ID!, customer: Customer!, giver: Customer, lines: [OrderLine!]!, items: [Item!]!, status: Status! = OPEN,
  at: DateTime!, note: String, total: Float!
})
(item { id: ID!, sku: String! })
(order_line { sku: String!, copies: Int! })
(new_order: Input { customerId: ID!, lines: [NewLine!]!, items: [NewItem!], coupon: String })
(new_line: Input { sku: String! })
(new_item: Input { id: ID, sku: String! })
(root)-[:PROCESS { operation: 'customer', id: ID!, locale: String }]->(customer)
(root)-[:PROCESS { operation: 'order', orderId: ID!, returns: Order }]->(order)
(root)-[:PROCESS { operation: 'orders', status: Status, near: String, orderIds: [ID!], returns: [Order!]!, page: 5 }]->(order)
(root)-[:PROCESS { operation: 'items', returns: [Item!]! }]->(item)
(new_order)-[:FOLD { operation: 'placeOrder', returns: Order! }]->(order)
(root)-[:FOLD { operation: 'pay', orderId: ID!, returns: Order }]->(order)
(root)-[:FOLD { operation: 'annotate', id: ID!, note: String, returns: Order }]->(order)
(root)-[:FOLD { operation: 'removeOrder', id: ID!, reason: String, returns: Boolean! }]->(order)
(root)-[:FOLD { operation: 'renumber', id: ID!, returns: [Order!]! }]->(order)
(order)-[:FORK]->(order_placed { id: ID!, at: DateTime!, items: [Item!]! })
`;

describe.skipIf(noSqlite)('a mock', () => {
  const cases = readdirSync('golden')
    .filter((name) => name.startsWith('language-'))
    .map((name) => `golden/${name}/input.gg`)
    .filter((path) => existsSync(path));

  test.each(cases)('answers the operations of %s', async (file) => {
    const readImport = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);
    const topologies = analyze({ name: file, source: readFileSync(file, 'utf8') }, { readImport });
    if (topologies.diagnostics.some(({ severity }) => severity === 'error')) return;
    const server = createGqlServer({ topologies, store: mockStore(), authenticate: () => null });
    onTestFinished(() => server.close());
    const { schema } = server;
    for (const operation of [...schema.queries, ...schema.mutations]) {
      if (operation.edges.length === 0) continue;
      const selection = defaultSelection(schema, operation.type);
      const given = operation.arguments.filter((argument) => isExemplary(operation, argument));
      const { errors = [] } = await server.executeOperation({
        query: operationDocument(schema, operation, selection === undefined ? '' : printSelection(selection)),
        variables: exampleArguments(schema, given),
      });
      const codes = errors.map(({ extensions }) => extensions?.code);
      // Files are a part of forms alone.
      if (!file.includes('uploads')) expect(codes, operation.name).toEqual([]);
    }
  });

  test('stores what mutations write, and reads and lists it', async () => {
    const { run } = mocked(shop);
    const { placeOrder } = await run(
      `mutation { placeOrder(input: { customerId: "2", lines: [{ sku: "a" }], items: [{ id: "1", sku: "x" }] }) {
        id status total lines { sku copies } customer { id } items { id sku } } }`,
    );
    expect(placeOrder).toMatchObject({
      status: 'OPEN',
      lines: [{ sku: 'a', copies: 3 }],
      customer: { id: '2' },
      items: [{ sku: 'x' }],
    });
    const { id } = placeOrder;
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    const again = await run('query ($id: ID!) { order(orderId: $id) { id items { sku } giver { id } } }', {
      id,
    });
    expect(again.order).toEqual({ id, items: [{ sku: 'x' }], giver: null });
    const { customer } = await run('{ customer(id: "2") { orders { id } } }');
    expect(customer.orders).toContainEqual({ id });
    const listed = await run('query ($id: ID!) { orders(orderIds: [$id]) { edges { node { id } } } }', {
      id,
    });
    expect(listed.orders.edges).toEqual([{ node: { id } }]);
    expect(await run('mutation ($id: ID!) { pay(orderId: $id) { id } }', { id })).toEqual({ pay: { id } });
    expect(await run('mutation ($id: ID!) { annotate(id: $id, note: "n") { note } }', { id })).toEqual({
      annotate: { note: 'n' },
    });
    expect(await run('mutation ($id: ID!) { removeOrder(id: $id, reason: "r") }', { id })).toEqual({
      removeOrder: true,
    });
    expect(await run('query ($id: ID!) { order(orderId: $id) { id } }', { id })).toEqual({ order: null });
  });

  test('has example rows, which refer to each other', async () => {
    const { run } = mocked(shop);
    const { orders } = await run(
      '{ orders(near: "here", first: 20) { edges { node { id status customer { id name } giver { id } } } } }',
    );
    expect(orders.edges).toHaveLength(20);
    expect(orders.edges[0].node).toMatchObject({ id: '1', customer: { id: '1', name: 'Ada Lovelace' } });
    const { orders: paid } = await run('{ orders(status: PAID, first: 20) { edges { node { status } } } }');
    expect(paid.edges.length).toBeGreaterThan(0);
    expect(paid.edges.length).toBeLessThan(20);
  });

  test('sends the events of mutations, with the related rows, and made-up values for what they lack', async () => {
    const { server, run } = mocked(shop);
    const events = (await server.subscribe({
      query: 'subscription { orderPlaced { id at items { id sku } } }',
    })) as AsyncGenerator<{ data: unknown; errors: unknown }>;
    const next = events.next();
    const { pay } = await run('mutation { pay(orderId: "3") { id } }');
    const { value } = await next;
    expect(value.errors).toBeUndefined();
    const { order } = await run('{ order(orderId: "3") { items { id sku } } }');
    expect(value.data).toEqual({ orderPlaced: { id: pay.id, at: expect.any(String), items: order.items } });
    await events.return(undefined);
  });

  test('makes up what no table can serve', async () => {
    const { run } = mocked(shop);
    expect(await run('mutation { renumber(id: "9") { id customer { name } } }')).toEqual({
      renumber: [{ id: '9', customer: { name: 'Ada Lovelace' } }],
    });
  });

  test('gives the result of a mutation to the queries about its subject', async () => {
    const { run } = mocked(`
(read_user { id: ID!, name: String!, email: String, level: Int! = 3 })
(save_user { id: ID!, name: String! })
(drop_user { id: ID! })
(find_user { id: ID!, other: String })
(root)-[:PROCESS { id: ID! }]->(read_user)
(root)-[:PROCESS { id: ID! }]->(find_user)
(input { id: ID, name: String! })-[:FOLD]->(save_user)
(root)-[:FOLD { operation: 'removeUser', id: ID!, returns: SaveUser }]->(save_user)
`);
    const { saveUser } = await run('mutation { saveUser(input: { name: "Mary" }) { id name } }');
    const read = 'query ($id: ID!) { readUser(id: $id) { name level email } findUser(id: $id) { id } }';
    expect(await run(read, saveUser)).toEqual({
      readUser: { name: 'Mary', level: 3, email: null },
      findUser: { id: saveUser.id },
    });
    await run('mutation ($id: ID!) { saveUser(input: { id: $id, name: "Ann" }) { id } }', saveUser);
    expect((await run(read, saveUser)).readUser.name).toBe('Ann');
    await run('mutation ($id: ID!) { removeUser(id: $id) { id } }', saveUser);
    expect(await run(read, saveUser)).toEqual({ readUser: null, findUser: null });
    expect(await run('mutation { removeUser(id: "none") { id } }')).toEqual({ removeUser: null });
  });

  test('gives rows of a node with an owner to callers', async () => {
    const source = `
/// @owner userId
(note { id: ID!, userId: ID!, text: String! })
(root)-[:PROCESS { operation: 'notes', owner: 'userId', returns: [Note!]! }]->(note)
(root)-[:FOLD { operation: 'write', text: String!, auth: 'required', returns: Note! }]->(note)`;
    const server = createGqlServer({
      topologies: [{ name: 'a.gg', source }],
      store: mockStore(['ada']),
      authenticate: () => null,
    });
    onTestFinished(() => server.close());
    const ask = async (id: string, query: string) => {
      const { data } = await server.executeOperation({ query, principal: { id, scopes: [] } });
      return JSON.parse(JSON.stringify(data));
    };
    expect((await ask('ada', '{ notes { id } }')).notes).toHaveLength(20);
    expect(await ask('bob', '{ notes { id } }')).toEqual({ notes: [] });
    await ask('bob', 'mutation { write(text: "x") { id } }');
    expect(await ask('bob', '{ notes { userId text } }')).toEqual({ notes: [{ userId: 'bob', text: 'x' }] });
  });

  test('gives context.store() to resolvers, which win', async () => {
    const { run, server } = mocked(shop, true, {
      Query: {
        items: async (_parent: unknown, _args: unknown, context: unknown) =>
          (await (context as { store: typeof server.store }).store())
            .selectFrom('item' as never)
            .selectAll()
            .limit(2)
            .execute(),
      },
    });
    expect((await run('{ items { sku } }')).items).toHaveLength(2);
  });

  test('keeps keys of several columns of stored nodes', async () => {
    const { run } = mocked(`
(user: Stored { id: ID!, name: String!, memberships: [Membership!]! })
(membership: Stored {
  /// @store key
  userId: ID!, user: User,
  /// @store key
  club: ID!, since: DateTime })
(root)-[:PROCESS { operation: 'users', returns: [User!]! }]->(user)
(root)-[:PROCESS { operation: 'membership', userId: ID!, club: ID! }]->(membership)
(root)-[:FOLD { operation: 'addMembership', userId: ID!, club: ID! }]->(membership)
(root)-[:FOLD { operation: 'removeMembership', userId: ID!, club: ID!, reason: String }]->(membership)
(root)-[:FOLD { operation: 'greet', userId: ID! }]->(membership)`);
    const of = '(userId: "1", club: "new")';
    expect(await run(`mutation { addMembership${of} { userId user { id } club } }`)).toEqual({
      addMembership: { userId: '1', user: { id: '1' }, club: 'new' },
    });
    expect(await run(`mutation { removeMembership${of} { club } }`)).toEqual({
      removeMembership: { club: 'new' },
    });
    expect(await run(`{ membership${of} { club } }`)).toEqual({ membership: null });
    expect((await run('mutation { greet(userId: "1") { userId } }')).greet).toEqual({ userId: '1' });
  });

  test('follows relations that several columns could lead to', async () => {
    const { run } = mocked(`
(person { id: ID!, name: String!, letters: [Letter!]!,
  /// @store by toId
  received: [Letter!]! })
(letter { id: ID!, fromId: ID!, toId: ID!,
  /// @store by fromId
  sender: Person!,
  /// @store by toId
  receiver: Person! })
(root)-[:PROCESS { operation: 'people', returns: [Person!]! }]->(person)
(root)-[:PROCESS { operation: 'letters', returns: [Letter!]! }]->(letter)`);
    const { letters, people } = await run(
      '{ letters { id sender { id } receiver { id } } people { id letters { id } received { id } } }',
    );
    for (const { id, letters: sent, received } of people) {
      const idsOf = (list: { id: string }[]) => list.map((one) => one.id).toSorted();
      const by = (role: string) => letters.filter((one: Record<string, { id: string }>) => one[role]?.id === id);
      expect(idsOf(sent)).toEqual(idsOf(by('sender')));
      expect(idsOf(received)).toEqual(idsOf(by('receiver')));
    }
  });

  test('runs races of queries', async () => {
    const { run } = mocked(`
(cached_page { id: ID!, text: String! })
(fresh_page { id: ID!, text: String! })
(other { id: ID!, page: Page, pick: Choice! })
(a { id: ID! })
(b { name: String! })
(a | b)-[:RACE]->(choice)
(root)-[:PROCESS { id: ID! }]->(cached_page)
(root)-[:PROCESS { id: ID! }]->(fresh_page)
(cached_page | fresh_page)-[:RACE]->(page)
(root)-[:PROCESS { id: ID! }]->(page)
(root)-[:PROCESS { id: ID! }]->(other)
`);
    const { page, other } = await run(
      '{ page(id: "2") { __typename ... on CachedPage { id } } other(id: "1") { pick { __typename } } }',
    );
    expect(page).toEqual({ __typename: 'CachedPage', id: '2' });
    expect(other.pick).toEqual({ __typename: 'A' });
  });
});

test('makes up all answers without a database', async () => {
  const { run, server } = mocked(
    `${shop}
(hall { name: 'Hall', size: Int! })
(root)-[:PROCESS]->(hall)
(root)-[:PROCESS { operation: 'count', returns: Int! }]->(hall)
(root)-[:PROCESS { operation: 'nothing', ids: [ID!], returns: [Order!] }]->(order)`,
    false,
  );
  const { customer, orders, hall, count, nothing } = await run(
    '{ customer(id: "7") { id name orders { id } } orders { edges { node { id } } } hall { name size } count nothing { id } }',
  );
  expect(customer).toEqual({ id: '7', name: 'Ada Lovelace', orders: [{ id: '1' }] });
  expect(orders.edges).toEqual([{ node: { id: '1' } }]);
  expect(hall).toEqual({ name: 'Hall', size: 10 });
  expect(count).toBe(3);
  expect(nothing).toEqual([{ id: '1' }]);
  const { placeOrder } = await run(
    'mutation { placeOrder(input: { customerId: "2", lines: [{ sku: "a" }] }) { id lines { sku copies } } }',
  );
  expect(placeOrder).toEqual({ id: '1', lines: [{ sku: 'a', copies: 3 }] });
  await expect(server.store()).rejects.toThrow('no database');
  await expect(mockStore([], false).open({ tables: [] })).rejects.toThrow('needs Node.js 22.13 and Kysely');
});
