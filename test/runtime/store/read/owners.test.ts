import { expect, test } from 'vitest';
import { noSqlite } from '../engines.js';
import { serveRows } from './serve-rows.js';

const topology = (idType: string) => `
/// @owner patientId
(visit: Stored {
  id: ID!, patientId: ${idType}!, note: String, doctorId: ID, doctor: Doctor,
})
(note: Stored { id: ID!, visitId: ID!, visit: Visit })
(doctor: Stored {
  id: ID!,
  visits(note: String): [Visit!]!,
  /// @page 1 totalCount
  visitPage: [Visit!]!,
})
(root)-[:PROCESS { operation: 'visit', id: ID!, auth: 'required', returns: Visit }]->(visit)
(root)-[:PROCESS { operation: 'firstVisit', auth: 'required', returns: Visit }]->(visit)
(root)-[:PROCESS { operation: 'visits', auth: 'required', returns: [Visit!]! }]->(visit)
(root)-[:PROCESS { operation: 'visitPage', auth: 'required', returns: [Visit!]!, page: '1 totalCount' }]->(visit)
(root)-[:PROCESS { operation: 'visitsOf', patientId: ${idType}!, owner: 'patientId', returns: [Visit!]! }]->(visit)
(root)-[:PROCESS { operation: 'notes', returns: [Note!]! }]->(note)
(root)-[:PROCESS { operation: 'doctors', auth: 'required', returns: [Doctor!]! }]->(doctor)
`;

const rowsOf = (one: unknown, other: unknown) => ({
  doctor: [{ id: 'd' }],
  visit: [
    { id: '1', patientId: one, note: 'x', doctorId: 'd' },
    { id: '2', patientId: other, note: 'x', doctorId: 'd' },
    { id: '3', patientId: other, note: 'y', doctorId: 'd' },
  ],
  note: [
    { id: '1', visitId: '1' },
    { id: '2', visitId: '2' },
  ],
});

const whole = `{
  foreign: visit(id: "1") { id }
  own: visit(id: "2") { id }
  firstVisit { id }
  visits { id }
  visitPage { edges { node { id } } pageInfo { hasNextPage } totalCount }
  notes { visit { id } }
  doctors { visits { id } some: visits(note: "x") { id } visitPage { edges { node { id } } pageInfo { hasNextPage } totalCount } }
}`;

const nothing = { edges: [], pageInfo: { hasNextPage: false }, totalCount: 0 };

test.skipIf(noSqlite)('reads only the rows of the caller, over every way', async () => {
  const { ask } = await serveRows(topology('ID'), rowsOf('ada', 'bob'), {
    authenticate: () => null,
    owners: { exempt: ['staff'] },
  });
  expect(await ask(whole, {}, { id: 'bob' })).toEqual({
    foreign: null,
    own: { id: '2' },
    firstVisit: { id: '2' },
    visits: [{ id: '2' }, { id: '3' }],
    visitPage: { edges: [{ node: { id: '2' } }], pageInfo: { hasNextPage: true }, totalCount: 2 },
    notes: [{ visit: null }, { visit: { id: '2' } }],
    doctors: [
      {
        visits: [{ id: '2' }, { id: '3' }],
        some: [{ id: '2' }],
        visitPage: { edges: [{ node: { id: '2' } }], pageInfo: { hasNextPage: true }, totalCount: 2 },
      },
    ],
  });
  for (const id of ['', 'eve', "' OR '1'='1", '\0', '\ud800'])
    expect(await ask(whole, {}, { id })).toEqual({
      foreign: null,
      own: null,
      firstVisit: null,
      visits: [],
      visitPage: nothing,
      notes: [{ visit: null }, { visit: null }],
      doctors: [{ visits: [], some: [], visitPage: nothing }],
    });
  const all = [{ id: '1' }, { id: '2' }, { id: '3' }];
  expect(await ask(whole, {}, { id: 'eve', roles: ['staff'] })).toMatchObject({
    visits: all,
    foreign: all[0],
  });
  // The program itself.
  expect(await ask(whole)).toMatchObject({ visits: all, foreign: all[0] });
  expect(await ask('{ visitsOf(patientId: "ada") { id } }', {}, { id: 'ada' })).toEqual({
    visitsOf: [{ id: '1' }],
  });
  expect(await ask('{ visitsOf(patientId: "ada") { id } }', {}, { id: 'bob' })).toMatchObject([{ 0: 'FORBIDDEN' }]);
  expect(await ask(whole, {}, null)).toMatchObject([{ 0: 'UNAUTHENTICATED' }]);
});

test.skipIf(noSqlite)('does not tell of foreign rows by a page without its items', async () => {
  const { ask } = await serveRows(topology('ID'), rowsOf('ada', 'bob'), { authenticate: () => null });
  const page = '{ pageInfo { hasNextPage endCursor } }';
  const query = `{ visitPage ${page} doctors { visitPage ${page} } }`;
  const empty = { pageInfo: { hasNextPage: false, endCursor: null } };
  expect(await ask(query, {}, { id: 'eve' })).toEqual({
    visitPage: empty,
    doctors: [{ visitPage: empty }],
  });
});

test.skipIf(noSqlite).each(['Int', 'BigInt'])('compares callers with owners of type %s', async (type) => {
  const { ask } = await serveRows(topology(type), rowsOf(7, 8), { authenticate: () => null });
  expect(await ask('{ visits { id } }', {}, { id: '7' })).toEqual({ visits: [{ id: '1' }] });
  for (const id of ['07', '7.0', ' 7', 'x', '1e1', '99999999999999999999'])
    expect(await ask('{ visits { id } }', {}, { id })).toEqual({ visits: [] });
});

test.skipIf(noSqlite)('reads the rows of a relation that belongs to its owner for the owner only', async () => {
  const source = `
(account: Stored {
  id: ID!, ownerId: ID!,
  /// @owner ownerId
  letters: [Letter!],
})
(letter: Stored { id: ID!, accountId: ID! })
(root)-[:PROCESS { operation: 'account', id: ID!, auth: 'required', returns: Account }]->(account)
`;
  const rows = { account: [{ id: '1', ownerId: 'ada' }], letter: [{ id: '2', accountId: '1' }] };
  const { ask, statements } = await serveRows(source, rows, { authenticate: () => null });
  const query = '{ account(id: "1") { letters { id } } }';
  expect(await ask(query, {}, { id: 'ada' })).toEqual({ account: { letters: [{ id: '2' }] } });
  expect(statements).toMatchObject([expect.stringMatching(/"ownerId" = \?/)]);
  expect(await ask(query, {}, { id: 'bob' })).toEqual([['FORBIDDEN', 'This belongs to another caller.']]);
  expect(statements).toHaveLength(1);
});
