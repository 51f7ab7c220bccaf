import { expect, test } from 'vitest';
import { createGqlServer, sqliteStore } from '../../../../src/index.js';
import { noSqlite } from '../engines.js';
import { serveRows } from '../read/serve-rows.js';
import { checkWideRelations } from './wide-relation-cases.js';

const source = `
(user: Stored { id: ID!, name: String!, memberships: [Membership!]! })
(club: Stored { id: ID!, name: String!, memberships: [Membership!]! })
/// @store unique clubId, seat
(membership: Stored {
  /// @store key
  userId: ID!,
  user: User,
  /// @store key
  clubId: ID!,
  club: Club,
  seat: Int,
  /// @store version
  version: Int!,
})
(membership_order: Enum { values: [CLUB_ID, SEAT_DESC] })
(root)-[:FOLD { operation: 'addUser', id: ID!, name: String!, writes: 'insert', returns: User! }]->(user)
(root)-[:FOLD { operation: 'addClub', id: ID!, name: String!, writes: 'insert', returns: Club! }]->(club)
(root)-[:FOLD { operation: 'join', userId: ID!, clubId: ID!, seat: Int, writes: 'insert', returns: Membership! }]->(membership)
(root)-[:FOLD { operation: 'move', userId: ID!, clubId: ID!, seat: Int, version: Int, returns: Membership! }]->(membership)
(root)-[:FOLD { operation: 'put', userId: ID!, clubId: ID, seat: Int, returns: Membership! }]->(membership)
(root)-[:FOLD { operation: 'leave', userId: ID!, clubId: ID!, returns: Boolean! }]->(membership)
(root)-[:PROCESS { operation: 'membership', userId: ID!, clubId: ID! }]->(membership)
(root)-[:PROCESS {
  operation: 'memberships', orderBy: MembershipOrder, returns: [Membership!]!, page: '2 totalCount'
}]->(membership)
`;

const serve = () =>
  createGqlServer({ topologies: [{ name: 'a.gg', source }], store: sqliteStore({ file: ':memory:' }) });

const runner =
  (server: ReturnType<typeof serve>) =>
  async (query: string): Promise<unknown> => {
    const { data, errors } = await server.executeOperation({ query });
    return errors ? errors.map(({ message, extensions: { code } }) => `${code} ${message}`) : data?.it;
  };

async function filled() {
  const server = serve();
  const run = runner(server);
  for (const id of ['a', 'b', 'c']) {
    await run(`mutation { it: addUser(id: "${id}", name: "${id}") { id } }`);
    await run(`mutation { it: addClub(id: "${id}", name: "${id}") { id } }`);
  }
  const row = (name: string, of: string, more = '') =>
    run(
      `mutation { it: ${name}(userId: "${of[0]}", clubId: "${of[1]}"${more}) ${name === 'leave' ? '' : '{ userId clubId seat version }'} }`,
    );
  return { server, run, row };
}

test.skipIf(noSqlite)('writes rows by a key of two columns, and names the columns of a broken rule', async () => {
  const { server, run, row } = await filled();
  await using _ended = { [Symbol.asyncDispose]: () => server.close() };
  expect(await row('join', 'ab', ', seat: 1')).toEqual({ userId: 'a', clubId: 'b', seat: 1, version: 1 });
  expect(await row('join', 'aa')).toMatchObject({ clubId: 'a' });
  expect(await row('join', 'ab')).toEqual(['ALREADY_EXISTS Another Membership has these “userId” and “clubId”.']);
  expect(await row('join', 'cb', ', seat: 1')).toEqual([
    'ALREADY_EXISTS Another Membership has these “clubId” and “seat”.',
  ]);
  expect(await row('join', 'ca', ', seat: 1')).toMatchObject({ seat: 1 });
  expect(await row('join', 'zb')).toEqual(['BAD_USER_INPUT “userId” names no object.']);
  expect(await row('move', 'ab', ', seat: 4')).toEqual({ userId: 'a', clubId: 'b', seat: 4, version: 2 });
  expect(await row('move', 'ab', ', seat: 5, version: 1')).toEqual([
    'VERSION_CONFLICT The Membership has another version: read it again.',
  ]);
  expect(await row('move', 'bb')).toEqual(['NOT_FOUND There is no Membership with these “userId” and “clubId”.']);
  expect(await row('put', 'bb', ', seat: 9')).toMatchObject({ seat: 9, version: 1 });
  expect(await row('put', 'bb', ', seat: 8')).toMatchObject({ seat: 8, version: 2 });
  expect(await run('mutation { it: put(userId: "b") { seat } }')).toEqual(['BAD_USER_INPUT “clubId” is required.']);
  expect(
    await run('{ it: membership(userId: "a", clubId: "b") { seat user { name } club { memberships { userId } } } }'),
  ).toEqual({
    seat: 4,
    user: { name: 'a' },
    club: { memberships: [{ userId: 'a' }, { userId: 'b' }] },
  });
  expect(await row('leave', 'ab')).toBe(true);
  expect(await run('{ it: membership(userId: "a", clubId: "b") { seat } }')).toBeNull();
});

