import { expect } from 'vitest';
import { createGqlServer, type Store } from '../../../../src/index.js';

const source = `
(shop: Stored {
  /// @store key
  city: ID!,
  /// @store key
  number: Int!,
  name: String!,
  orders: [Order!]!,
  /// @page 2 totalCount
  pages: [Order!]!
})
(order: Stored {
  /// @store key
  city: ID!,
  /// @store key
  id: ID!,
  shopNumber: Int,
  shop: Shop,
  parentId: ID,
  parent: Order,
  note: String
})
(new_order: Input { city: ID, id: ID!, shop: NewShop, parentId: ID, note: String })
(new_shop: Input { city: ID, number: Int!, name: String!, orders: [NewOrder!] })
(root)-[:PROCESS { operation: 'shops', returns: [Shop!]! }]->(shop)
(root)-[:PROCESS { operation: 'order', city: ID!, id: ID! }]->(order)
(new_shop)-[:FOLD { operation: 'addShop', writes: 'insert', returns: Shop! }]->(shop)
(root)-[:FOLD { operation: 'dropShop', city: ID!, number: Int!, returns: Boolean }]->(shop)
(root)-[:FOLD { operation: 'addOrder', city: ID!, id: ID!, shopNumber: Int, shop: NewShop, parentId: ID, writes: 'insert', returns: Order! }]->(order)
(root)-[:FOLD { operation: 'moveOrder', city: ID!, id: ID!, shopNumber: Int, shop: NewShop, parentId: ID, returns: Order }]->(order)
`;

/** Reads and writes relations to keys of two columns, which share the column `city` with the rows themselves. */
export async function checkWideRelations(store: Store): Promise<void> {
  const server = createGqlServer({ topologies: [{ name: 'a.gg', source }], store });
  const run = async (query: string): Promise<unknown> => {
    const { data, errors } = await server.executeOperation({ query });
    return errors ? errors.map(({ message, extensions: { code } }) => `${code} ${message}`).join() : data?.it;
  };
  try {
    expect(
      await run(`mutation { it: addShop(input: { city: "a", number: 1, name: "one", orders: [
        { id: "x" }, { id: "y", city: "a" }, { id: "z", parentId: "x", note: "last" }
      ] }) { orders { id shop { name } parent { id } } } }`),
    ).toEqual({
      orders: [
        { id: 'x', shop: { name: 'one' }, parent: null },
        { id: 'y', shop: { name: 'one' }, parent: null },
        { id: 'z', shop: { name: 'one' }, parent: { id: 'x' } },
      ],
    });
    expect(
      await run(`mutation { it: addOrder(city: "b", id: "x", shop: { number: 1, name: "two" }) {
        city shopNumber shop { city name orders { id } } } }`),
    ).toEqual({ city: 'b', shopNumber: 1, shop: { city: 'b', name: 'two', orders: [{ id: 'x' }] } });
    expect(
      await run(`{ it: shops { city number orders { id parent { id } }
        pages { totalCount edges { node { id shop { name } } } } } }`),
    ).toEqual([
      {
        city: 'a',
        number: 1,
        orders: [
          { id: 'x', parent: null },
          { id: 'y', parent: null },
          { id: 'z', parent: { id: 'x' } },
        ],
        pages: {
          totalCount: 3,
          edges: [{ node: { id: 'x', shop: { name: 'one' } } }, { node: { id: 'y', shop: { name: 'one' } } }],
        },
      },
      {
        city: 'b',
        number: 1,
        orders: [{ id: 'x', parent: null }],
        pages: { totalCount: 1, edges: [{ node: { id: 'x', shop: { name: 'two' } } }] },
      },
    ]);
    // The page of the result of a mutation is read by a statement of its own, for its keys.
    expect(
      await run(
        'mutation { it: moveOrder(city: "a", id: "y", parentId: "x") { shop { pages(first: 1) { totalCount edges { node { id } } } } parent { id } } }',
      ),
    ).toEqual({ shop: { pages: { totalCount: 3, edges: [{ node: { id: 'x' } }] } }, parent: { id: 'x' } });
    expect(await run('mutation { it: moveOrder(city: "a", id: "y", parentId: "none") { id } }')).toBe(
      'BAD_USER_INPUT “parentId” names no object.',
    );
    expect(await run('mutation { it: moveOrder(city: "a", id: "y", parentId: null) { parent { id } } }')).toEqual({
      parent: null,
    });
    expect(
      await run(
        'mutation { it: moveOrder(city: "b", id: "x", shop: { number: 2, name: "three" }) { shop { city name } } }',
      ),
    ).toEqual({ shop: { city: 'b', name: 'three' } });
    expect(
      await run('mutation { it: addOrder(city: "b", id: "v", shop: { city: "a", number: 9, name: "" }) { id } }'),
    ).toBe('BAD_USER_INPUT “shop.city” contradicts another value for the same reference.');
    expect(await run('mutation { it: addOrder(city: "b", id: "v", shopNumber: 7) { id } }')).toBe(
      'BAD_USER_INPUT “shopNumber” names no object.',
    );
    expect(await run('mutation { it: dropShop(city: "a", number: 1) }')).toContain('STILL_REFERENCED');
    expect(await run('mutation { it: dropShop(city: "b", number: 1) }')).toBe(true);
    expect(await run('{ it: order(city: "a", id: "y") { shop { orders { shop { name } } } } }')).toEqual({
      shop: { orders: Array.from({ length: 3 }, () => ({ shop: { name: 'one' } })) },
    });
  } finally {
    await server.close();
  }
}
