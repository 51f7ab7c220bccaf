import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createGqlServer } from '../../../src/index.js';
import { databaseOf } from '../../../src/runtime/store/database.js';
import { silently, sqliteStore } from '../../../src/runtime/store/sqlite.js';
import { StoreError } from '../../../src/runtime/store/store-error.js';
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

const unavailable = {
  extensions: { code: 'STORE_UNAVAILABLE', http: { status: 503, headers: new Map([['retry-after', '1']]) } },
};

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'gg-svc-store-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

test.skipIf(noSqlite)('tells clients to come back while the file cannot be opened, and opens it then', async () => {
  const directory = newDirectory();
  const file = join(directory, 'later', 'data.sqlite');
  const store = sqliteStore({ file });
  await expect(store.open(model)).rejects.toMatchObject(unavailable);
  await store.close();
  expect(store.isUp).toBe(true);
});

test.skipIf(noSqlite)('gives the errors of a file that is no database as they are', async () => {
  const file = join(newDirectory(), 'text.sqlite');
  writeFileSync(file, 'This is no database, but a text that is long enough to be read as one.'.repeat(20));
  await expect(sqliteStore({ file }).open(model)).rejects.toThrow('not a database');
});

test.skipIf(noSqlite)('streams rows, and keeps booleans and times that are parameters', async () => {
  const store = sqliteStore({ file: ':memory:' });
  const db = await store.open(model);
  const book = { id: 'a', authorId: 'a', tags: '[]', isGood: true, at: new Date(0), size: 2n ** 60n };
  await db.transaction().execute(async (transaction) => {
    await transaction.insertInto('author').values({ id: 'a', name: 'Ada' }).execute();
    await transaction.insertInto('book').values(book).execute();
  });
  const rows: unknown[] = [];
  for await (const row of db.selectFrom('book').select(['isGood', 'at', 'size', 'stars']).stream()) rows.push(row);
  expect(rows).toEqual([{ isGood: 1, at: '1970-01-01T00:00:00.000Z', size: '1152921504606846976', stars: null }]);
  await store.close();
});

/** A store in memory, and statements that insert an author and read all. */
async function openAuthors() {
  const store = sqliteStore({ file: ':memory:' });
  const db = await store.open(model);
  const insert = db.insertInto('author').values({ id: 'a', name: 'Ada' });
  return { store, db, database: databaseOf(db), insert, all: db.selectFrom('author').select('id') };
}

test.skipIf(noSqlite)(
  'nothing sees the rows of a transaction that runs, be it of the program or of a mutation',
  async () => {
    const { store, db, database, insert, all } = await openAuthors();
    const streamed = async () => {
      const rows: unknown[] = [];
      for await (const row of all.stream()) rows.push(row);
      return rows;
    };
    const none = [[], [], []];
    let reads: Promise<unknown>[] = [];
    const ofProgram = db.transaction().execute(async (transaction) => {
      await transaction.executeQuery(insert.compile());
      reads = [Promise.resolve(database.run(all.compile())), all.execute(), streamed()];
      await new Promise(setImmediate);
      throw new Error('no');
    });
    await expect(ofProgram).rejects.toThrow('no');
    expect(await Promise.all(reads)).toEqual(none);
    const ofMutation = database.transaction(async (session) => {
      await session.run(insert.compile());
      reads = [Promise.resolve(database.run(all.compile())), all.execute(), streamed()];
      await new Promise(setImmediate);
      // Fails with the commit.
      session.runLast(insert.compile());
    });
    await expect(ofMutation).rejects.toThrow('UNIQUE');
    expect(await Promise.all(reads)).toEqual(none);
    await db.transaction().execute((transaction) => transaction.executeQuery(insert.compile()));
    expect(await database.run(all.compile())).toEqual([{ id: 'a' }]);
    await store.close();
  },
);

