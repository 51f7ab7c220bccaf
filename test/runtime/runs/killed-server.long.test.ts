import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { onTestFinished, test, vi } from 'vitest';
import { brokerCases } from '../brokers/broker-servers.js';
import { noSqlite } from '../store/engines.js';
import { checkKilledServers, type KilledDatabase, killedSqlite } from './kill-cases.js';
import { reportKills } from './report-kills.js';

/** `KILLS=all` kills a server at each `await`, and writes the report; a number kills so many of each workflow. */
const given = process.env.KILLS ?? '4';
const kills = given === 'all' ? given : Number(given);
/** A safety net for tests that hang; the whole enumeration takes hours. */
const limit = process.env.KILLS === undefined ? undefined : 86_400_000;

function folder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'gg-svc-killed-runs-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

async function check(engine: string, database: KilledDatabase): Promise<void> {
  const outcomes = await checkKilledServers(database, kills);
  if (process.env.KILLS !== undefined) reportKills(engine, outcomes);
}

test.skipIf(noSqlite)(
  'the runs of all workflows of parcel on SQLite end after their servers were killed',
  async () => {
    await check('SQLite', await killedSqlite(folder()));
  },
  limit,
);

test(
  'the runs of all workflows of parcel on PostgreSQL end after their servers were killed',
  async () => {
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
    await check('PostgreSQL', {
      ...{ database, directory: folder(), runs: 'gg_svc_runs.workflow_runs' },
      change: async (sql) => void (await query(sql)),
      read: async (sql) => (await query(sql)).map((row) => String(Object.values(row)[0])),
      journal: (table, changes) =>
        Object.entries(changes)
          .map(([change, line]) => {
            const result = change === 'DELETE' ? 'OLD' : 'NEW';
            return `CREATE FUNCTION "${table}_${change}"() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN INSERT INTO public.journal VALUES (${line}); RETURN ${result}; END $$;
            CREATE TRIGGER journal_${change} AFTER ${change} ON "${table}" FOR EACH ROW EXECUTE FUNCTION "${table}_${change}"();`;
          })
          .join('\n'),
    });
  },
  limit,
);
