import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { EventReader } from '../conformance/event-reader.js';
import { type BrokerServer, brokerCases } from '../runtime/brokers/broker-servers.js';
import { connect } from '../runtime/mcp/connect.js';
import { buildProgram, program } from '../tools/cli/build-program.js';

// The steps of docs/parcel.md, with the shipped program and a Redis of their own.

const folder = mkdtempSync(join(tmpdir(), 'gg-svc-parcel-'));
const redis = brokerCases.find(({ name }) => name === 'redis-streams');
let broker: BrokerServer | undefined;

beforeAll(async () => {
  buildProgram();
  cpSync('docs/examples/parcel', join(folder, 'parcel'), { recursive: true });
  broker = await redis?.start();
  const events = { broker: 'redis-streams', url: redis?.url(broker?.port ?? 0) };
  const project = { sources: ['parcel/main.gg'], server: { events, mcp: true } };
  writeFileSync(join(folder, 'gg-svc.config.json'), JSON.stringify(project));
});

afterAll(async () => {
  await broker?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Serves the example on a free port. */
async function serve(): Promise<{ readonly origin: string; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, [program, 'serve', '--port', '0'], { cwd: folder });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  const origin = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        printed += text;
        const found = /http:\/\/(?:localhost|127\.0\.0\.1):\d+/.exec(printed)?.[0];
        if (found !== undefined) resolve(found);
      });
    }
    child.once('exit', () => reject(new Error(printed)));
  });
  return { origin, child };
}

async function scan(origin: string, kind: string): Promise<void> {
  const response = await fetch(`${origin}/api/recordScan`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: { barcode: '1', kind } }),
  });
  expect(response.status, await response.text()).toBe(200);
}

it('a client that followed a parcel resumes after the server was killed and started again', async () => {
  const first = await serve();
  const path = '/api/parcelTracked?parcelId=1';
  const before = new EventReader(await fetch(first.origin + path));
  await scan(first.origin, 'SCANNED');
  const seen = await before.next();
  expect(JSON.parse(seen?.data ?? '{}')).toMatchObject({ parcelId: '1', kind: 'SCANNED' });
  await before.cancel();
  // The client does not receive this one.
  await scan(first.origin, 'SORTED');
  first.child.kill('SIGKILL');

  const second = await serve();
  const headers = { 'last-event-id': seen?.id ?? '' };
  const after = new EventReader(await fetch(second.origin + path, { headers }));
  await scan(second.origin, 'LOADED');
  const missed = [await after.next(), await after.next()];
  expect(missed.map((event) => JSON.parse(event?.data ?? '{}').kind)).toEqual(['SORTED', 'LOADED']);
  await after.cancel();
});

it('the workflows of the parcel example pass', () => {
  const printed = execFileSync(process.execPath, [program, 'test', 'parcel/main.gg'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(printed).toMatch(/\d+ workflows passed, 0 failed/);
});

it('an agent books a shipment for a new customer with one call, and others follow it', async () => {
  const { origin } = await serve();
  const booked = new EventReader(await fetch(`${origin}/api/shipmentBooked`));
  const client = await connect((path, init) => fetch(origin + path, init));
  const destination = { lines: ['Domkloster 4'], postcode: '50667', city: 'Cologne', country: 'DE' };
  const { structuredContent, isError } = await client.callTool({
    name: 'bookShipment_and_4_more',
    arguments: {
      signUp: { input: { name: 'Linus', email: 'linus@example.com' } },
      bookShipment: {
        parties: { recipientId: '2', destination },
        draft: { parcels: [{ weightGrams: 900, contents: 'A lamp' }] },
      },
      label: {},
    },
  });
  expect(isError).toBeUndefined();
  const { signUp, bookShipment, label } = structuredContent as Record<string, Record<string, unknown>>;
  expect(bookShipment).toMatchObject({ sender: { id: signUp?.id, name: 'Linus' }, status: 'BOOKED' });
  expect(label).toHaveProperty('barcode');
  expect(JSON.parse((await booked.next())?.data ?? '{}')).toMatchObject({ id: bookShipment?.id });
  await booked.cancel();
  await client.close();
});
