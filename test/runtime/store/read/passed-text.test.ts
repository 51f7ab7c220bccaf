import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { pieceLength } from '../../../../src/runtime/execute/compiled/json-text.js';
import { databaseOf, type Statement } from '../../../../src/runtime/store/database.js';
import { sqliteStore } from '../../../../src/runtime/store/sqlite.js';
import type { Store } from '../../../../src/runtime/store/store.js';
import { StoreError } from '../../../../src/runtime/store/store-error.js';
import { noSqlite } from '../engines.js';
import { checkPassedText, isText } from './passed-text.js';
import { serveRows } from './serve-rows.js';

test.skipIf(noSqlite)('answers with the text of SQLite have the bytes of graphql-js', async () => {
  expect(await checkPassedText(12, async () => sqliteStore({ file: ':memory:' }))).toBeGreaterThan(4);
});

const source = `
(author: Stored { id: ID!, name: String!, books(
  /// @maxLength 3
  title: String
): [Book!]! })
(book: Stored { id: ID!, title: String!, authorId: ID!, author: Author!, price: Float, sold: Int, at: DateTime })
(root)-[:PROCESS { operation: 'author', id: ID!, returns: Author }]->(author)
(root)-[:PROCESS { operation: 'book', id: ID!, returns: Book }]->(book)
(root)-[:PROCESS { operation: 'books', returns: [Book!]! }]->(book)
`;

const rows = {
  author: [{ id: 'a', name: 'Ada' }],
  book: [{ id: '1', title: 'Zoo "\u2028', authorId: 'a', price: 1e21, sold: 3, at: '2024-01-01T00:00:00.000Z' }],
};

/** Gets a path until its plan is compiled. The last answer must be that of graphql-js. */
async function twice(served: Awaited<ReturnType<typeof serveRows>>, path: string) {
  const get = async () => {
    served.statements.length = 0;
    return (await served.server.fetch(new Request(`http://localhost${path}`))).text();
  };
  const first = await get();
  expect(await get()).toBe(first);
  return { text: first, isPassed: isText(served.statements) };
}

test.skipIf(noSqlite)('parses nothing of an answer that the database has made', async () => {
  const served = await serveRows(source, rows);
  const path = '/api/books?fields=id,title,price,author.name';
  expect(await twice(served, path)).toEqual({
    text: JSON.stringify([{ id: '1', title: 'Zoo "\u2028', price: 1e21, author: { name: 'Ada' } }]),
    isPassed: true,
  });
  const parse = vi.spyOn(JSON, 'parse');
  try {
    await served.server.fetch(new Request(`http://localhost${path}`));
    expect(parse).not.toHaveBeenCalled();
  } finally {
    parse.mockRestore();
  }
});

test.skipIf(noSqlite)('passes one row on, and null where there is none', async () => {
  const served = await serveRows(source, rows);
  expect(await twice(served, '/api/author?fields=name&id=a')).toEqual({
    text: '{"name":"Ada"}',
    isPassed: true,
  });
  expect(await twice(served, '/api/author?fields=name&id=x')).toEqual({ text: 'null', isPassed: true });
});

test.skipIf(noSqlite).each([
  ['sold', 2 ** 40],
  ['price', Number.POSITIVE_INFINITY],
  ['at', '2024-01-01'],
  ['at', '2024-01-01T00:00:00Z'],
  ['title', 'the marker ~gg-svc~'],
])('reads the values again if code must see %s of %s', async (name, value) => {
  const served = await serveRows(source, rows, { limits: { masking: false } });
  const db = await served.server.store();
  await sql`update book set ${sql.ref(name)} = ${value}`.execute(db);
  expect((await twice(served, `/api/books?fields=id,${name}`)).isPassed).toBe(false);
});

test.skipIf(noSqlite)('reports a required row that is missing', async () => {
  const served = await serveRows(source, rows);
  const db = await served.server.store();
  await sql`pragma foreign_keys = off`.execute(db);
  await sql`delete from author`.execute(db);
  const { text, isPassed } = await twice(served, '/api/books?fields=author.name');
  expect(text).toContain('"status":500');
  expect(isPassed).toBe(false);
});

