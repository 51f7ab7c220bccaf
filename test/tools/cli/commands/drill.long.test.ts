import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readServers } from '../../../../src/runtime/brokers/nats.js';
import type { FaultReport } from '../../../../src/tools/drill/drill.js';
import { type BrokerServer, brokerCases } from '../../../runtime/brokers/broker-servers.js';
import { until } from '../../../runtime/server/http-server.js';
import { buildProgram, program } from '../build-program.js';
import { directoryWith } from '../stand-in-io.js';
import { startDroppingRedis } from './dropping-redis.js';

/** Drills follow events over the WebSocket of Node.js 22. */
const noWebSocket = typeof WebSocket === 'undefined';

const files = {
  'users.gg': `
    (form { id: ID! })
    (form)-[:FOLD]->(save_user { id: ID! })
    (save_user)-[:FORK]->(user_saved: Event { id: ID! })
  `,
  'users.resolvers.mjs': 'export default { Mutation: { saveUser: (_, { input }) => input } };',
};

/** Each event has an id of its own, so that they are in all partitions. */
const manyFiles = {
  ...files,
  'users.resolvers.mjs': 'export default { Mutation: { saveUser: () => ({ id: crypto.randomUUID() }) } };',
};

const storedFiles = {
  'notes.gg': `
    (note: Stored { id: ID!, text: String! })
    (new_note: Input { text: String! })
    (new_note)-[:FOLD { operation: 'addNote' }]->(note)
    (root)-[:PROCESS { operation: 'readNote', id: ID! }]->(note)
    (note)-[:FORK]->(note_added: Event { id: ID!, text: String! })
  `,
};

const caseOf = (wanted: string) => {
  const found = brokerCases.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`There is no broker ${wanted}.`);
  return found;
};
const servers = new Map<string, BrokerServer>();
const children: ChildProcess[] = [];
beforeAll(async () => {
  buildProgram();
  for (const name of ['redis-streams', 'nats', 'postgres']) servers.set(name, await caseOf(name).start());
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const server of servers.values()) await server.stop();
});

const portOf = (name: string) => servers.get(name === 'redis' ? 'redis-streams' : name)?.port ?? 0;
const urlOf = (name: string) => caseOf(name).url(portOf(name));

function project(server: object, given: Readonly<Record<string, string>> = files): string {
  const sources = Object.keys(given).filter((name) => name.endsWith('.gg'));
  return directoryWith({ ...given, 'gg-svc.config.json': JSON.stringify({ sources, server }) });
}

function start(directory: string, args: readonly string[]) {
  const child = spawn(process.execPath, [program, 'drill', ...args], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  const end = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, said, end };
}

async function drill(directory: string, args: readonly string[], timeout = 120_000) {
  const { said, end } = start(directory, [...args, '--json', '--timeout', String(timeout)]);
  const code = await end;
  const reports: readonly FaultReport[] = said.stdout === '' ? [] : JSON.parse(said.stdout);
  return { code, reports, stderr: said.stderr };
}

const fine = { lost: 0, lostSilently: 0, doneTwice: 0, repeated: 0, outOfOrder: 0, passed: true };

/** The logs of drills that a broker has. */
async function logsAt(broker: string): Promise<unknown> {
  if (broker === 'redis-streams') {
    const redis = new Redis(urlOf(broker));
    return redis.keys('gg-svc-drill*').finally(() => redis.disconnect());
  }
  if (broker === 'nats') {
    const connection = await connect(readServers(urlOf(broker)));
    const { streams } = await jetstreamManager(connection);
    return (await streams.names().next()).filter((name) => name.startsWith('gg-svc-drill'));
  }
  const client = new pg.Client({ connectionString: urlOf(broker) });
  await client.connect();
  const { rows } = await client.query("SELECT FROM pg_tables WHERE tablename LIKE 'gg_svc_drill%'");
  await client.end();
  return rows;
}

test
  .skipIf(noWebSocket)
  .each(
    ['redis-streams', 'nats', 'postgres'].flatMap((broker) => [1, 4].map((partitions) => ({ broker, partitions }))),
  )(
  'every fault of $broker with $partitions partitions loses and repeats nothing, and no log is left',
  async ({ broker, partitions }) => {
    const directory = project({ events: { broker, urlFrom: 'NOT_SET', partitions } }, manyFiles);
    const { code, reports, stderr } = await drill(directory, ['--broker', urlOf(broker)]);
    expect(stderr).not.toContain('error');
    for (const report of reports) expect(report).toMatchObject(fine);
    expect(reports.map(({ fault }) => fault)).toEqual([
      ...['none', 'cut', 'pause', 'refuse', 'lost-answer', 'rollback', 'kill', 'drain'],
    ]);
    expect(reports.filter(({ skipped }) => skipped).map(({ fault }) => fault)).toEqual(['rollback']);
    expect(reports.find(({ fault }) => fault === 'lost-answer')?.hits).toBeGreaterThan(0);
    expect(reports.at(-1)?.told).toHaveProperty('close 1001');
    expect(code).toBe(0);
    expect(await logsAt(broker)).toEqual([]);
  },
);

test.skipIf(noWebSocket)('finds events that channels of Redis lose without word', async () => {
  const directory = project({ events: { broker: 'redis', urlFrom: 'NOT_SET' } });
  const args = ['--broker', urlOf('redis'), '--only', 'refuse', '--rounds', '3'];
  // An event is lost if the server that publishes it has a connection again before the one that listens.
  for (let attempt = 0; ; attempt++) {
    const { code, reports } = await drill(directory, args, 30_000);
    expect(reports[0]).toMatchObject(fine);
    const hasLost = reports.some(({ lostSilently }) => lostSilently > 0);
    expect(code).toBe(hasLost ? 1 : 0);
    if (hasLost) break;
    expect(attempt).toBeLessThan(9);
  }
});

test.skipIf(noWebSocket)('finds writes that a broker acknowledges and drops', async () => {
  const proxy = await startDroppingRedis(portOf('redis'));
  const directory = project({ events: { broker: 'redis', urlFrom: 'NOT_SET' } });
  const address = caseOf('redis').url(proxy.port);
  // What is lost never comes.
  const { code, reports } = await drill(directory, ['--broker', address, '--only', 'none'], 20_000);
  proxy.close();
  expect(reports).toHaveLength(1);
  expect(reports[0]?.lostSilently).toBeGreaterThan(0);
  expect(code).toBe(1);
});

test.skipIf(noWebSocket)('Ctrl-C stops all processes, and removes the log', async () => {
  const directory = project({ events: { broker: 'redis-streams', urlFrom: 'NOT_SET' } });
  const { child, said, end } = start(directory, ['--broker', urlOf('redis-streams'), '--rounds', '1000']);
  await until(() => said.stdout.includes('none'));
  const servers = execFileSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' })
    .trim()
    .split('\n');
  expect(servers).toHaveLength(2);
  child.kill('SIGINT');
  expect(await end).toBe(1);
  for (const one of servers) expect(() => process.kill(Number(one), 0)).toThrow();
  const redis = new Redis(urlOf('redis-streams'));
  expect(await redis.keys('gg-svc-drill*')).toEqual([]);
  redis.disconnect();
});

test('shows the reason when a server does not start', async () => {
  const directory = project({ store: { urlFrom: 'DATABASE_URL' } }, storedFiles);
  const database = urlOf('postgres').replace('/postgres', '/missing');
  const { code, stderr } = await drill(directory, ['--broker', urlOf('nats'), '--database', database]);
  expect(stderr).toContain('GG5070');
  expect(code).toBe(1);
});
