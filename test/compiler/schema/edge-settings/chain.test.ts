import { describe, expect, test } from 'vitest';
import { analyze } from '../../../../src/compiler/analyze.js';
import { apiChains, durableChains } from '../../../../src/compiler/api/chains/api-chains.js';
import { waitsOf } from '../../../../src/compiler/api/chains/waits.js';

const shop = (goal: string, more = '') => `
  (customer { id: ID! }) (order { id: ID! }) (card { id: ID! })
  (root)-[:FOLD { operation: 'signUp', returns: Customer! }]->(customer)
  (customer)-[:FOLD { operation: 'placeOrder', customerId: ID!, returns: Order! }]->(order)
  (order)-[:FOLD { operation: 'payOrder', id: ID!, returns: Card!${goal} }]->(card)
  (root)-[:PROCESS { operation: 'shops' }]->(shop { name: String }) ${more}`;
const codes = (text: string) => analyze(text).diagnostics.map(({ code }) => code);
const chains = (text: string) =>
  apiChains(analyze(text).schema).map(({ path, steps }) => [path, steps.map(({ name }) => name)]);

describe('the setting chain', () => {
  test('makes a chain of the operation and those that lead to it', () => {
    expect(codes(shop(', chain: true'))).toEqual([]);
    expect(chains(shop(', chain: true'))).toEqual([['/api/chains/payOrder', ['signUp', 'placeOrder', 'payOrder']]]);
    expect(chains(shop(''))).toEqual([]);
  });

  test('names a mutation apart from a query of the same name', () => {
    const query = "(root)-[:PROCESS { operation: 'payOrder', id: ID! }]->(card)";
    expect(chains(shop(', chain: true', query)).map(([path]) => path)).toEqual(['/api/chains/payOrder_mutation']);
  });

  test.each(["'true'", 'false', "['signUp']"])('rejects the value %s', (value) => {
    expect(codes(shop(`, chain: ${value}`))).toEqual(['GG2018']);
  });

  test('has no effect on a FORK edge', () => {
    expect(codes(shop('', '(order)-[:FORK { chain: true }]->(placed { id: ID! })'))).toEqual(['GG3012']);
  });

  test('warns of a chain of one step, and rejects one that takes files', () => {
    expect(codes(shop('', "(root)-[:PROCESS { operation: 'all', chain: true }]->(list { x: Int })"))).toEqual([
      'GG3115',
    ]);
    const upload =
      "(order)-[:FOLD { operation: 'proof', orderId: ID!, file: File!, chain: true }]->(proof { id: ID! })";
    expect(codes(shop('', upload))).toEqual(['GG3116']);
  });

  test('ignores the alias of an old name', () => {
    const renamed = shop(', chain: true').replace('(order)-[:FOLD', '/// @was pay until 2099-01\n(order)-[:FOLD');
    expect(chains(renamed).map(([path]) => path)).toEqual(['/api/chains/payOrder']);
  });

  test('is durable with the setting durable, which has no effect alone', () => {
    const durable = shop(', chain: true, durable: true');
    expect(codes(durable)).toEqual([]);
    expect(durableChains(analyze(durable).schema).map(({ name }) => name)).toEqual(['payOrder']);
    expect(durableChains(analyze(shop(', chain: true')).schema)).toEqual([]);
    expect(codes(shop(', durable: true'))).toEqual(['GG3117']);
    expect(codes(shop(", chain: true, durable: 'yes'"))).toEqual(['GG2018']);
  });

  test.each([
    ['a subscription payOrderRun', "(order)-[:FORK { operation: 'payOrderRun' }]->(ran { id: ID! })"],
    ['a type ChainRun', '(root)-[:PROCESS]->(chain_run { id: ID! })'],
    ['a type ChainRunProblem', '(root)-[:PROCESS]->(chain_run_problem { id: ID! })'],
  ])('cannot be durable beside %s', (_, more) => {
    expect(codes(shop(', chain: true', more))).toEqual([]);
    expect(codes(shop(', chain: true, durable: true', more))).toEqual(['GG3121']);
  });

  test('has steps that name what undoes them, with arguments that the step gives', () => {
    const drop = (args: string) =>
      shop(
        ', chain: true, durable: true',
        `(order)-[:FOLD { operation: 'drop', id: ID!${args}, returns: Order! }]->(order)`,
      ).replace('returns: Order! }', "returns: Order!, undo: 'drop', retries: 5 }");
    expect(codes(drop(''))).toEqual([]);
    expect(codes(drop(', customerId: ID!, note: String'))).toEqual([]);
    expect(codes(drop(', reason: String!'))).toEqual(['GG3118']);
    expect(codes(drop('').replace("undo: 'drop'", "undo: 'dorp'"))).toEqual(['GG3118']);
    expect(codes(drop('').replace("undo: 'drop'", 'undo: 3'))).toEqual(['GG2018']);
    expect(codes(drop('').replace('retries: 5', 'retries: 101'))).toEqual(['GG2018']);
    expect(codes(drop('').replace(', durable: true', ''))).toEqual(['GG3119']);
    const inside = drop(', why: Why!').concat('(why: Input { orderId: ID!, text: String! })');
    expect(codes(inside)).toEqual(['GG3118']);
    expect(codes(inside.replace('String!', 'String'))).toEqual([]);
  });

  test('has steps that wait for events of the run, for time, and no longer than a deadline', () => {
    const packed = (settings: string, event = 'orderId: ID!') =>
      shop(
        `${settings}, chain: true, durable: true`,
        `(root)-[:FOLD { operation: 'pack', key: Int, returns: Packing! }]->(packing { key: ID!, orderId: ID })
        (packing)-[:FORK]->(order_packed { ${event} })`,
      );
    expect(codes(packed(", awaits: 'orderPacked', within: '2d', pause: '1h'"))).toEqual([]);
    expect(codes(packed(", awaits: 'orderPakced'"))).toEqual(['GG3120']);
    expect(codes(packed(", awaits: 'orderPacked'", 'total: Int'))).toEqual(['GG3122']);
    expect(codes(packed(", awaits: 'orderPacked'", 'orderIds: [ID!]'))).toEqual(['GG3122']);
    expect(codes(packed(', awaits: true'))).toEqual(['GG2018']);
    for (const wrong of ["'2'", '5', "'366d'", "'soon'"])
      for (const word of ['within', 'pause'])
        expect(codes(packed(`, ${word}: ${wrong}`)), `${word}: ${wrong}`).toContain('GG2018');
    for (const setting of ["awaits: 'orderPacked'", "within: '2d'", "pause: '1h'"])
      expect(codes(packed(`, ${setting}`).replace(', durable: true', ''))).toEqual(['GG3119']);
  });

  test('waits for the event with the id that the last step before it gives', () => {
    const of = (event: string, goal = '') => {
      const { schema } = analyze(
        shop(
          `${goal}, awaits: 'orderPacked', chain: true, durable: true`,
          `(root)-[:FOLD { operation: 'redo', note: Int, returns: Order! }]->(order)
          (packing { x: Int })-[:FORK]->(order_packed { ${event} })`,
        ),
      );
      const [chain] = durableChains(schema);
      if (chain === undefined) throw new Error('there is no chain');
      return waitsOf(schema, chain).waits.map(({ field, from, argument }) => [field, from.name, argument]);
    };
    expect(of('customerId: ID!, orderId: ID!')).toEqual([['orderId', 'placeOrder', ['id']]]);
    expect(of('cardId: ID!, customerId: ID!')).toEqual([['customerId', 'signUp', undefined]]);
  });

  test('rejects a route with a path of the runs of durable chains', () => {
    const route = "(root)-[:PROCESS { operation: 'x', key: ID!, route: 'GET /api/runs/{key}' }]->(x { y: Int })";
    expect(codes(shop(', chain: true, durable: true', route))).toEqual(['GG3039']);
    expect(codes(shop(', chain: true', route))).toEqual([]);
  });

  test('rejects a route with the path of a chain', () => {
    const route = "(root)-[:PROCESS { operation: 'x', route: 'GET /api/chains/payOrder' }]->(x { y: Int })";
    expect(codes(shop(', chain: true', route))).toEqual(['GG3039']);
  });
});
