import { expect, test } from 'vitest';
import { storeModelOf } from '../../../../src/analysis/store/tables.js';
import { compile } from '../../../../src/compiler.js';
import { sqliteStore } from '../../../../src/runtime/store/sqlite.js';
import { seedStore } from '../../../../src/runtime/store/write/seed-store.js';
import { noSqlite } from '../engines.js';
import { checkSeeds } from './seed-cases.js';

test.skipIf(noSqlite)('makes rows that SQLite takes, for random models', async () => {
  await checkSeeds(() => {
    const store = sqliteStore({ file: ':memory:' });
    return { ...store, [Symbol.asyncDispose]: () => store.close() };
  }, 100);
});

test.skipIf(noSqlite)('refers to the rows that a table has, and inserts none if a table can have none', async () => {
  const { schema } = compile({
    name: 'a.gg',
    source: `
(author: Stored { id: ID!, name: String! })
(book: Stored { id: ID!, authorId: ID!, author: Author, title: String! })
(root)-[:PROCESS { operation: 'books', returns: [Book!]! }]->(book)
(a: Stored { id: ID!, bId: ID!, b: B })
(b: Stored { id: ID!, aId: ID!, a: A })
(root)-[:PROCESS { operation: 'list', returns: [A!]! }]->(a)
`,
  });
  const { model } = storeModelOf(schema);
  const [author, book, ...others] = model.tables;
  if (author === undefined || book === undefined) throw new Error('no tables');
  const store = sqliteStore({ file: ':memory:' });
  const plan = { rows: 5, seed: 1, owners: [] };
  const refused = await seedStore(store, schema, model, plan);
  expect(refused.diagnostics.map(({ code }) => code)).toEqual(['GG7009', 'GG7009']);
  const db = await store.open(model);
  await db.insertInto('author').values({ id: 'x', name: 'X' }).execute();
  expect(await db.selectFrom('book').selectAll().execute()).toEqual([]);
  expect(others).toHaveLength(2);
  const { seeded } = await seedStore(store, schema, { tables: [author, book] }, plan);
  expect(seeded).toEqual([
    { table: 'author', inserted: undefined },
    { table: 'book', inserted: 5 },
  ]);
  const books = await db.selectFrom('book').select('authorId').execute();
  expect(new Set(books.map(({ authorId }) => authorId))).toEqual(new Set(['x']));
  await store.close();
});
