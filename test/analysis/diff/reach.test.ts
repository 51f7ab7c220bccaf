import { describe, expect, it } from 'vitest';
import type { ChangeReach } from '../../../src/analysis/diff/model/change.js';
import { createReachFinder } from '../../../src/analysis/diff/reach.js';
import { schemaToCollection } from '../../../src/compiler/emit/collection.js';
import { changesBetween, schemaFrom } from './schemas.js';

/** What one change reaches. */
function reachOf(kind: string, coordinate: string, before: string, after: string): ChangeReach {
  const changes = changesBetween(before, after);
  const found = changes.find((change) => change.kind === kind && change.coordinate === coordinate);
  if (found === undefined) throw new Error(`no ${kind} of ${coordinate} among ${JSON.stringify(changes)}`);
  return found.reach;
}

const base = `
  (colour: Enum { values: [RED, BLUE] })
  (lead { name: String, shade: Colour })
  (team { lead: Lead })
  (user { id: ID!, team: Team })
  (other { id: ID! })
  (root)-[:PROCESS { id: ID! }]->(user)
  (root)-[:PROCESS]->(other)
  (user)-[:FOLD]->(saved { id: ID! })
  (saved)-[:FORK]->(heard { user: User })
`;

describe('a change reaches', () => {
  it('operations that return a type, also nested, or take it through inputs', () => {
    const after = base.replace('name: String, ', '');
    expect(reachOf('field-removed', 'Lead.name', base, after)).toEqual({
      queries: ['user'],
      mutations: [],
      subscriptions: ['heard'],
      routes: ['GET /api/user', 'SSE /api/heard'],
      requests: ['REST / user', 'GraphQL / user'],
      isComplete: true,
    });
    expect(reachOf('input-field-removed', 'LeadInput.name', base, after)).toEqual({
      queries: [],
      mutations: ['saved'],
      subscriptions: [],
      routes: ['POST /api/saved'],
      requests: ['REST / saved', 'GraphQL / saved'],
      isComplete: true,
    });
  });

  it('operations that return an enum and operations that take it', () => {
    const { queries, mutations, subscriptions, requests } = reachOf(
      'enum-value-removed',
      'Colour.BLUE',
      base,
      base.replace(', BLUE', ''),
    );
    expect([queries, mutations, subscriptions]).toEqual([['user'], ['saved'], ['heard']]);
    expect(requests).toEqual(['REST / user', 'REST / saved', 'GraphQL / user', 'GraphQL / saved']);
  });

  it('operations that return a union, from its members', () => {
    const before = `${base}(fast { x: Int })(slow { y: Int })(fast | slow)-[:RACE]->(other)`;
    expect(
      reachOf('field-removed', 'Slow.y', before, before.replace('slow { y: Int }', 'slow { w: Int }')).queries,
    ).toEqual(['other']);
  });

  it('only the requests that select the changed part', () => {
    const deep = `${base}(lead { boss: Boss })(boss { rank: Int })`;
    const reach = reachOf('field-removed', 'Boss.rank', deep, deep.replace('rank: Int', 'level: Int'));
    expect(reach.routes).toEqual(['GET /api/user', 'SSE /api/heard']);
    expect(reach.requests).toEqual([]);
  });

  it('nothing if operations neither return nor take the type', () => {
    const before = `${base}(lonely { a: Int, b: Int })`;
    expect(reachOf('field-removed', 'Lonely.a', before, before.replace('a: Int, b', 'b'))).toEqual({
      queries: [],
      mutations: [],
      subscriptions: [],
      routes: [],
      requests: [],
      isComplete: true,
    });
  });

  it('only REST where GraphQL does not change', () => {
    expect(reachOf('parameter-style-changed', 'GET /api/other?like', ...styles())).toEqual({
      queries: [],
      mutations: [],
      subscriptions: [],
      routes: ['GET /api/other'],
      requests: ['REST / other'],
      isComplete: true,
    });
  });

  it('the operations of the old API for removed and changed parts', () => {
    const after = base.replace('name: String, ', '').replace('(root)-[:PROCESS]->(other)', '(root)-[:PROCESS]->(lead)');
    expect(reachOf('field-removed', 'Lead.name', base, after).queries).toEqual(['user']);
  });

  it('the operations of the new API for added parts', () => {
    const after = base.replace('(team {', '(team { motto: String,').replace('->(other)', '->(team)');
    expect(reachOf('field-added', 'Team.motto', base, after).queries).toEqual(['user', 'team']);
  });
});

describe('a reach that is too long to list', () => {
  const users = Array.from({ length: 9 }, (_, at) => `(root)-[:PROCESS { s: Shared }]->(n${at} { s: Shared })`).join(
    '',
  );
  const schema = schemaFrom(`(shared { a: Int })${users}(n0 { next: N8 })(n8 { next: N0 })`);

  it('lists the nearest operations, and states that it is incomplete', () => {
    const reachOf = createReachFinder(schema, 4);
    const cut = reachOf({ in: 'before', type: 'Shared' });
    expect(cut.queries).toEqual(['n0', 'n1', 'n2', 'n3']);
    expect(cut.isComplete).toBe(false);
    expect(reachOf({ in: 'before', operations: schema.queries })).toMatchObject({
      queries: ['n0', 'n1', 'n2', 'n3'],
      isComplete: false,
    });
    expect(reachOf({ in: 'before', type: 'N4' })).toMatchObject({ queries: ['n4'], isComplete: true });
  });

  it('is complete at exactly the limit', () => {
    const reachOf = createReachFinder(schema, 18);
    expect(reachOf({ in: 'before', type: 'Shared' })).toMatchObject({ isComplete: true });
    expect(reachOf({ in: 'before', type: 'N0', field: 'next' })).toMatchObject({
      queries: ['n0', 'n8'],
      requests: ['REST / n0', 'REST / n8', 'GraphQL / n0', 'GraphQL / n8'],
      isComplete: true,
    });
  });
});

it('names requests like the collection', () => {
  const schema = schemaFrom(base);
  const named = schemaToCollection(schema, 'Name', 'http://localhost').item.flatMap((folder) =>
    'item' in folder ? folder.item.map((request) => `${folder.name} / ${request.name}`) : [],
  );
  const reached = changesBetween(base, '(a { id: ID! })')
    .filter(({ kind }) => kind === 'operation-removed')
    .flatMap(({ reach }) => reach.requests);
  expect([...named].sort()).toEqual([...new Set(reached)].sort());
});

function styles(): [string, string] {
  const before = base.replace('[:PROCESS]->(other)', '[:PROCESS { like: Other }]->(other)');
  return [before, before.replace('(other { id: ID! })', '(other { id: ID!, of: [ID] })')];
}
