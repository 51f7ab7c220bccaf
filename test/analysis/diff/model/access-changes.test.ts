import { expect, it } from 'vitest';
import { briefly, changesBetween } from '../schemas.js';

const edge = (settings: string, field = '', type = 'PROCESS') =>
  `(user: Record {\n${field}\n  name: String, id: ID! })\n(root)-[:${type} { ${settings} }]->(user)`;

/** The changes of access, which come with others: of the directive, and of origins. */
function changes(before: string, after: string): readonly string[] {
  return briefly(changesBetween(before, after).filter(({ kind }) => kind.startsWith('access')));
}

it.each([
  ['x: Int', "auth: 'required', x: Int", ['breaking access-tightened Query.user']],
  ["auth: 'required', x: Int", "auth: 'optional', x: Int", ['dangerous access-loosened Query.user']],
  ["auth: 'required'", "scopes: ['a']", ['breaking access-tightened Query.user']],
  ["scopes: ['a', 'b']", "scopes: ['b']", ['dangerous access-loosened Query.user']],
  [
    "scopes: ['a', 'b']",
    "scopes: ['b', 'c']",
    ['breaking access-tightened Query.user', 'dangerous access-loosened Query.user'],
  ],
  ["scopes: ['a', 'b']", "scopes: ['b', 'a']", []],
  ['x: Int', "x: Int, auth: 'optional'", []],
  ["roles: ['a', 'b']", "roles: ['a']", ['breaking access-tightened Query.user']],
  ["auth: 'required'", "roles: ['a', 'b']", ['breaking access-tightened Query.user']],
  ["anyScope: ['a', 'b']", "scopes: ['a']", ['breaking access-tightened Query.user']],
  ["scopes: ['a']", "anyScope: ['a', 'b']", ['dangerous access-loosened Query.user']],
  ["owner: 'id'", "auth: 'required'", ['dangerous access-loosened Query.user']],
  ["auth: 'required'", "owner: 'id'", ['breaking access-tightened Query.user']],
  ["auth: 'required'", "auth: 'required', open: 'known'", ['dangerous access-loosened Query.user']],
  ["auth: 'required', open: 'known'", "auth: 'required'", []],
])('reports %j for an operation whose { %s } becomes { %s }', (before, after, expected) => {
  expect(changes(edge(before), edge(after))).toEqual(expected);
  const named = expected.map((line) => line.replace('Query', 'Subscription'));
  const forked = (settings: string) => `${edge('y: Int')}\n${edge(settings, '', 'FORK')}`;
  expect(changes(forked(before), forked(after))).toEqual(named);
});

it('reports tighter access of a type at the type and at the operations that return it', () => {
  const [open, closed] = [edge("auth: 'required'"), `/// @roles admin\n${edge("auth: 'required'")}`];
  expect([...changes(open, closed)].sort()).toEqual([
    'breaking access-tightened Query.user',
    'breaking access-tightened User',
  ]);
  expect([...changes(closed, open)].sort()).toEqual([
    'dangerous access-loosened Query.user',
    'dangerous access-loosened User',
  ]);
});

it('reports an opened race at its union', () => {
  const race = (settings: string) =>
    `(a { id: ID! } | b { id: ID! })-[:RACE${settings}]->(c { id: ID! }) (root)-[:PROCESS { auth: 'required' }]->(c)`;
  expect(changes(race(''), race(" { open: 'known' }"))).toEqual([
    'dangerous access-loosened CRace of A',
    'dangerous access-loosened CRace of B',
  ]);
  expect(changes(race(" { open: 'known' }"), race(''))).toEqual([]);
});

it('reports that a field with tighter access leaves REST responses, and that it returns', () => {
  const [open, closed] = [edge("auth: 'optional'"), edge("auth: 'optional'", '/// @scopes a')];
  expect(briefly(changesBetween(open, closed))).toEqual(
    expect.arrayContaining(['breaking access-tightened User.name', 'breaking answer-narrowed GET /api/user']),
  );
  expect(briefly(changesBetween(closed, open))).toEqual(
    expect.arrayContaining(['dangerous access-loosened User.name', 'safe answer-widened GET /api/user']),
  );
});

it('reports a new field with access as safe', () => {
  const before = edge("auth: 'required'");
  const after = edge("auth: 'required'", '/// @scopes a\nemail: String,');
  const found = changesBetween(before, after).filter(({ coordinate }) => !coordinate.startsWith('UserInput'));
  expect(found.filter(({ level }) => level !== 'safe')).toEqual([]);
});

it('reports the directive with the first and the last access', () => {
  const [open, closed] = [edge('x: Int'), edge("x: Int, auth: 'required'")];
  expect(briefly(changesBetween(open, closed))).toContain('safe directive-added @auth');
  expect(briefly(changesBetween(closed, open))).toContain('breaking directive-removed @auth');
});
