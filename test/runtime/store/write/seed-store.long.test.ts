import pg from 'pg';
import { afterAll, beforeAll, test, vi } from 'vitest';
import { postgresStore } from '../../../../src/runtime/store/postgres.js';
import { type BrokerServer, brokerCases } from '../../brokers/broker-servers.js';
import { checkSeeds } from './seed-cases.js';

const postgres = brokerCases.find(({ name }) => name === 'postgres');
if (postgres === undefined) throw new Error('no PostgreSQL');
let server: BrokerServer;

async function query(sql: string): Promise<void> {
  const client = new pg.Client(postgres?.url(server.port));
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  server = await postgres.start();
  // It takes connections before it takes queries.
  await vi.waitFor(() => query('SELECT 1'), { timeout: 120_000 });
});
afterAll(() => server.stop());

test('makes rows that PostgreSQL takes, for random models', async () => {
  await checkSeeds(async () => {
    await query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    const store = postgresStore({ url: String(postgres.url(server.port)), max: 1 });
    return { ...store, [Symbol.asyncDispose]: () => store.close() };
  }, 40);
});
