import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { postgresStore, sqliteStore } from '../../src/index.js';
import type { Store } from '../../src/runtime/store/store.js';
import { brokerCases } from '../runtime/brokers/broker-servers.js';
import { checkReads } from '../runtime/store/read/random-reads.js';
import { checkWrites } from '../runtime/store/write/write-cases.js';

// Compares each engine with a model in memory, for as many operations as asked for, and writes the report.

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    engine: { type: 'string' },
    seed: { type: 'string', default: '1' },
    report: { type: 'string' },
  },
});

interface Engine {
  readonly name: string;
  readonly open: () => Promise<Store>;
  readonly stop: () => Promise<void>;
}

const engines: Readonly<Record<string, () => Promise<Engine>>> = {
  async sqlite() {
    const { DatabaseSync } = await import('node:sqlite');
    const version = new DatabaseSync(':memory:').prepare('SELECT sqlite_version() AS version').get()?.version;
    return {
      name: `SQLite ${version}`,
      open: async () => sqliteStore({ file: ':memory:' }),
      stop: async () => undefined,
    };
  },
  async postgres() {
    const postgres = brokerCases.find(({ name }) => name === 'postgres');
    if (postgres === undefined) throw new Error('no PostgreSQL');
    const server = await postgres.start();
    const url = String(postgres.url(server.port));
    const query = async (sql: string) => {
      const client = new pg.Client(url);
      await client.connect();
      return client.query({ text: sql, rowMode: 'array' }).finally(() => client.end());
    };
    // It takes connections before it takes queries.
    while (!(await query('SELECT 1').catch(() => false)));
    const [version] = (await query('SHOW server_version')).rows.flat();
    return {
      name: `PostgreSQL ${String(version).split(' ', 1)[0]}`,
      async open() {
        await query('DROP SCHEMA public CASCADE; CREATE SCHEMA public').catch(() => undefined);
        return postgresStore({ url, statementTimeout: 120_000 });
      },
      stop: () => server.stop(),
    };
  },
};

const count = Number(values.count);
/** The rows of the report by their engines: those of an engine that does not run stay. */
const rows = new Map(
  [...readReport().matchAll(/^\| ((?:SQLite|PostgreSQL) .*)$/gm)].map(([row = '', text = '']) => [
    text.split(' ', 1)[0],
    row,
  ]),
);
for (const [key, start] of Object.entries(engines)) {
  if (values.engine !== undefined && values.engine !== key) continue;
  const engine = await start();
  const done = { mutations: 0, queries: 0 };
  let topologies = 0;
  // Each topology has at most so many mutations, or reads, of which each is several queries.
  for (let seed = Number(values.seed); done.mutations + done.queries < count; seed += 1) {
    const run = { numRuns: 1, seed };
    await checkWrites(engine.open, { ...run, length: 400, onOperation: () => (done.mutations += 1) });
    await checkReads(engine.open, { ...run, length: 40, onOperation: () => (done.queries += 1) });
    topologies += 2;
  }
  await engine.stop();
  const [mutations, queries] = [done.mutations, done.queries].map((one) => one.toLocaleString('en-US'));
  console.log(`${engine.name}: ${topologies} topologies, ${mutations} writes, ${queries} reads, no difference`);
  const run = `${values.seed} | ${process.versions.node}`;
  rows.set(engine.name.split(' ', 1)[0], `| ${engine.name} | ${run} | ${topologies} | ${mutations} | ${queries} | 0 |`);
}
const report = [
  '# The store and a model in memory',
  '',
  'Written by `npm run store:model`. Random topologies get random sequences of operations: inserts with nested rows, partial',
  'updates, expected versions, deletes; and lists, single rows, pages in both directions with their number of rows, and',
  'relations, with filters and orders. Each answer is compared with that of a model in memory.',
  '',
  '`--engine=sqlite` or `--engine=postgres` runs one engine, and keeps the row of the other.',
  '',
  '| engine | first seed | Node.js | topologies | operations of sequences that write | operations of sequences that read | differences |',
  '|---|--:|---|--:|--:|--:|--:|',
  ...rows.values(),
  '',
].join('\n');
if (values.report !== undefined) writeFileSync(values.report, report);

function readReport(): string {
  return values.report !== undefined && existsSync(values.report) ? readFileSync(values.report, 'utf8') : '';
}
