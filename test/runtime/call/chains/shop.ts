import { GraphQLError } from 'graphql';
import type { GqlServerOptions } from '../../../../src/index.js';

/** A shop whose goal `payOrder` has three steps, and the names of the mutations that ran. */
export function shop(more: Partial<GqlServerOptions> = {}) {
  const ran: string[] = [];
  let customers = 6;
  let orders = 0;
  const state = { isDeclined: false };
  const source = `
    (customer { id: ID!, name: String! })
    (order { id: ID!, total: Int! })
    (card { id: ID!, code: String })
    (sign_up: Input { name: String! })
    (sign_up)-[:FOLD { operation: 'signUp', returns: Customer! }]->(customer)
    (customer)-[:FOLD { operation: 'placeOrder', customerId: ID!, /// @minimum 1
      total: Int! = 5, returns: Order, chain: true }]->(order)
    (order)-[:FOLD { operation: 'payOrder', id: ID!, returns: Card, chain: true }]->(card)
    (order)-[:FORK]->(order_placed { id: ID! })
    (shop)-[:PROCESS { id: ID! }]->(order)
    (shop)-[:PROCESS { operation: 'orders', page: 2, returns: Order }]->(order)
  `;
  const note = <Value>(name: string, value: Value) => {
    ran.push(name);
    return value;
  };
  const options = {
    topologies: [{ name: 'shop.gg', source }],
    idempotency: {},
    mcp: true,
    resolvers: {
      Query: {
        order: (_: unknown, { id }: { id: string }) => ({ id, total: 1 }),
        orders: () => ['1', '2', '3'].map((id) => ({ id, total: 1 })),
      },
      Mutation: {
        signUp: (_: unknown, { input }: { input: { name: string } }) =>
          note('signUp', { id: String(++customers), ...input }),
        placeOrder: (_: unknown, { customerId, total }: { customerId: string; total: number }) =>
          note('placeOrder', customerId === '0' ? null : { id: `o${customerId}-${++orders}`, total }),
        payOrder: (_: unknown, { id }: { id: string }) => {
          note('payOrder', undefined);
          if (state.isDeclined) throw new Error('The bank is away.');
          if (id === 'o1') throw new GraphQLError('The card was declined.', { extensions: { code: 'DECLINED' } });
          return { id: `c${id}`, code: 'ok' };
        },
      },
    },
    ...more,
  } as unknown as GqlServerOptions;
  return { ran, state, options };
}
