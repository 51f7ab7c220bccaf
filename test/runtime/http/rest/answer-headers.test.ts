import { afterAll, expect, test } from 'vitest';
import { createGqlServer } from '../../../../src/index.js';

const source = `
  (order {
    id: ID!,
    /// @header Location
    url: String,
    /// @header X-Total
    total: Int
  })
  (root)-[:PROCESS { url: String, total: Int, returns: Order, route: 'GET /orders' }]->(order)
  (root)-[:PROCESS { operation: 'none', returns: Order }]->(order)
  (root)-[:PROCESS { operation: 'all', returns: [Order!]! }]->(order)
  (root)-[:FOLD { url: String, returns: Order, route: 'PUT /orders', status: 204 }]->(save_order)
`;
const given = (_: unknown, args: object) => ({ id: '1', ...args });
const server = createGqlServer({
  topologies: [{ name: 'a.gg', source }],
  resolvers: {
    Query: { order: given, none: () => null, all: () => [{ id: '1', url: '/orders/1' }] },
    Mutation: { saveOrder: async (_, args) => given(_, args) },
  },
});
afterAll(() => server.close());

async function send(target: string, body?: object) {
  const init = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const { status, headers } = await server.fetch(new Request(`http://localhost${target}`, body && init));
  return [status, headers.get('location'), headers.get('x-total')];
}

test.each([
  ['has both headers', '/orders?url=/orders/1&total=3', [200, '/orders/1', '3']],
  ['lacks the header of a null', '/orders?url=/orders/1', [200, '/orders/1', null]],
  ['lacks the header of a field that it lacks', '/orders?url=/orders/1&total=3&fields=id,total', [200, null, '3']],
  ['lacks a header that cannot have the value', '/orders?url=%E2%82%AC%0A&total=3', [200, null, '3']],
  ['lacks headers without a result', '/api/none', [200, null, null]],
  ['lacks headers if it is a list', '/api/all', [200, null, null]],
])('a response %s', async (_, target, expected) => {
  expect(await send(target)).toEqual(expected);
});

test('a response without content has the header', async () => {
  expect(await send('/orders', { url: '/orders/1' })).toEqual([204, '/orders/1', null]);
});
