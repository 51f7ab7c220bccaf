import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { onTestFinished, test, vi } from 'vitest';
import { brokerCases } from '../brokers/broker-servers.js';
import { noSqlite } from './engines.js';
import { checkKilledPostgres, checkKilledSqlite } from './kill-cases.js';

const [mutations, kills] = [1_000, 60];

test.skipIf(noSqlite)(
  `rows, events and keys of SQLite agree after ${mutations} mutations of processes that are killed ${kills} times`,
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'gg-svc-killed-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    await checkKilledSqlite(directory, mutations, kills);
  },
);

test(`rows, events and keys of PostgreSQL agree after ${mutations} mutations of processes that are killed ${kills} times`, async () => {
  const postgres = brokerCases.find(({ name }) => name === 'postgres');
  if (postgres === undefined) throw new Error('no PostgreSQL');
  const server = await postgres.start();
  onTestFinished(() => server.stop());
  const url = String(postgres.url(server.port));
  // It takes connections before it takes queries.
  await vi.waitFor(
    async () => {
      const client = new pg.Client(url);
      await client.connect();
      await client.end();
    },
    { timeout: 120_000 },
  );
  await checkKilledPostgres(url, mutations, kills);
});
