import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findChains, longestChain } from '../../../../src/compiler/api/chains/chains.js';
import type { GqlOperation, GqlSchema } from '../../../../src/compiler/schema/gql-schema.js';
import { topologies } from '../../../arbitraries/topology.js';
import { project } from '../../schema/check.js';

function chainsOf(schema: GqlSchema) {
  return findChains(schema, ({ variable }) => `<${variable}>`);
}

/** Each chain as `a -> b(argument=a.path)!event`. */
function printChains(text: string): string[] {
  return chainsOf(project(text).schema).map(({ steps }) =>
    steps
      .map(({ operation, call, events }) => {
        const ids = call.places.map(
          ({ path, link }) => `${path.join('.')}=${[link.producer.name, ...link.path].join('.')}`,
        );
        return [operation.name, ids.length === 0 ? '' : `(${ids})`, ...events.map(({ name }) => `!${name}`)].join('');
      })
      .join(' -> '),
  );
}

const shop = `
  (customer { id: ID!, name: String! })
  (order { id: ID!, buyer: Customer!, total: Int! })
  (sign_up: Input { name: String! })-[:FOLD { returns: Customer }]->(signed_up)
  (basket: Input { buyerId: ID!, total: Int! })-[:FOLD { operation: 'placeOrder', returns: Order }]->(order)
  (shop)-[:PROCESS { id: ID! }]->(order)
  (order)-[:FORK { id: ID }]->(order_placed: Event { id: ID!, total: Int! })
`;

describe('a chain', () => {
  it('leads to its last operation over the operations whose ids it takes', () => {
    expect(printChains(shop)).toEqual([
      'signedUp -> placeOrder(input.buyerId=signedUp.id)!orderPlaced -> order(id=placeOrder.id)',
    ]);
  });

  it('is only the operation itself if it takes no ids', () => {
    expect(printChains('(root)-[:PROCESS { name: String! }]->(user { name: String! })')).toEqual(['user']);
  });

  it('takes an id in a role from the result, by the type of the field with that name', () => {
    expect(printChains(shop.replaceAll('buyer', 'recipient'))[0]).toContain('input.recipientId=signedUp.id');
    expect(printChains(shop.replace('buyer: Customer!', 'buyer: String!'))[1]).toBe(
      'placeOrder!orderPlaced -> order(id=placeOrder.id)',
    );
  });

  it('takes ids from the mutations that make objects, and not from those that change them, in any order', () => {
    const mutations = [
      "(customer)-[:FOLD { operation: 'signUp', name: String!, returns: Customer! }]->(customer)",
      "(order)-[:FOLD { operation: 'placeOrder', customerId: ID!, returns: Order! }]->(order)",
      "(order)-[:FOLD { operation: 'payOrder', id: ID!, returns: Order! }]->(order)",
      "(order)-[:FOLD { operation: 'cancelOrder', orderId: ID! }]->(order)",
    ];
    const order = fc.shuffledSubarray(mutations, { minLength: mutations.length });
    fc.assert(
      fc.property(order, (edges) => {
        const chains = printChains(`
          (customer { id: ID!, name: String! }) (order { id: ID!, customerId: ID! })
          ${edges.join('\n')}
          (root)-[:PROCESS { id: ID! }]->(order)`);
        const made = 'signUp -> placeOrder(customerId=signUp.id) ->';
        expect(chains.toSorted()).toEqual([
          `${made} cancelOrder(orderId=placeOrder.id)`,
          `${made} order(id=placeOrder.id)`,
          `${made} payOrder(id=placeOrder.id)`,
        ]);
      }),
      { numRuns: 24 },
    );
  });

  it('has a maximum length, and says if it was cut', () => {
    const line = Array.from(
      { length: longestChain + 3 },
      (_, at) =>
        `(t${at} { id: ID! }) (in${at}: Input { ${at === 0 ? 'n: Int' : `t${at - 1}Id: ID!`} })-[:FOLD { operation: 'make${at}', returns: T${at} }]->(t${at})`,
    );
    const chains = chainsOf(project(line.join('\n')).schema);
    expect(chains.map(({ goal, steps, isCut }) => [goal.name, steps.length, isCut])).toEqual([
      ['make2', 3, undefined],
      [`make${longestChain + 2}`, longestChain, true],
    ]);
    expect(chains[1]?.steps[0]?.call.places).toEqual([]);
  });

  it('exists for each cycle, in which the first step keeps its example', () => {
    const cycle = `
      (a { id: ID! }) (b { id: ID! })
      (x: Input { bId: ID! })-[:FOLD { operation: 'makeA', returns: A }]->(made_a)
      (y: Input { aId: ID! })-[:FOLD { operation: 'makeB', returns: B }]->(made_b)
    `;
    const [chain, ...others] = printChains(cycle);
    expect(others).toEqual([]);
    expect(['makeA -> makeB(input.aId=makeA.id)', 'makeB -> makeA(input.bId=makeB.id)']).toContain(chain);
  });
});

it('every operation of a random topology is in a chain, at most once in each, and takes ids only from earlier steps', () => {
  fc.assert(
    fc.property(topologies({ maxNodes: 9, maxPipelines: 6 }), ({ text }) => {
      const { schema } = project(text);
      const chains = chainsOf(schema);
      const covered = new Set<string>();
      for (const { goal, steps } of chains) {
        expect(steps.at(-1)?.operation).toBe(goal);
        const before = new Set<GqlOperation>();
        for (const { operation, call } of steps) {
          for (const { link } of call.places) expect(before).toContain(link.producer);
          expect(before).not.toContain(operation);
          before.add(operation);
          covered.add(`${operation.kind} ${operation.name}`);
        }
      }
      const all = [...schema.queries, ...schema.mutations].map(({ kind, name }) => `${kind} ${name}`);
      expect([...covered].sort()).toEqual(all.sort());
      expect(new Set(chains.map(({ goal }) => goal)).size).toBe(chains.length);
    }),
    { numRuns: 300 },
  );
});
