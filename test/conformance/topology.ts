import { GraphQLError } from 'graphql';
import type { GqlServerOptions } from '../../src/index.js';

const source = `
/// Where an order stands.
(order_state: Enum { values: [OPEN, SHIPPED] })
(point: Record { latitude: Float!, longitude: Float! })
(order: Record { id: ID!, total: Int!, state: OrderState!, note: String, tags: [String!]! })
(root)-[:PROCESS { id: ID! }]->(order)
(root)-[:PROCESS { state: OrderState = OPEN, first: Int! = 2, operation: 'listOrders', returns: [Order!]! }]->(order)
(root)-[:PROCESS { at: Point, tags: [String!], operation: 'findOrders', returns: [String!]! }]->(order)
(new_order: Record { total: Int!, note: String })-[:FOLD]->(place_order: Record { id: ID!, total: Int! })
(place_order)-[:FORK]->(order_placed: Event { id: ID!, total: Int! })
(greeting { text: 'Hello' })
(root)-[:PROCESS]->(greeting)
(root)-[:PROCESS]->(whoami: Record { name: String })
(root)-[:PROCESS]->(nowhere: Record { value: String! })
(root)-[:PROCESS { code: String }]->(refused: Record { value: String })
(root)-[:PROCESS]->(broken: Record { value: String })
(root)-[:PROCESS]->(fast_copy: Record { from: String! } | slow_copy: Record { from: String! })
(fast_copy | slow_copy)-[:RACE]->(copy)
(root)-[:PROCESS]->(copy)
`;

/** What resolvers know of a request. */
export interface ConformanceContext {
  readonly name: string | null;
}

interface Order {
  readonly id: string;
  readonly total: number;
  readonly state: string;
  readonly note?: string;
  readonly tags: readonly string[];
}

/** The topology that every host is tried with, and values for it. Each call gives a server of its own data. */
export function conformanceOptions(
  more: Partial<GqlServerOptions<ConformanceContext>> = {},
): GqlServerOptions<ConformanceContext> {
  const orders: Order[] = [
    { id: '1', total: 30, state: 'OPEN', tags: ['a', 'b'] },
    { id: '2', total: 12, state: 'SHIPPED', note: 'gift', tags: [] },
    { id: '3', total: 7, state: 'OPEN', tags: ['b'] },
  ];
  return {
    topologies: [{ name: 'orders.gg', source }],
    title: 'Orders',
    context: (request: Request) => {
      const name = request.headers.get('x-user');
      if (name === 'nobody') throw new GraphQLError('Who are you?', { extensions: { code: 'UNAUTHENTICATED' } });
      if (name === 'crash') throw new Error('session store at 10.0.0.7 is down');
      return { name };
    },
    resolvers: {
      Query: {
        order: (_: unknown, { id }: { id: string }) => orders.find((order) => order.id === id) ?? null,
        listOrders: (_: unknown, { state, first }: { state: string; first: number }) =>
          orders.filter((order) => order.state === state).slice(0, first),
        findOrders: (_: unknown, args: object) => [JSON.stringify(args)],
        whoami: (_: unknown, __: unknown, { name }: { name: string | null }) => ({ name }),
        refused: (_: unknown, { code }: { code?: string }) => {
          throw new GraphQLError('Not for you.', code === undefined ? {} : { extensions: { code } });
        },
        broken: () => {
          throw new Error('password=hunter2');
        },
        fastCopy: { from: 'fast' },
        slowCopy: () => new Promise((resolve) => setTimeout(resolve, 200, { from: 'slow' })),
      },
      Mutation: {
        placeOrder: (_: unknown, { input }: { input: { total: number } }) => {
          const order = { id: String(orders.length + 1), total: input.total, state: 'OPEN', tags: [] };
          orders.push(order);
          return order;
        },
      },
    },
    ...more,
  };
}
