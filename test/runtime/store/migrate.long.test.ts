import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { postgresStore } from '../../../src/runtime/store/postgres.js';
import { type BrokerServer, brokerCases } from '../brokers/broker-servers.js';
import { noSqlite } from './engines.js';
import { checkKilledMigrations, checkMigrations, type SchemaOf } from './migrate-cases.js';
import { databaseOf, disposable, killerOf, newSqlite, sqliteSchema } from './migrate-engines.js';

const directory = mkdtempSync(join(tmpdir(), 'gg-svc-migrate-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
let files = 0;

describe.skipIf(noSqlite)('a migration of SQLite', () => {
  test('makes the tables of a new database, and keeps rows, for 200 random pairs of models', async () => {
    await checkMigrations(() => newSqlite(':memory:'), sqliteSchema, 200);
  });

  test('ends in the same tables with all rows if its process is killed before any statement', async () => {
    const runUntil = await killerOf();
    const make = () => newSqlite(join(directory, `${files++}.sqlite`));
    await checkKilledMigrations(make, sqliteSchema, runUntil, 4);
  });
});

/**
 * A pair of PostgreSQL takes a second of each of two processes. `PAIRS=200` is for a run of this file alone, which writes
 * a report.
 */
const pairs = Number(process.env.PAIRS ?? 60);

const postgres = brokerCases.find(({ name }) => name === 'postgres');
if (postgres === undefined) throw new Error('no PostgreSQL');

describe('a migration of PostgreSQL', () => {
  let server: BrokerServer;
  const free: string[] = [];
  const urlOf = (name: string) => postgres.url(server.port).replace(/postgres$/, name);
  const query = async (sql: string, database = 'postgres') => {
    const client = new pg.Client(urlOf(database));
    await client.connect();
    return client.query(sql).finally(() => client.end());
  };

  beforeAll(async () => {
    server = await postgres.start();
    // It takes connections before it takes queries.
    await vi.waitFor(() => query('SELECT 1'), { timeout: 120_000 });
    for (const name of ['first', 'second']) {
      await query(`CREATE DATABASE ${name}`);
      free.push(name);
    }
  });
  afterAll(() => server.stop());

  const make = async () => {
    const name = free.pop() ?? '';
    await query('DROP SCHEMA public CASCADE; CREATE SCHEMA public', name);
    const url = urlOf(name);
    return disposable(postgresStore({ url, max: 1 }), url, async () => void free.push(name));
  };

  test(`makes the tables of a new database, and keeps rows, for ${pairs} random pairs of models`, {
    timeout: 3_600_000,
  }, async () => {
    await checkMigrations(make, dumpOf, pairs);
    if (process.env.PAIRS === undefined) return;
    const [version] = (await query('SHOW server_version')).rows.map((row) => String(row.server_version));
    const row = `| PostgreSQL ${version?.split(' ', 1)[0]} | ${process.versions.node} | ${pairs} | 0 |`;
    writeFileSync('test/store-model/MIGRATIONS.md', [...reportHead, row, ''].join('\n'));
  });

  test('ends in the same tables with all rows if its process is killed before any statement', async () => {
    const runUntil = await killerOf();
    await checkKilledMigrations(make, dumpOf, runUntil, 1, 3);
  });

  test('ends in the same tables with all rows if its connection is lost before any statement', async () => {
    const { query: send } = pg.Client.prototype;
    let left = 0;
    const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given) {
      left -= 1;
      if (left !== 0) return Reflect.apply(send, this, given);
      (
        this as unknown as { readonly connection: { readonly stream: { destroy(): void } } }
      ).connection.stream.destroy();
      return Promise.reject(new Error('killed')) as never;
    });
    await checkKilledMigrations(
      make,
      dumpOf,
      async (store, model, statement) => {
        const runner = postgresStore({ url: databaseOf(store), max: 1 });
        left = statement;
        try {
          await runner.migrate(model, { apply: true, allowLoss: true });
        } catch (error) {
          expect(error).toMatchObject({ message: 'The database is not available.' });
        }
        const isKilled = left <= 0;
        left = 0;
        await runner.close();
        return isKilled;
      },
      8,
    );
    spy.mockRestore();
  });
});

const reportHead = [
  '# Migrations of random models',
  '',
  'Written by `PAIRS=200 npx vitest run --project=long test/runtime/store/migrate.long.test.ts`. A database with the tables',
  'and rows of one random model is migrated to another one. Its tables are compared with those of a new database, and its',
  'rows with those that it had.',
  '',
  '| engine | Node.js | pairs of models | differences |',
  '|---|---|--:|--:|',
];

/** Debian starts it by a program of its own, which takes longer. */
const pgDump = [join(dirname(realpathSync('/usr/local/bin/postgres')), 'pg_dump'), 'pg_dump'].find(existsSync);

/** The dump of the schema, without the order of columns. */
const dumpOf: SchemaOf = async (store) => {
  const dump = execFileSync(pgDump ?? 'pg_dump', ['--schema-only', '--no-owner', databaseOf(store)], {
    encoding: 'utf8',
  });
  const statements = dump.replace(/^(?:--|\\).*\n/gm, '').split(/;\n/);
  return statements.map((text) => text.trim().split(/,?\n/).sort().join('\n')).sort();
};
