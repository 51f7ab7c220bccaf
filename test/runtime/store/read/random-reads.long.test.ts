import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { postgresStore } from '../../../../src/runtime/store/postgres.js';
import { sqliteStore } from '../../../../src/runtime/store/sqlite.js';
import { type BrokerServer, brokerCases } from '../../brokers/broker-servers.js';
import { noSqlite } from '../engines.js';
import { checkFilters } from './odd-strings.js';
import { checkOneStatement } from './one-statement.js';
import { checkPassedText } from './passed-text.js';
import { checkReads } from './random-reads.js';

const postgres = brokerCases.find(({ name }) => name === 'postgres');
if (postgres === undefined) throw new Error('no PostgreSQL');
let server: BrokerServer;
let databases = 0;

beforeAll(async () => {
  server = await postgres.start();
  // The port is open before the server answers.
  await vi.waitFor(() => query('SELECT 1'), { timeout: 120_000, interval: 200 });
});
afterAll(() => server.stop());

async function query(sql: string): Promise<void> {
  const client = new pg.Client(postgres?.url(server.port));
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

async function newStore() {
  const name = `reads${databases++}`;
  await query(`CREATE DATABASE ${name}`);
  return postgresStore({ url: String(postgres?.url(server.port)).replace(/postgres$/, name) });
}

test('random reads of random tables in PostgreSQL give what a plain search gives', () =>
  checkReads(newStore, { numRuns: 40 }));

test('one statement of PostgreSQL gives what a statement for each level gives', () => checkOneStatement(40, newStore));

test.skipIf(noSqlite)('one statement of SQLite gives what a statement for each level gives', () =>
  checkOneStatement(150, async () => sqliteStore({ file: ':memory:' })),
);

test('answers with the text of PostgreSQL have the bytes of graphql-js', async () => {
  expect(await checkPassedText(15, newStore)).toBeGreaterThan(5);
});

test.skipIf(noSqlite)('answers with the text of SQLite have the bytes of graphql-js, in many runs', async () => {
  expect(await checkPassedText(100, async () => sqliteStore({ file: ':memory:' }))).toBeGreaterThan(50);
});

test('filters of PostgreSQL accept each string, or refuse it as bad input', async () => {
  const store = await newStore();
  await checkFilters(store, expect);
  await store.close();
});

test.skipIf(noSqlite)('random reads of random tables in SQLite give what a plain search gives', () =>
  checkReads(async () => sqliteStore({ file: ':memory:' }), { numRuns: 100 }),
);
