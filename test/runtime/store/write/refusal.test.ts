import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { RequestContext } from '../../../../src/runtime/auth/caller.js';
import { sqliteStore } from '../../../../src/runtime/store/sqlite.js';
import { serve } from '../../server/topology-server.js';
import { noSqlite } from '../engines.js';

/** Each mutation runs the statement that its argument names. */
const source = `
(author: Stored { id: ID!, mentorId: ID, mentor: Author })
/// @store unique title, year
(book: Stored { id: ID!, title: String, year: Int, authorId: ID, author: Author })
(review: Stored { id: ID!, bookId: ID, book: Book, authorId: ID, author: Author, text: String! })
(root)-[:FOLD { operation: 'run', statement: String!, returns: Int }]->(book)
(root)-[:PROCESS { operation: 'reviews', returns: [Review!]! }]->(review)
(root)-[:PROCESS { operation: 'authors', returns: [Author!]! }]->(author)
`;

const statements: Readonly<Record<string, (db: Awaited<ReturnType<RequestContext['store']>>) => Promise<unknown>>> = {
  author: (db) => db.insertInto('author').values({ id: 'a' }).execute(),
  book: (db) => db.insertInto('book').values({ id: 'b', title: 't', year: 1, authorId: 'a' }).execute(),
  twin: (db) => db.insertInto('book').values({ id: 'c', title: 't', year: 1 }).execute(),
  again: (db) => db.insertInto('book').values({ id: 'b' }).execute(),
  lost: (db) => db.updateTable('book').set({ authorId: 'z' }).where('id', '=', 'b').execute(),
  review: (db) => db.insertInto('review').values({ id: 'r', bookId: 'z', text: '' }).execute(),
  drop: (db) => db.deleteFrom('author').where('id', '=', 'a').execute(),
  // The argument is not to blame.
  textless: (db) => db.insertInto('review').values({ id: 'r' }).execute(),
  hidden: (db) => sql`with gone as (select 'a') delete from author`.execute(db),
  wrong: (db) => sql`select from nothing`.execute(db),
};

const resolvers = {
  Mutation: {
    async run(_parent: unknown, { statement }: { statement: string }, context: RequestContext) {
      await statements[statement]?.(await context.store());
      return 1;
    },
  },
};

test.skipIf(noSqlite)('a statement of a resolver that breaks a rule about other rows is refused', async () => {
  const server = serve<RequestContext>(source, { resolvers, store: sqliteStore({ file: ':memory:' }) });
  const run = async (statement: string) => {
    const { data, errors = [] } = await server.executeOperation({
      query: `mutation { run(statement: "${statement}") }`,
    });
    const [error] = errors;
    return error === undefined ? data?.run : [error.extensions.code, error.message, error.path];
  };
  expect([await run('author'), await run('book')]).toEqual([1, 1]);
  expect(await run('twin')).toEqual(['ALREADY_EXISTS', 'Another Book has these “title” and “year”.', ['run']]);
  expect(await run('again')).toEqual(['ALREADY_EXISTS', 'Another Book has this “id”.', ['run']]);
  expect(await run('lost')).toEqual(['BAD_USER_INPUT', '“authorId” names no object.', ['run']]);
  expect(await run('review')).toEqual(['BAD_USER_INPUT', 'A reference of the Review names no object.', ['run']]);
  expect(await run('drop')).toEqual(['STILL_REFERENCED', 'Other objects refer to this Author.', ['run']]);
  for (const statement of ['textless', 'hidden', 'wrong'])
    expect(await run(statement)).toEqual(['INTERNAL_SERVER_ERROR', expect.any(String), ['run']]);
  const response = await server.fetch(
    new Request('http://localhost/api/run', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ statement: 'drop' }),
    }),
  );
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({ code: 'STILL_REFERENCED' });
  await server.close();
});
