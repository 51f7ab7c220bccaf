import { type AddressInfo, connect, createServer } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createGqlServer } from '../../../src/index.js';
import { databaseOf } from '../../../src/runtime/store/database.js';
import { postgresStore } from '../../../src/runtime/store/postgres.js';
import { fromDatabase, toDatabase } from '../../../src/runtime/store/values.js';
import { type BrokerServer, brokerCases, startProxy } from '../brokers/broker-servers.js';
import { modelOf } from './engines.js';

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

test('a time that no answer can have fails its field, and not its statement and the health of the database', async () => {
  const { url, name } = await newUrl();
  const store = postgresStore({ url });
  const topology = `
(visit: Stored { id: ID!, at: DateTime })
(root)-[:PROCESS { operation: 'visits', returns: [Visit!]! }]->(visit)
`;
  const server = createGqlServer({
    topologies: [{ name: 'a.gg', source: topology }],
    store,
    limits: { masking: false },
  });
  const db = await store.open(modelOf(topology));
  const times = ['infinity', '-infinity', '12024-01-01 00:00:00+00', '0300-01-01 00:00:00+00 BC'];
  for (const [id, at] of times.entries()) await query(`INSERT INTO visit VALUES ('${id}', '${at}')`, name);
  await query(`INSERT INTO visit VALUES ('x', '2024-01-01 00:00:00Z')`, name);
  const all = db.selectFrom('visit').select(['id', 'at']).orderBy('id');
  expect(await databaseOf(db).run(all.compile())).toHaveLength(5);
  expect((await all.execute()).at(-1)).toEqual({ id: 'x', at: '2024-01-01T00:00:00.000Z' });
  // By graphql-js, and then by a plan.
  for (let turn = 0; turn < 2; turn++) {
    const { data, errors } = await server.executeOperation({ query: '{ visits { id at } }' });
    expect(data).toMatchObject({ visits: [{}, {}, {}, {}, { at: '2024-01-01T00:00:00.000Z' }] });
    expect(errors?.length ?? 0).toBeGreaterThan(0);
  }
  expect(store.isUp).toBe(true);
  await store.close();
});

test('a transaction is two round trips, and leaves nothing if a statement of it fails', async () => {
  const { url, name } = await newUrl();
  const proxy = await startProxy(server.port, /S\0\0\0\x04/g);
  const store = postgresStore({ url: url.replace(String(server.port), String(proxy.port)), max: 1 });
  const db = await store.open(model);
  const database = databaseOf(db);
  const insert = (id: string) => db.insertInto('author').values({ id, name: 'x' }).returning('id').compile();
  const write = (first: string, last: string) =>
    database.transaction(async (session) => {
      const rows = await session.run(insert(first));
      session.runLast(insert(last));
      return rows;
    });
  const before = proxy.requests;
  expect(await write('a', 'b')).toEqual([{ id: 'a' }]);
  expect(proxy.requests - before).toBe(2);
  // The server knows a statement from its second use on, though it fails.
  for (const [first, last] of [
    ['a', 'c'],
    ['c', 'a'],
    ['d', 'b'],
  ] as const)
    await expect(write(first, last)).rejects.toMatchObject({ code: '23505' });
  expect(await write('e', 'f')).toEqual([{ id: 'e' }]);
  const given = new Error('no');
  await expect(database.transaction(() => Promise.reject(given))).rejects.toBe(given);
  const ids = (await query('SELECT id FROM author ORDER BY id', name)).map(({ id }) => id);
  expect(ids).toEqual(['a', 'b', 'e', 'f']);
  await store.close();
  proxy.close();
});

test('an empty statement fails, in a transaction too, and the connection answers the next one', async () => {
  const { url } = await newUrl();
  const store = postgresStore({ url, max: 1 });
  const database = databaseOf(await store.open(model));
  const empty = { sql: ' -- nothing', parameters: [] };
  await expect(database.run(empty)).rejects.toThrow('a statement is empty');
  await expect(database.transaction(async (session) => session.run(empty))).rejects.toThrow('a statement is empty');
  expect(await database.run({ sql: 'SELECT 1 AS one', parameters: [] })).toEqual([{ one: 1 }]);
  await store.close();
});

