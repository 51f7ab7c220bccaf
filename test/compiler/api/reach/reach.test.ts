import { describe, expect, it } from 'vitest';
import { reachOf } from '../../../../src/compiler/api/reach/reach.js';
import { project } from '../../schema/check.js';

/** What is reached from a coordinate: each query with the members that lead to it, and why it is open. */
function reached(text: string, coordinate: string): unknown {
  const { schema, diagnostics } = project(text);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return reachOf(schema)(coordinate).map(({ coordinate: found, steps, open }) => [
    found,
    steps.map((step) => (step.vent ? `VENT ${step.vent.edge.to}` : step.member)).join(' '),
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

  it('to a query with a fallback includes the fallback, its race, and its own fallback', () => {
    const vents = `
      (root)-[:PROCESS { id: ID!, returns: Price }]->(price { id: ID! } | cached | found2)
      (root)-[:PROCESS { id: ID! }]->(other { id: ID! })
      (price)-[:VENT { fallback: true }]->(cached)-[:VENT { fallback: true }]->(found2)
      (fast)-[:VENT { fallback: true }]->(spare)
      (root)-[:PROCESS { id: ID!, returns: Fast }]->(spare)
    `;
    expect(reached(race() + vents, 'Query.price')).toEqual([
      ['Query.cached', 'VENT cached'],
      ['Query.found2', 'VENT cached VENT found2'],
    ]);
    expect(reached(race() + vents, 'Query.found')).toEqual([
      ['Query.fast', 'Fast'],
      ['Query.spare', 'Fast VENT spare'],
      ['Query.slow', 'Slow'],
    ]);
    expect(reached(race() + vents, 'Query.other')).toEqual([]);
  });

  it('to a query with a fallback needs no race', () => {
    const text = `(root)-[:PROCESS { returns: Price, open: 'a price is public' }]->(price { id: ID! })
      (root)-[:PROCESS { returns: Price, internal: true }]->(cached)
      (price)-[:VENT { fallback: true }]->(cached)`;
    expect(reached(text, 'Query.price')).toEqual([['Query.cached', 'VENT cached', 'a price is public']]);
  });

  it('to a field with a race includes the queries of the branches, unless the field is a constant or a list', () => {
    const fields = `(root)-[:PROCESS { x: Int }]->(search { best: Raced, all: [Raced!]!, other: Fast })`;
    expect(reached(race() + fields, 'Search.best')).toHaveLength(2);
    expect(reached(race() + fields, 'Search.all')).toEqual([]);
    expect(reached(race() + fields, 'Search.other')).toEqual([]);
  });

  it('is empty for mutations, subscriptions, plain queries and unknown coordinates', () => {
    const others = '(root)-[:FOLD { x: Int }]->(found) (root)-[:FORK { x: Int }]->(found)';
    for (const coordinate of ['Mutation.found', 'Subscription.found', 'Query.fast', 'Query.no', 'No.no', 'x']) {
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

  it('is found along a chain that is longer than the stack of the engine', () => {
    const { schema } = project('(root)-[:PROCESS { id: ID! }]->(first { id: ID! })');
    const [query] = schema.queries;
    const queries = Array.from({ length: 6000 }, (_, at) => ({
      ...query,
      name: `q${at}`,
      vent: { query: `q${at + 1}` },
    })) as unknown as typeof schema.queries;
    expect(reachOf({ ...schema, queries })('Query.q0')).toHaveLength(5999);
  });
});
