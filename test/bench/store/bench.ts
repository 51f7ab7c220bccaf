import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { type BrokerServer, brokerCases } from '../../runtime/brokers/broker-servers.js';
import { measureRows } from '../http/compare.js';
import { fill } from './database.js';
import { writeStoreReport } from './report.js';
import { type EngineName, isRight, requestOf, rowsOf, type StoreSide, weightOf } from './rows.js';

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: '.' },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    minutes: { type: 'string', default: '20' },
    server: { type: 'string', default: '' },
    'server-processor': { type: 'string' },
  },
});

const isShort = values.quick || values.only !== undefined;
const conditions = {
  // As many as there are connections to PostgreSQL: a request that waits for one is no faster with more.
  connections: 10,
  turns: values.quick ? 8 : 12,
  processes: values.quick ? 1 : 3,
};
const requests = values.quick ? 300 : 2_000;
const firstRequests = values.quick ? 3_000 : 24_000;

const folder = mkdtempSync(join(tmpdir(), 'gg-svc-bench-'));
const postgres = brokerCases.find(({ name }) => name === 'postgres');
let server: BrokerServer | undefined;
try {
  server = await postgres?.start();
  process.env.BENCH_POSTGRES = postgres?.url(server?.port ?? 0);
  process.env.BENCH_SQLITE = join(folder, 'library.sqlite');
  await takesQueries();
  await fill('PostgreSQL');
  await fill('SQLite');
  await query('analyze');
  const engines: readonly EngineName[] = ['PostgreSQL', 'SQLite'];
  const wanted = engines.flatMap((engine) => {
    const [self, ...rows] = rowsOf(engine);
    const left = rows.filter(({ title }) => `${engine}: ${title}`.includes(values.only ?? ''));
    return self === undefined || left.length === 0 ? [] : [self, ...left];
  });
  const figuresOf = await measureRows<StoreSide>(wanted, {
    ...conditions,
    most: Number(values.minutes) * 60_000,
    command: ({ contender }) => [values.server, contender],
    processor: values['server-processor'],
    requestOf,
    isRight,
    requests: (side) => Math.ceil(requests / weightOf(side)),
    firstRequests: (side) => {
      const weight = weightOf(side);
      // Most code runs once for a request, however many rows it has, and is compiled after as many requests.
      return Math.ceil(firstRequests / Math.max(Math.min(weight, 4), weight / 4));
    },
  });
  const report = writeStoreReport(figuresOf, {
    ...conditions,
    nodeVersion: process.versions.node,
    isPinned: values['server-processor'] !== undefined,
    peers: { ...versions(), PostgreSQL: await postgresVersion() },
  });
  console.log(report);
  if (!isShort) writeFileSync(`${values.root}/test/bench/REPORT-STORE.md`, report);
} finally {
  await server?.stop();
  rmSync(folder, { recursive: true });
}

/** PostgreSQL accepts connections before it takes queries. */
async function takesQueries(): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await query('select 1');
      return;
    } catch (error) {
      if (attempt === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function query(sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(process.env.BENCH_POSTGRES);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function postgresVersion(): Promise<string> {
  const [row] = await query('show server_version');
  return String(row?.server_version);
}

function versions(): Readonly<Record<string, string>> {
  const { devDependencies } = JSON.parse(readFileSync(`${values.root}/package.json`, 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const ofProject = ['fastify', 'pg', 'kysely'].map((name) => [name, devDependencies[name] ?? '']);
  return Object.fromEntries(ofProject);
}