test('a plan that is gone fails no statement of the store, and those of programs once', async () => {
  const { url, name } = await newUrl();
  const store = postgresStore({ url, max: 1 });
  const db = await store.open(model);
  const database = databaseOf(db);
  const ofProgram = () => db.selectFrom('author').selectAll().where('id', '=', 'a').execute();
  const all = db.selectFrom('author').selectAll().where('id', '=', 'a').compile();
  const other = db.selectFrom('book').selectAll().where('id', '=', 'a').compile();
  const insert = { sql: 'insert into author (id, name) values ($1, $2)', parameters: ['a', 'Ada'] };
  const remove = { sql: 'delete from author where id = $1', parameters: ['a'] };
  const work = async () => {
    const alone = await database.run(all);
    const found = await database.transaction(async (session) => {
      await session.run(insert);
      await session.run(other);
      session.runLast(remove);
      return session.run(all);
    });
    return [alone, found.length];
  };
  const { sql } = await import('kysely');
  const changes = [
    () => query('ALTER TABLE author ALTER name TYPE varchar(40)', name),
    () => query('ALTER TABLE book ALTER id TYPE varchar(40)', name),
    () => sql`DISCARD ALL`.execute(db),
  ];
  for (const change of changes) {
    for (let turn = 0; turn < 3; turn++) expect([await work(), await ofProgram()]).toEqual([[[], 1], []]);
    await change();
    expect(await work()).toEqual([[], 1]);
    await ofProgram().catch(() => undefined);
  }
  expect(await ofProgram()).toEqual([]);
  await store.close();
});

