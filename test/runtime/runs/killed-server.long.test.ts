import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { onTestFinished, test, vi } from 'vitest';
import { brokerCases } from '../brokers/broker-servers.js';
import { noSqlite } from '../store/engines.js';
import { checkKilledServers, checkKilledSqlite } from './kill-cases.js';

const kills = 20;

function folder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'gg-svc-killed-runs-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

test.skipIf(noSqlite)(`${kills} runs on SQLite end after the server of each was killed`, async () => {
  await checkKilledSqlite(folder(), kills);
});

test(`${kills} runs on PostgreSQL end after the server of each was killed`, async () => {
  const postgres = brokerCases.find(({ name }) => name === 'postgres');
  if (postgres === undefined) throw new Error('no PostgreSQL');
  const server = await postgres.start();
  onTestFinished(() => server.stop());
  const database = String(postgres.url(server.port));
  const query = async (sql: string) => {
    const client = new pg.Client(database);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  // It takes connections before it takes queries.
  await vi.waitFor(() => query('SELECT 1'), { timeout: 120_000 });
  await checkKilledServers(
    { database, directory: folder() },
    kills,
    async () => {
      await query(`UPDATE gg_svc_runs.workflow_runs SET available_at = created_at
        WHERE worker_id IS NOT NULL AND status = 'running'`);
    },
    async () => {
      const rows = await query('SELECT name FROM parcel JOIN customer ON customer.id = parcel."customerId"');
      return rows.map(({ name }) => String(name));
    },
  );
});