test.skipIf(noSqlite)('reads pages in the order of the whole key, in both directions', async () => {
  const { server, run, row } = await filled();
  await using _ended = { [Symbol.asyncDispose]: () => server.close() };
  for (const user of 'abc')
    for (const club of 'abc') await row('join', `${user}${club}`, `, seat: ${user === 'a' ? 1 : user === 'b' ? 2 : 3}`);
  const walk = async (order: string, way: string) => {
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const page = (await run(
        `{ it: memberships(${way === 'after' ? 'first: 2' : 'last: 2'} ${cursor} ${order}) { totalCount edges { cursor node { userId clubId } } } }`,
      )) as { totalCount: number; edges: { cursor: string; node: { userId: string; clubId: string } }[] };
      expect(page.totalCount).toBe(9);
      if (page.edges.length === 0) return seen.join(' ');
      const rows = page.edges.map(({ node }) => `${node.userId}${node.clubId}`);
      if (way === 'after') seen.push(...rows);
      else seen.unshift(...rows);
      const edge = way === 'after' ? page.edges.at(-1) : page.edges[0];
      cursor = `${way}: ${JSON.stringify(edge?.cursor)}`;
    }
  };
  expect(await walk('', 'after')).toBe('aa ab ac ba bb bc ca cb cc');
  expect(await walk('', 'before')).toBe('aa ab ac ba bb bc ca cb cc');
  expect(await walk('orderBy: CLUB_ID', 'after')).toBe('aa ba ca ab bb cb ac bc cc');
  expect(await walk('orderBy: SEAT_DESC', 'before')).toBe('ca cb cc ba bb bc aa ab ac');
});

test.skipIf(noSqlite)('follows relations by keys of two columns, and writes nested rows with a column of them', () =>
  checkWideRelations(sqliteStore({ file: ':memory:' })),
);

test.skipIf(noSqlite)('refuses references by a key of two columns to the row of another owner', async () => {
  const owned = `
/// @owner patientId
(visit: Stored {
  /// @store key
  ward: ID!,
  /// @store key
  number: Int!,
  patientId: ID!,
})
(note: Stored { id: ID!, ward: ID!, visitNumber: Int, visit: Visit })
(root)-[:PROCESS { operation: 'visits', auth: 'required', returns: [Visit!]! }]->(visit)
(root)-[:FOLD { operation: 'addNote', id: ID!, ward: ID!, visitNumber: Int, auth: 'required', writes: 'insert', returns: Note! }]->(note)
(root)-[:FOLD { operation: 'moveNote', id: ID!, visitNumber: Int, auth: 'required', returns: Note! }]->(note)
`;
  const visit = [
    { ward: 'a', number: 1, patientId: 'ada' },
    { ward: 'a', number: 2, patientId: 'bob' },
  ];
  const { ask } = await serveRows(owned, { visit }, { authenticate: () => null });
  const bob = { id: 'bob' };
  const refused = [['BAD_USER_INPUT', '“visitNumber” names no object.']];
  const shown = '{ visit { number } }';
  const add = (id: string, number: number) =>
    ask(`mutation { addNote(id: "${id}", ward: "a", visitNumber: ${number}) ${shown} }`, {}, bob);
  expect(await add('x', 1)).toEqual(refused);
  expect(await add('y', 2)).toEqual({ addNote: { visit: { number: 2 } } });
  // The column `ward` of the row completes the key.
  const move = (number: number) => ask(`mutation { moveNote(id: "y", visitNumber: ${number}) ${shown} }`, {}, bob);
  expect(await move(1)).toEqual(refused);
  expect(await move(2)).toEqual({ moveNote: { visit: { number: 2 } } });
});