test.skipIf(noSqlite)(
  'a statement of a program that waits for another process is not taken back with a mutation',
  async () => {
    const file = join(newDirectory(), 'data.sqlite');
    const store = sqliteStore({ file });
    const db = await store.open(model);
    const { DatabaseSync } = await silently(() => import('node:sqlite'));
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    const inserting = db.insertInto('author').values({ id: 'a', name: 'Ada' }).execute();
    await new Promise(setImmediate);
    other.exec('COMMIT');
    other.close();
    const ofMutation = databaseOf(db).transaction(async () => {
      await Promise.race([inserting, pause(50)]);
      throw new Error('no');
    });
    await expect(ofMutation).rejects.toThrow('no');
    await inserting;
    expect(await db.selectFrom('author').select('id').execute()).toEqual([{ id: 'a' }]);
    await store.close();
  },
);

test.skipIf(noSqlite)('a program may end a transaction with any statement that does', async () => {
  const store = sqliteStore({ file: ':memory:' });
  const db = await store.open(model);
  const { sql } = await import('kysely');
  for (const end of ['END', 'COMMIT TRANSACTION', 'commit;', 'ROLLBACK;']) {
    await db.connection().execute(async (connection) => {
      await sql`BEGIN IMMEDIATE`.execute(connection);
      await sql.raw(end).execute(connection);
    });
    expect(await databaseOf(db).run(db.selectFrom('author').select('id').compile())).toEqual([]);
  }
  await store.close();
});

test.skipIf(noSqlite)(
  'a transaction of a program that waits for a statement beside it fails, and holds up no other',
  async () => {
    const { store, db, database, insert, all } = await openAuthors();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    for (const beside of [
      async () => database.run(all.compile()),
      () => all.execute(),
      () => database.transaction(async (session) => session.run(all.compile())),
      () => db.transaction().execute((other) => other.executeQuery(all.compile())),
    ]) {
      const ofProgram = db.transaction().execute(async (transaction) => {
        await transaction.executeQuery(insert.compile());
        await beside();
      });
      const others = Promise.allSettled([database.run(all.compile()), all.execute()]);
      const refused = expect(ofProgram).rejects.toMatchObject(unavailable);
      while (vi.getTimerCount() === 0) await new Promise(setImmediate);
      await vi.advanceTimersByTimeAsync(10_000);
      await refused;
      await others;
      expect(await database.run(all.compile())).toEqual([]);
      expect(vi.getTimerCount()).toBe(0);
    }
    await store.close();
  },
);

test.skipIf(noSqlite)('prints no warning about node:sqlite, but others', async () => {
  const warnings: string[] = [];
  const { emitWarning } = process;
  process.emitWarning = ((warning: string) => warnings.push(String(warning))) as typeof process.emitWarning;
  onTestFinished(() => {
    process.emitWarning = emitWarning;
  });
  const store = sqliteStore({ file: ':memory:' });
  const opening = store.open(model);
  await opening;
  await store.close();
  expect(warnings).toEqual([]);
});

test('is not ready while its database is away', async () => {
  const store = {
    ...sqliteStore({ file: ':memory:' }),
    isUp: false,
  };
  const server = createGqlServer({
    topologies: [{ name: 'a.gg', source: "(root)-[:PROCESS]->(hello { text: 'Hello' })" }],
    store,
  });
  await server.ready;
  const response = await server.fetch(new Request('http://localhost/health/ready'));
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ status: 'unavailable', store: { connection: 'away' } });
});

test('answers 503 with Retry-After if a resolver finds no database', async () => {
  const server = createGqlServer({
    topologies: [{ name: 'a.gg', source: '(root)-[:PROCESS]->(hello { text: String! })' }],
    resolvers: {
      Query: {
        hello: () => {
          throw new StoreError('STORE_UNAVAILABLE', 'The database is not available.');
        },
      },
    },
  });
  const response = await server.fetch(new Request('http://localhost/api/hello'));
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await response.json()).toMatchObject({ code: 'STORE_UNAVAILABLE' });
});
