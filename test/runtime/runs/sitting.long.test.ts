import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, specTypeSchemas } from '@modelcontextprotocol/client';
import pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Run } from '../../../src/runtime/runs/runs.js';
import { buildProgram, program } from '../../tools/cli/build-program.js';
import { brokerCases } from '../brokers/broker-servers.js';
import { connect } from '../mcp/connect.js';
import { noSqlite } from '../store/engines.js';

// The durable run of docs/parcel.md in one sitting, with the shipped program.

beforeAll(buildProgram);

const page = readFileSync('docs/parcel.md', 'utf8');
const inputs = JSON.parse(/\/api\/chains\/forwardShipment .* -d '(\{[^']*\})'/.exec(page)?.[1] ?? '');

/** Serves the booking desk over a store. */
async function serveDesk(server: object, env: NodeJS.ProcessEnv = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'gg-svc-sitting-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  copyFileSync('docs/examples/parcel-store/desk.gg', join(folder, 'desk.gg'));
  const project = { sources: ['desk.gg'], server: { ...server, mcp: true } };
  writeFileSync(join(folder, 'gg-svc.config.json'), JSON.stringify(project));
  let origin = '';
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    child = spawn(process.execPath, [program, 'serve', '--port', '0'], {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    const started = child;
    onTestFinished(() => void started.kill('SIGKILL'));
    let printed = '';
    origin = await new Promise<string>((resolve, reject) => {
      for (const stream of [started.stdout, started.stderr])
        stream?.on('data', (text) => {
          printed += text;
          const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
          if (found !== undefined) resolve(found);
        });
      started.once('exit', () => reject(new Error(printed)));
    });
  };
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
  };
  const ask = async <Answer>(path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${origin}/api/${path}`, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json' },
    });
    expect(response.ok, `${path}: ${response.status}`).toBe(true);
    return (await response.json()) as Answer;
  };
  const until = async (id: string, expected: object): Promise<Run> => {
    await expect.poll(() => ask<Run>(`runs/${id}`)).toMatchObject(expected);
    return ask<Run>(`runs/${id}`);
  };
  await start();
  return {
    ask,
    until,
    kill,
    start,
    client: () => connect((path, init) => fetch(origin + path, init), '2025-11-25'),
  };
}

type Desk = Awaited<ReturnType<typeof serveDesk>>;

const waits = { state: 'running', step: 'forwardShipment', waitsFor: { event: 'shipmentScanned' } };

/** The id that a step of a run has returned. */
function idOf({ steps }: Run, operation: string): string {
  const { result } = steps.find((step) => step.operation === operation) ?? {};
  return (result as { readonly id: string }).id;
}

const scan = ({ ask }: Desk, run: Run) =>
  ask('recordScan', { shipmentId: idOf(run, 'bookShipment'), depot: 'Harbour' });

/** What a run has left: the status of its shipment, whether its payment was refunded, and the shipments of its customer. */
async function rowsOf({ ask }: Desk, run: Run) {
  const { status } = await ask<{ status: string }>(`shipment?id=${idOf(run, 'bookShipment')}`);
  const { refunded } = await ask<{ refunded: boolean }>(`payment?id=${idOf(run, 'payPostage')}`);
  const shipments = await ask<unknown[]>(`listShipments?customerId=${idOf(run, 'signUp')}`);
  return { status, refunded, shipments: shipments.length };
}

const isMoved = { status: 'IN_TRANSIT', refunded: false, shipments: 1 };
const isRefunded = { status: 'RETURNED', refunded: true, shipments: 1 };

async function sit(desk: Desk): Promise<void> {
  const { ask, until, kill, start } = desk;
  const [moved, dropped] = [
    await ask<Run>('chains/forwardShipment', inputs),
    await ask<Run>('chains/forwardShipment', inputs),
  ];
  const [first, second] = [await until(moved.id, waits), await until(dropped.id, waits)];
  await kill();
  await start();
  expect(await ask(`runs/${moved.id}`)).toEqual(first);
  await scan(desk, first);
  await until(moved.id, { state: 'completed' });
  expect(await rowsOf(desk, first)).toEqual(isMoved);
  expect(await ask(`runs/${dropped.id}`)).toEqual(second);
  await ask(`runs/${dropped.id}/cancel`, {});
  await until(dropped.id, { state: 'cancelled', undone: ['bookShipment', 'payPostage'] });
  expect(await rowsOf(desk, second)).toEqual(isRefunded);
}

/** The same by an agent: tasks of MCP have the ids of the runs. */
async function sitWithAgent(desk: Desk): Promise<void> {
  const { ask, until, kill, start } = desk;
  const before = await desk.client();
  const { tools } = await before.listTools();
  const name = tools.find(({ execution }) => execution?.taskSupport === 'optional')?.name ?? '';
  expect(page).toContain(`name: '${name}'`);
  const begin = async (): Promise<string> => {
    const params = { name, arguments: { ...inputs, forwardShipment: {} }, task: {} };
    const { task } = await before.request({ method: 'tools/call', params }, specTypeSchemas.CreateTaskResult);
    return task.taskId;
  };
  const [moved, dropped] = [await begin(), await begin()];
  const [first, second] = [await until(moved, waits), await until(dropped, waits)];
  await kill();
  await start();
  const after: Client = await desk.client();
  const read = (taskId: string) =>
    after.request({ method: 'tasks/get', params: { taskId } }, specTypeSchemas.GetTaskResult);
  expect(await read(moved)).toMatchObject({ status: 'working' });
  const scanned = await after.callTool({
    name,
    arguments: { recordScan: { shipmentId: idOf(first, 'bookShipment'), depot: 'Harbour' } },
  });
  expect(scanned.isError).toBeUndefined();
  await expect.poll(() => read(moved)).toMatchObject({ status: 'completed' });
  expect(await rowsOf(desk, first)).toEqual(isMoved);
  await after.request({ method: 'tasks/cancel', params: { taskId: dropped } }, specTypeSchemas.CancelTaskResult);
  await expect.poll(() => read(dropped)).toMatchObject({ status: 'cancelled' });
  expect(await rowsOf(desk, second)).toEqual(isRefunded);
  const shown = await after.callTool({
    name: 'read',
    arguments: { payment: { id: idOf(second, 'payPostage') } },
  });
  expect(shown.structuredContent).toMatchObject({ payment: { refunded: true } });
  expect(await ask(`runs/${dropped}`)).toMatchObject({ state: 'cancelled' });
}

describe('a run of the booking desk waits while its server is killed, moves on after a scan, and is refunded', () => {
  test.skipIf(noSqlite)('on SQLite', async () => {
    const desk = await serveDesk({ store: { file: 'data.sqlite' } });
    await sit(desk);
    await sitWithAgent(desk);
  });

  test('on PostgreSQL, also if the server is killed right after the scan', async () => {
    const postgres = brokerCases.find(({ name }) => name === 'postgres');
    if (postgres === undefined) throw new Error('no PostgreSQL');
    const database = await postgres.start();
    onTestFinished(() => database.stop());
    const url = String(postgres.url(database.port));
    const desk = await serveDesk(
      { store: { urlFrom: 'DATABASE_URL' }, events: { broker: 'postgres', urlFrom: 'DATABASE_URL' } },
      { DATABASE_URL: url },
    );
    await sit(desk);
    await sitWithAgent(desk);
    const run = await desk.until((await desk.ask<Run>('chains/forwardShipment', inputs)).id, waits);
    await scan(desk, run);
    await desk.kill();
    await expireLeases(url);
    await desk.start();
    await desk.until(run.id, { state: 'completed' });
    expect(await rowsOf(desk, run)).toEqual(isMoved);
  });
});

/** Another server takes over the runs of a dead one at once, instead of after 30 seconds. */
async function expireLeases(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(
    "UPDATE gg_svc_runs.workflow_runs SET available_at = created_at WHERE worker_id IS NOT NULL AND status = 'running'",
  );
  await client.end();
}
