import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type BrokerServer, brokerCases } from '../runtime/brokers/broker-servers.js';
import { testClinic } from './clinic-example.js';

const postgres = brokerCases.find(({ name }) => name === 'postgres');
if (postgres === undefined) throw new Error('no PostgreSQL');
let server: BrokerServer;
let url: string;

beforeAll(async () => {
  server = await postgres.start();
  url = String(postgres.url(server.port));
  const connect = async () => {
    const client = new pg.Client(url);
    await client.connect();
    await client.end();
  };
  // The port is open before the server answers.
  await vi.waitFor(connect, { timeout: 120_000, interval: 200 });
});
afterAll(() => server.stop());

test('the workflows of the clinic example pass on PostgreSQL', async () => {
  const printed = await testClinic({ urlFrom: 'DATABASE_URL' }, { DATABASE_URL: url });
  expect(printed).toContain('8 workflows passed, 0 failed');
});
