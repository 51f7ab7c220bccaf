import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { postgresStore } from '../../../src/runtime/store/postgres.js';
import type { Store } from '../../../src/runtime/store/store.js';
import { fromDatabase, toDatabase } from '../../../src/runtime/store/values.js';
import { type BrokerServer, brokerCases } from '../brokers/broker-servers.js';
import { modelOf } from './engines.js';
import { checkMigrations } from './migrate-cases.js';

const postgres = brokerCases.find(({ name }) => name === 'postgres');
if (postgres === undefined) throw new Error('no PostgreSQL');
let server: BrokerServer;
let databases = 0;

beforeAll(async () => {
  server = await postgres.start();
  // It takes connections before it takes queries.
  await vi.waitFor(() => query('SELECT 1'), { timeout: 120_000 });
});
afterAll(() => server.stop());

async function query(sql: string, database = 'postgres'): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(postgres?.url(server.port).replace(/postgres$/, database));
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function newUrl(): Promise<{ readonly url: string; readonly name: string }> {
  const name = `db${databases++}`;
  await query(`CREATE DATABASE ${name}`);
  return { name, url: String(postgres?.url(server.port).replace(/postgres$/, name)) };
}

const model = modelOf(`
(author: Stored { id: ID!, name: String! })
(book: Stored {
  id: ID!, authorId: ID!, author: Author, tags: [String!]!, isGood: Boolean!, at: DateTime!, size: BigInt
})
(root)-[:PROCESS { operation: 'books', returns: [Book!]! }]->(book)
`);

test('keeps values of each kind', async () => {
  const { url } = await newUrl();
  const store = postgresStore({ url });
  const db = await store.open(model);
  const [author, book] = model.tables;
  if (author === undefined || book === undefined) throw new Error('no tables');
  await db.insertInto('author').values({ id: 'a', name: 'Ada' }).execute();
  const values: Record<string, unknown> = {
    id: 'b',
    authorId: 'a',
    tags: ['x', "'"],
    isGood: true,
    at: '0000-02-29T12:00:00.123Z',
    size: 2n ** 63n - 1n,
  };
  const kept = book.columns.map((one) => [one.name, toDatabase('postgres', one, values[one.name])]);
  await db.insertInto('book').values(Object.fromEntries(kept)).execute();
  const row = await db.selectFrom('book').selectAll().executeTakeFirstOrThrow();
  expect(fromDatabase('postgres', book, row)).toEqual({ ...values, size: '9223372036854775807' });
  await expect(db.updateTable('author').set({ name: '\0' }).execute()).rejects.toMatchObject({
    extensions: { code: 'BAD_USER_INPUT' },
  });
  await expect(db.deleteFrom('author').execute()).rejects.toMatchObject({ code: '23503' });
  await store.close();
});

test('makes the tables of a new database, and keeps rows, for random pairs of models', async () => {
  const pool: string[] = [];
  const names = new Map<Store, string>();
  for (let number = 0; number < 2; number++) pool.push((await newUrl()).name);
  await checkMigrations(
    async () => {
      const name = pool.pop() ?? '';
      await query('DROP SCHEMA public CASCADE; CREATE SCHEMA public', name);
      const url = String(postgres.url(server.port).replace(/postgres$/, name));
      const store = postgresStore({ url, max: 1 });
      const disposable = {
        ...store,
        [Symbol.asyncDispose]: async () => {
          await store.close();
          pool.push(name);
        },
      };
      names.set(disposable, name);
      return disposable;
    },
    async (store) => {
      const rows = await query(
        `SELECT format('%s.%s %s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attcollation, a.attnotnull, pg_get_expr(d.adbin, d.adrelid)) AS sql
         FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
         WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
         UNION ALL SELECT format('%s %s %s %s', conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid)) FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
         UNION ALL SELECT format('%s %s', indexdef, (SELECT indisvalid FROM pg_index WHERE indexrelid = format('%I', indexname)::regclass)) FROM pg_indexes WHERE schemaname = 'public'`,
        names.get(store),
      );
      return rows.map(({ sql }) => String(sql)).sort();
    },
    60,
  );
});

test('two processes make the tables of an empty database once', async () => {
  const { url } = await newUrl();
  const stores = Array.from({ length: 4 }, () => postgresStore({ url }));
  await Promise.all(stores.map((store) => store.open(model)));
  expect(await stores[0]?.migrate(model)).toMatchObject({ version: 1, steps: [] });
  await Promise.all(stores.map((store) => store.close()));
});

test('finishes indexes that a migration did not come to', async () => {
  const { url, name } = await newUrl();
  const store = postgresStore({ url });
  await store.open(model);
  const step = {
    summary: 'add indexes of book',
    sql: ['CREATE INDEX CONCURRENTLY late ON book (at)'],
    isLater: true,
  };
  await query(`UPDATE gg_svc_store SET pending = '${JSON.stringify([step])}'`, name);
  await store.close();
  await expect(store.open(model)).rejects.toThrow('not in step');
  expect(await store.migrate(model, { apply: true })).toMatchObject({ isApplied: true, steps: [step] });
  expect((await store.migrate(model)).steps).toEqual([]);
  expect(await query(`SELECT 1 AS found FROM pg_indexes WHERE indexname = 'late'`, name)).toHaveLength(1);
  await store.close();
});

test('tells clients to come back while the database is full, slow or away', async () => {
  const { url } = await newUrl();
  // A busy machine connects within it.
  const store = postgresStore({ url, max: 1, statementTimeout: 3_000 });
  const db = await store.open(model);
  const { sql } = await import('kysely');
  const unavailable = {
    extensions: {
      code: 'STORE_UNAVAILABLE',
      http: { status: 503, headers: new Map([['retry-after', '1']]) },
    },
  };
  const slow = sql`SELECT pg_sleep(60)`.execute(db);
  slow.catch(() => undefined);
  await expect(slow).rejects.toMatchObject(unavailable);
  let release: (value?: unknown) => void = () => undefined;
  const held = new Promise((resolve) => {
    release = resolve;
  });
  const holding = db.connection().execute(() => held);
  await expect(db.selectFrom('book').selectAll().execute()).rejects.toMatchObject(unavailable);
  release();
  await holding;
  expect(store.isUp).toBe(true);
  await server.kill();
  const rows = () => db.selectFrom('book').selectAll().execute();
  await expect(rows()).rejects.toMatchObject(unavailable);
  await expect(rows()).rejects.toMatchObject(unavailable);
  expect(store.isUp).toBe(false);
  await server.start();
  // Without a request.
  await expect.poll(() => store.isUp).toBe(true);
  expect(await rows()).toEqual([]);
  await store.close();
});