test('a database that goes away during a cancellation does not end the process', async () => {
  const { url } = await newUrl();
  let cancels = 0;
  let sent = (): void => undefined;
  const proxy = createServer((client) => {
    const upstream = connect(server.port, '127.0.0.1').on('error', () => undefined);
    client
      .on('error', () => undefined)
      .pipe(upstream)
      .pipe(client);
    client.prependListener('data', (chunk: Buffer) => {
      if (chunk.includes('pg_sleep')) setImmediate(sent);
      if (!chunk.includes('pg_cancel_backend')) return;
      cancels += 1;
      client.unpipe();
      client.destroy();
      upstream.destroy();
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  const store = postgresStore({ url: url.replace(String(server.port), String(port)), max: 1 });
  const db = await store.open(model);
  const given = new Error('given up');
  const slow = { sql: 'SELECT pg_sleep(0.5)', parameters: [] };
  const { sql } = await import('kysely');
  for (const run of [
    (signal: AbortSignal) => databaseOf(db).run(slow, signal),
    (signal: AbortSignal) => sql.raw(slow.sql).execute(db, { signal, inflightQueryAbortStrategy: 'cancel query' }),
  ]) {
    const canceller = new AbortController();
    sent = () => canceller.abort(given);
    const running = run(canceller.signal);
    await expect(running).rejects.toThrow();
    expect(await db.selectFrom('author').selectAll().execute()).toEqual([]);
  }
  expect(cancels).toBe(2);
  await store.close();
  proxy.close();
});

test('processes that open an empty database at once make its tables once, wherever one is when another looks', async () => {
  for (let turn = 0; turn < 10; turn++) {
    const { url } = await newUrl();
    const stores = Array.from({ length: 4 }, () => postgresStore({ url }));
    await Promise.all(stores.map((store) => store.open(model)));
    expect(await stores[0]?.migrate(model)).toMatchObject({ version: 1, steps: [] });
    await Promise.all(stores.map((store) => store.close()));
  }
});

const books = (fields: string, more = '') =>
  modelOf(`
(author: Stored { id: ID!, name: String! })
(book: Stored { id: ID!, ${fields} })
${more}
(root)-[:PROCESS { operation: 'books', returns: [Book!]! }]->(book)
`);

test('serves the old and the new topology on tables that are expanded, and then only the new one', async () => {
  const { url, name } = await newUrl();
  const old = books('title: String!, isbn: String!, pages: Int');
  const next = books(
    `
    /// @store unique
    title: String!
    pages: Int! = 0
    /// @store default uuid
    code: String!
    authorId: ID, author: Author`,
    '(review: Stored { id: ID!, bookId: ID!, book: Book })',
  );
  const [one, other] = [postgresStore({ url }), postgresStore({ url })];
  const db = await one.open(old);
  await db.insertInto('book').values({ id: '1', title: 'x', isbn: 'y' }).execute();
  await expect(other.open(next)).rejects.toThrow('not in step');
  expect(await one.migrate(next, { apply: true, expand: true })).toMatchObject({
    isApplied: true,
    version: 1,
  });
  // A server with the old topology that starts again.
  await one.close();
  const before = await one.open(old);
  await before.insertInto('book').values({ id: '2', title: 'y', isbn: 'z' }).execute();
  const after = await other.open(next);
  await after.insertInto('book').values({ id: '3', title: 'z', pages: 1, code: 'c' }).execute();
  expect((await one.migrate(old)).steps).toEqual([]);
  expect(await one.migrate(next)).toMatchObject({ isServed: true });
  expect(await one.migrate(next, { apply: true, expand: true })).toMatchObject({
    isApplied: true,
    steps: [],
  });
  const third = books('title: String!, stars: Int');
  expect((await one.migrate(third, { apply: true, expand: true })).refusals).toContainEqual(
    expect.stringMatching('is left of an earlier expansion: take it first'),
  );
  await query(`INSERT INTO book VALUES ('4', 'z', 'w', 2)`, name);
  expect(await one.migrate(next, { apply: true, allowLoss: true })).toMatchObject({
    isApplied: false,
    refusals: ['rows of book have the same title, which must be unique'],
  });
  await query(`DELETE FROM book WHERE id = '4'`, name);
  expect(await one.migrate(next, { apply: true })).toMatchObject({ isApplied: false, version: 1 });
  expect(await one.migrate(next, { apply: true, allowLoss: true })).toMatchObject({
    isApplied: true,
    version: 2,
  });
  expect(await after.selectFrom('book').selectAll().orderBy('id').execute()).toEqual([
    { id: '1', title: 'x', pages: 0, code: expect.stringMatching(/^[0-9a-f-]{36}$/), authorId: null },
    { id: '2', title: 'y', pages: 0, code: expect.stringMatching(/^[0-9a-f-]{36}$/), authorId: null },
    { id: '3', title: 'z', pages: 1, code: 'c', authorId: null },
  ]);
  await one.close();
  await expect(one.open(old)).rejects.toThrow('not in step');
  await Promise.all([one.close(), other.close()]);
});

test('refuses to expand tables for a column with another name, and finishes an expansion for another topology', async () => {
  const { url } = await newUrl();
  const store = postgresStore({ url });
  await store.open(books('title: String!'));
  const renamed = books(`
    /// @store was title
    name: String!`);
  expect((await store.migrate(renamed, { apply: true, expand: true })).refusals).toEqual([
    expect.stringMatching('“change the table book: rename title to name” fits either the old program or the new one'),
  ]);
  await store.migrate(books('title: String!, a: Int'), { apply: true });
  await store.migrate(books('title: String!, b: Int'), { apply: true, expand: true });
  const done = await store.migrate(books('title: String!, b: Int, c: Int'), { apply: true, allowLoss: true });
  expect(done.steps.map(({ summary }) => summary)).toEqual([
    'change the table book: drop a',
    'change the table book: add c',
  ]);
  expect(done).toMatchObject({ isApplied: true, version: 4 });
  await store.close();
});

test('lets one of several runners build an index, and the others find nothing to do', async () => {
  const { url } = await newUrl();
  const stores = Array.from({ length: 3 }, () => postgresStore({ url }));
  const db = await stores[0]?.open(books('title: String!'));
  const rows = Array.from({ length: 2_500 }, (_, id) => ({ id: String(id), title: 'x' }));
  await db?.insertInto('book').values(rows).execute();
  const next = books(`
    /// @store index
    title: String!
    /// @store default uuid
    /// @store unique
    code: String!`);
  const done = await Promise.all(stores.map((store) => store.migrate(next, { apply: true })));
  expect(done.filter(({ steps }) => steps.length > 0)).toHaveLength(1);
  expect(done.every(({ isApplied, version }) => isApplied && version === 2)).toBe(true);
  const codes = await db?.selectFrom('book').select('code').distinct().execute();
  expect(codes).toHaveLength(2_500);
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
