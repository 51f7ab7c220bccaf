import { describe, expect, it } from 'vitest';
import { reachOf } from '../../../../src/compiler/api/reach/reach.js';
import { project } from '../../schema/check.js';

/** What is reached from a coordinate: each query with the members that lead to it, and why it is open. */
function reached(text: string, coordinate: string): unknown {
  const { schema, diagnostics } = project(text);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return reachOf(schema)(coordinate).map(({ coordinate: found, races, open }) => [
    found,
    races.map(({ member }) => member).join(' '),
    ...(open === undefined ? [] : [open]),
  ]);
}

const race = (settings = '') =>
  `(fast { id: ID! } | slow { id: ID! })-[:RACE { union: 'Raced'${settings} }]->(found { id: ID! })
   (root)-[:PROCESS { id: ID! }]->(fast | slow | found)`;

describe('the reach of a call', () => {
  it('to a query with a race includes the queries of the branches', () => {
    expect(reached(race(), 'Query.found')).toEqual([
      ['Query.fast', 'Fast'],
      ['Query.slow', 'Slow'],
    ]);
  });

  it('to a field with a race includes the queries of the branches, unless the field is a constant or a list', () => {
    const fields = `(root)-[:PROCESS { x: Int }]->(search { best: Raced, all: [Raced!]!, other: Fast })`;
    expect(reached(race() + fields, 'Search.best')).toHaveLength(2);
    expect(reached(race() + fields, 'Search.all')).toEqual([]);
    expect(reached(race() + fields, 'Search.other')).toEqual([]);
  });

  it('is empty for mutations, subscriptions, plain queries and unknown coordinates', () => {
    const others = '(root)-[:FOLD { x: Int }]->(found) (root)-[:FORK { x: Int }]->(found)';
    for (const coordinate of [
      'Mutation.found',
      'Subscription.found',
      'Query.fast',
      'Query.no',
      'No.no',
      'x',
    ]) {
      expect(reached(race() + others, coordinate)).toEqual([]);
    }
  });

  it('includes the queries of nested races, each once', () => {
    const nested = `(a: S { internal: true, id: ID! } | b: S { internal: true, id: ID! })-[:RACE]->(c: S { internal: true, id: ID! })
      (c | a)-[:RACE]->(d { id: ID! }) (root)-[:PROCESS { id: ID! }]->(a | b | c | d)`;
    expect(reached(nested, 'Query.d')).toEqual([
      ['Query.c', 'C'],
      ['Query.a', 'C A'],
      ['Query.b', 'C B'],
    ]);
  });

  it('ends if queries race each other in a cycle', () => {
    const circle = `(a: S { internal: true, id: ID! } | b: S { internal: true, id: ID! })-[:RACE]->(a)
      (a)-[:RACE { internal: true }]->(c { id: ID! }) (root)-[:PROCESS { id: ID! }]->(a | b | c)`;
    expect(reached(circle, 'Query.c')).toEqual([
      ['Query.a', 'A'],
      ['Query.b', 'A B'],
    ]);
  });

  it('is open for the branches of an open edge, and for everything that an open operation reaches', () => {
    expect(reached(race(", open: 'public'"), 'Query.found')).toEqual([
      ['Query.fast', 'Fast', 'public'],
      ['Query.slow', 'Slow', 'public'],
    ]);
    const opened = race().replace('(root)-[:PROCESS { id: ID! }]->(fast | slow | found)', '');
    const edges = `(root)-[:PROCESS { id: ID! }]->(fast | slow) (root)-[:PROCESS { id: ID!, open: 'known' }]->(found)`;
    expect(reached(opened + edges, 'Query.found')).toEqual([
      ['Query.fast', 'Fast', 'known'],
      ['Query.slow', 'Slow', 'known'],
    ]);
  });

  it('is closed if one of several paths is closed', () => {
    const twoWays = `(a: S { internal: true, id: ID! })-[:RACE]->(b: S { internal: true, id: ID! })
      (a)-[:RACE { open: 'this way' }]->(c { id: ID! }) (b)-[:RACE]->(c)
      (root)-[:PROCESS { id: ID! }]->(a | b | c)`;
    expect(reached(twoWays, 'Query.c')).toEqual([
      ['Query.a', 'B A'],
      ['Query.b', 'B'],
    ]);
  });
});
