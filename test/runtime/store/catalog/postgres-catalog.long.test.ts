import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { postgresStore } from '../../../../src/runtime/store/postgres.js';
import { readPostgresSchema } from '../../../../src/runtime/store/read-database.js';
import { type BrokerServer, brokerCases } from '../../brokers/broker-servers.js';
import { checkImports, modelOfImport } from './import-cases.js';

const postgres = brokerCases.find(({ name }) => name === 'postgres');
if (postgres === undefined) throw new Error('no PostgreSQL');
let server: BrokerServer;
let url = '';

async function query(sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  server = await postgres.start();
  url = String(postgres.url(server.port));
  // It takes connections before it takes queries.
  await vi.waitFor(() => query('SELECT 1'), { timeout: 120_000 });
});
afterAll(() => server.stop());

test('an imported database needs no step to its topology, for random models', async () => {
  await checkImports(async () => {
    await query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    const store = postgresStore({ url, max: 1 });
    return { store, read: () => readPostgresSchema(url), [Symbol.asyncDispose]: () => store.close() };
  }, 20);
});

test('a database that was made by hand is adopted, and changed afterwards', async () => {
  await query(`
DROP SCHEMA public CASCADE; CREATE SCHEMA public;
CREATE TYPE mood AS ENUM ('glad', 'sad');
CREATE TABLE author (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name varchar(80) NOT NULL, mood mood, seen timestamptz DEFAULT now(), place point);
CREATE TABLE book (
  id serial PRIMARY KEY,
  title text NOT NULL DEFAULT 'untitled' CONSTRAINT short CHECK (length(title) <= 90),
  code text UNIQUE,
  author_id uuid NOT NULL CONSTRAINT written REFERENCES author ON DELETE CASCADE
);
CREATE INDEX by_author ON book (author_id);
CREATE VIEW titles AS SELECT title FROM book;
INSERT INTO author (name) VALUES ('Ada');
`);
  const found = await readPostgresSchema(url);
  expect(found.losses.map(({ subject, reason }) => `${subject}: ${reason}`)).toMatchInlineSnapshot(`
    [
      "column author.seen timestamp with time zone: The store reads and writes milliseconds.",
      "column author.place: The store has no column for the type point.",
      "default of column book.id: A topology cannot express nextval('book_id_seq'::regclass): callers give the key.",
      "view titles: Only tables are imported.",
      "foreign key author_id: The store knows no ON DELETE CASCADE; the database does it nevertheless.",
    ]
  `);
  const model = modelOfImport(found);
  const store = postgresStore({ url });
  await expect(store.open(model)).rejects.toThrow('not in step');
  const { steps, isApplied } = await store.migrate(model, { apply: true });
  expect(steps.map(({ summary, sql }) => [summary, ...sql])).toMatchInlineSnapshot(`
    [
      [
        "adopt the table book: name its rules",
        "ALTER TABLE "book" RENAME CONSTRAINT "short" TO "book.title.check"",
        "ALTER INDEX "book_code_key" RENAME TO "book.code.unique"",
        "ALTER INDEX "by_author" RENAME TO "book.author_id.plain"",
        "ALTER TABLE "book" RENAME CONSTRAINT "written" TO "book.author_id.fkey"",
      ],
      [
        "change the table author: rules of its columns",
        "ALTER TABLE "author" ADD CONSTRAINT "author.name.check" CHECK (length("name") <= 80) NOT VALID",
        "ALTER TABLE "author" ADD CONSTRAINT "author.mood.check" CHECK ("mood" IN ('glad', 'sad')) NOT VALID",
      ],
      [
        "validate the limits of author.name",
        "ALTER TABLE "author" VALIDATE CONSTRAINT "author.name.check"",
      ],
      [
        "validate the limits of author.mood",
        "ALTER TABLE "author" VALIDATE CONSTRAINT "author.mood.check"",
      ],
    ]
  `);
  expect(isApplied).toBe(true);
  expect((await store.migrate(model)).steps).toEqual([]);
  const changed = {
    tables: model.tables.map((table) => ({
      ...table,
      columns: table.columns.map(({ isUnique, constraints, values, references, ...column }) =>
        column.name === 'author_id' ? { ...column, references: 'author' } : { ...column, isIndexed: true },
      ),
    })),
  };
  expect(await store.migrate(changed, { apply: true })).toMatchObject({ isApplied: true });
  const db = await store.open(changed);
  expect(await db.selectFrom('author').select('name').execute()).toEqual([{ name: 'Ada' }]);
  expect(
    await query(
      `SELECT conname FROM pg_constraint WHERE contype IN ('c', 'u') AND connamespace = 'public'::regnamespace`,
    ),
  ).toEqual([]);
  await store.close();
});
