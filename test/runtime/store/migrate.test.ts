import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { sqliteStore } from '../../../src/runtime/store/sqlite.js';
import { modelOf, noSqlite } from './engines.js';
import { checkKilledMigrations, checkMigrations } from './migrate-cases.js';
import { killerOf, newSqlite, sqliteSchema } from './migrate-engines.js';

const directory = mkdtempSync(join(tmpdir(), 'gg-svc-store-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
let files = 0;
const newFile = () => join(directory, `${files++}.sqlite`);

const stored = (fields: string) =>
  modelOf(`
(author: Stored { id: ID!, name: String! })
(book: Stored { id: ID!, ${fields} })
(root)-[:PROCESS { operation: 'books', returns: [Book!]! }]->(book)
`);

describe.skipIf(noSqlite)('a migration of SQLite', () => {
  test('makes the tables of a new database, and keeps rows, for random pairs of models', async () => {
    await checkMigrations(() => newSqlite(':memory:'), sqliteSchema, 40);
  }, 60_000);

  test('ends in the same tables with all rows if its process is killed before any statement', async () => {
    const runUntil = await killerOf();
    const make = () => newSqlite(newFile());
    await checkKilledMigrations(make, sqliteSchema, runUntil, 1, 7);
  }, 60_000);

  test('refuses a loss without permission, and changes nothing then', async () => {
    const store = sqliteStore({ file: newFile() });
    const old = stored('title: String!, isbn: String');
    const db = await store.open(old);
    await db.insertInto('book').values({ id: '1', title: 'x', isbn: 'y' }).execute();
    const refused = await store.migrate(stored('title: String!'), { apply: true });
    expect(refused).toMatchObject({ isApplied: false, version: 1, steps: [{ isLoss: true }] });
    expect((await store.migrate(old)).steps).toEqual([]);
    const done = await store.migrate(stored('title: String!'), { apply: true, allowLoss: true });
    expect(done).toMatchObject({ isApplied: true, version: 2 });
    expect(await db.selectFrom('book').selectAll().execute()).toEqual([{ id: '1', title: 'x' }]);
    await store.close();
  });

  test('refuses a required column without a default, and a key of another type', async () => {
    const store = sqliteStore({ file: ':memory:' });
    await store.open(stored('title: String!'));
    const { refusals } = await store.migrate(stored('title: String!, pages: Int!'), { apply: true });
    expect(refusals).toEqual(['book.pages is required: give it a default for the rows that exist, or let it be null']);
    await store.close();
  });

  test.each([
    ['title: String', 'title: String!', 'lack title: fill it first, or give it a default'],
    ['title: String', '/// @maxLength 1\ntitle: String', 'break the limits of title'],
    ['title: String', '/// @store unique\ntitle: String', 'have the same title, which must be unique'],
    ['title: String', '/// @store unique\ntitle: String! = "x"', 'have the same title, which must be unique'],
    [
      'title: String',
      '/// @store unique\n/// @store was title\nname: Int! = 3, author: Author, authorId: ID! = "1"',
      'would refer by authorId to rows of author that are missing',
    ],
  ])('is refused before its first step if rows break a rule: %s → %s', async (from, to, reason) => {
    const store = sqliteStore({ file: ':memory:' });
    const db = await store.open(stored(from));
    await db
      .insertInto('book')
      .values(['aa', 'aa', null, null].map((title, id) => ({ id: String(id), title })))
      .execute();
    const { refusals, isApplied } = await store.migrate(stored(to), { apply: true, allowLoss: true });
    expect(refusals).toContain(`rows of book ${reason}`);
    expect(isApplied).toBe(false);
    expect((await store.migrate(stored(from))).steps).toEqual([]);
    await store.close();
  });

  test('keeps the database as it was if rows break a new rule', async () => {
    const store = sqliteStore({ file: ':memory:' });
    const old = stored('authorId: ID');
    const db = await store.open(old);
    await db.insertInto('book').values({ id: '1', authorId: 'nobody' }).execute();
    const linked = await store.migrate(stored('authorId: ID, author: Author'), { apply: true });
    expect(linked).toMatchObject({
      isApplied: false,
      refusals: ['rows of book would refer by authorId to rows of author that are missing'],
    });
    expect((await store.migrate(old)).steps).toEqual([]);
    await store.close();
  });

  test('renames a column with its values, and gives required columns their default', async () => {
    const store = sqliteStore({ file: ':memory:' });
    const db = await store.open(stored('title: String!, at: DateTime'));
    await db.insertInto('book').values({ id: '1', title: 'x' }).execute();
    await db.insertInto('book').values({ id: '2', title: 'y' }).execute();
    const next = stored(`
  /// @store was title
  name: String!
  /// @store default now
  at: DateTime!
  /// @store default uuid
  /// @store unique
  code: String!
  stars: Int! = 3
`);
    expect((await store.migrate(next, { apply: true })).steps.map(({ summary }) => summary)).toEqual([
      'change the table book: rename title to name, add code, add stars',
    ]);
    expect(await db.selectFrom('book').selectAll().where('id', '=', '1').execute()).toEqual([
      {
        id: '1',
        name: 'x',
        stars: 3,
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        code: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/),
      },
    ]);
    await store.close();
  });

  test('is refused at the start without permission, and taken with it', async () => {
    const file = newFile();
    const first = sqliteStore({ file });
    await first.open(stored('title: String!'));
    await first.close();
    const next = stored('title: String!, pages: Int');
    const second = sqliteStore({ file });
    await expect(second.open(next)).rejects.toThrow('not in step');
    await second.close();
    const told: string[] = [];
    const third = sqliteStore({ file, migrated: (steps) => told.push(...steps) });
    await third.open(next);
    expect(told).toEqual(['change the table book: add pages']);
    await expect(third.open(next)).resolves.toBeDefined();
    await third.close();
    const fourth = sqliteStore({ file, migrated: (steps) => told.push(...steps) });
    await expect(fourth.open(stored('pages: Int'))).rejects.toThrow('not in step');
    await fourth.close();
  });

  test('is taken once if two servers start together, and writers wait for each other', async () => {
    const file = newFile();
    const first = sqliteStore({ file });
    await first.open(stored('title: String!'));
    await first.close();
    const told: string[] = [];
    const stores = [1, 2, 3].map(() => sqliteStore({ file, migrated: (steps) => told.push(...steps) }));
    const databases = await Promise.all(stores.map((store) => store.open(stored('title: String!, pages: Int'))));
    expect(told).toEqual(['change the table book: add pages']);
    const write = (db: (typeof databases)[0], id: string) =>
      db.transaction().execute(async (transaction) => {
        await transaction.insertInto('book').values({ id, title: 'x' }).execute();
        await new Promise((resolve) => setTimeout(resolve, 20));
      });
    await Promise.all(databases.map((db, at) => write(db, String(at))));
    expect(await databases[0]?.selectFrom('book').select('id').orderBy('id').execute()).toHaveLength(3);
    await Promise.all(stores.map((store) => store.close()));
  });
});
