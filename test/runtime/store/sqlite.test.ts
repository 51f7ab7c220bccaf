import { expect, test } from 'vitest';
import { sqliteStore } from '../../../src/runtime/store/sqlite.js';
import { fromDatabase, toDatabase } from '../../../src/runtime/store/values.js';
import { modelOf, noSqlite } from './engines.js';

const model = modelOf(`
(status: Enum { values: [NEW, OLD] })
(author: Stored { id: ID!, name: String!, books: [Book!]! })
(book: Stored {
  id: ID!, authorId: ID!, author: Author, tags: [String!]!, isGood: Boolean!, at: DateTime!, size: BigInt
  status: Status = NEW
  /// @minimum 1
  /// @maximum 5
  stars: Int
})
(root)-[:PROCESS { operation: 'books', returns: [Book!]! }]->(book)
`);

test.skipIf(noSqlite)('creates the tables in an empty database, and keeps values of each kind', async () => {
  const store = sqliteStore({ file: ':memory:' });
  const db = await store.open(model);
  const book = model.tables.find(({ name }) => name === 'book');
  if (book === undefined) throw new Error('no book');
  await db.insertInto('author').values({ id: 'a', name: 'Ada' }).execute();
  const values: Record<string, unknown> = {
    id: 'b',
    authorId: 'a',
    tags: ['x', "'"],
    isGood: true,
    at: new Date(0),
    size: 2n ** 63n - 1n,
    status: 'OLD',
    stars: 5,
  };
  const kept = book.columns.map((column) => [column.name, toDatabase('sqlite', column, values[column.name])]);
  await db.insertInto('book').values(Object.fromEntries(kept)).execute();
  const row = await db.selectFrom('book').selectAll().executeTakeFirstOrThrow();
  expect(fromDatabase('sqlite', book, row)).toEqual({
    ...values,
    at: '1970-01-01T00:00:00.000Z',
    size: '9223372036854775807',
  });
  await expect(db.updateTable('book').set({ stars: 6 }).execute()).rejects.toThrow('CHECK');
  await expect(db.updateTable('book').set({ status: 'x' }).execute()).rejects.toThrow('CHECK');
  await expect(db.deleteFrom('author').execute()).rejects.toThrow('FOREIGN KEY');
  const result = await db.updateTable('book').set({ isGood: false }).executeTakeFirst();
  expect(result.numUpdatedRows).toBe(1n);
  await store.close();
});