test.skipIf(noSqlite)('leaves arguments with constraints and fields with resolvers to their code', async () => {
  const served = await serveRows(source, rows, { resolvers: { Book: { title: () => 'own' } } });
  expect(await twice(served, '/api/author?fields=books.id&id=a')).toEqual({
    text: '{"books":[{"id":"1"}]}',
    isPassed: false,
  });
  expect(await twice(served, '/api/book?fields=title&id=1')).toEqual({
    text: '{"title":"own"}',
    isPassed: false,
  });
});

test.skipIf(noSqlite)('passes relations on where code makes other parts of a row', async () => {
  const books = [
    ...rows.book,
    { ...rows.book[0], id: '2', title: 'Emma' },
    { ...rows.book[0], id: '3', title: '~gg-svc~' },
  ];
  let title: unknown = 'own';
  const served = await serveRows(
    source,
    { ...rows, book: books },
    { resolvers: { Book: { title: ({ id }: { id: string }) => (id === '2' ? title : id) } } },
  );
  const path = '/api/author?fields=books.title,books.author.books.id,name&id=a';
  const nested = await twice(served, path);
  expect(nested).toMatchObject({ isPassed: false });
  for (const one of ['/api/books?fields=title,author.name', '/api/books?fields=author.name,title']) {
    const { text } = await twice(served, one);
    expect(served.statements).toHaveLength(1);
    expect(served.statements[0]).toMatch(/ as text\) as "#author"/);
    // The plan does not cover the value: graphql-js goes on, and reads the authors itself.
    title = { valueOf: () => 'own' };
    served.statements.length = 0;
    const get = () => served.server.fetch(new Request(`http://localhost${one}`));
    expect(await (await get()).text()).toBe(text);
    expect(served.statements).toHaveLength(2);
    title = 'own';
  }
  // Code must see the rows of one author.
  await served.server.store().then((db) => sql`update author set name = '~gg-svc~'`.execute(db));
  expect((await twice(served, '/api/books?fields=title,author.name')).text).toContain('"~gg-svc~"');
});

/** A store whose statements for text fail. */
function failing(error: Error): Store {
  const store = sqliteStore({ file: ':memory:' });
  return {
    ...store,
    open: async (model) => {
      const db = await store.open(model);
      const database = databaseOf(db);
      const { run } = database;
      Object.assign(database, {
        run: async (statement: Statement) => {
          if (isText([statement.sql])) throw error;
          return run(statement);
        },
      });
      return db;
    },
  };
}

test.skipIf(noSqlite)('reads the values if the database cannot make text of them', async () => {
  const served = await serveRows(source, rows, {}, failing(new Error('no JSON')));
  expect((await twice(served, '/api/books?fields=id')).text).toBe('[{"id":"1"}]');
});

test.skipIf(noSqlite)('does not ask a database that is away a second time', async () => {
  const served = await serveRows(source, rows, {}, failing(new StoreError('STORE_UNAVAILABLE', 'away')));
  const get = () => served.server.fetch(new Request('http://localhost/api/books?fields=id'));
  expect((await get()).status).toBe(200);
  expect((await get()).status).toBe(503);
});

test.skipIf(noSqlite)('passes a long text on without a copy of its bytes', async () => {
  const { book } = rows;
  const many = Array.from({ length: 900 }, (_, at) => ({
    ...book[0],
    id: String(at),
    title: 'é'.repeat(60),
  }));
  const served = await serveRows(source, { ...rows, book: many });
  const path = '/api/books?fields=id,title';
  const { text, isPassed } = await twice(served, path);
  expect(isPassed).toBe(true);
  expect(text.length).toBeGreaterThan(2 * pieceLength);
  const copy = vi.spyOn(Buffer, 'from');
  try {
    await served.server.fetch(new Request(`http://localhost${path}`));
    expect(copy).not.toHaveBeenCalledWith(text);
  } finally {
    copy.mockRestore();
  }
});
