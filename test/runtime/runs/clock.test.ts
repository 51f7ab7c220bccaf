import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createGqlServer, sqliteStore } from '../../../src/index.js';
import { noSqlite } from '../store/engines.js';
import { hour, jump } from './jump.js';

const source = `
(customer: Stored { id: ID!, name: String! })
(parcel: Stored { id: ID!, customerId: ID!, customer: Customer })
(label { id: ID!, text: String! })
(root)-[:FOLD { operation: 'signUp', name: String!, returns: Customer! }]->(customer)
(root)-[:FOLD { operation: 'bookParcel', customerId: ID!, returns: Parcel! }]->(parcel)
(root)-[:FOLD { operation: 'printLabel', parcelId: ID!, text: String!, returns: Label!, chain: true, durable: true }]->(label)
(root)-[:PROCESS { operation: 'parcels', returns: [Parcel!]! }]->(parcel)
`;

/** A server whose step `printLabel` does what the test says, and a run of it. */
async function begin(print: () => Promise<void>) {
  const directory = mkdtempSync(join(tmpdir(), 'gg-svc-clock-'));
  const server = createGqlServer({
    topologies: [{ name: 'a.gg', source }],
    store: sqliteStore({ file: join(directory, 'data.sqlite') }),
    resolvers: {
      Mutation: {
        async printLabel(_: unknown, { parcelId, text }: { parcelId: string; text: string }) {
          await print();
          return { id: parcelId, text };
        },
      },
    } as never,
  });
  onTestFinished(async () => {
    vi.unstubAllGlobals();
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const inputs = { signUp: { name: 'Ada' }, bookParcel: {}, printLabel: { text: 'Ada' } };
  const read = async () => (await server.run('printLabel', inputs, { key: 'k' })).run;
  const parcels = () => server.executeOperation({ query: '{ parcels { customer { name } } }' });
  await read();
  return { read, parcels };
}

const once = { data: { parcels: [{ customer: { name: 'Ada' } }] } };

describe.skipIf(noSqlite)('a run whose clock jumps', () => {
  test('back by an hour while a step waits for its next attempt ends once the clock is right again', async () => {
    let isAway = true;
    const { read, parcels } = await begin(async () => {
      if (isAway) throw new Error('The printer is away.');
    });
    await expect.poll(async () => (await read())?.problem).toMatchObject({ status: 500 });
    jump(-hour);
    expect(await read()).toMatchObject({ state: 'running', step: 'printLabel' });
    isAway = false;
    jump(hour);
    await expect.poll(async () => (await read())?.state).toBe('completed');
    expect(await parcels()).toMatchObject(once);
  });

  test('forward by an hour and back while a step runs ends, with each step once', async () => {
    let calls = 0;
    const printer = new EventTarget();
    const { read, parcels } = await begin(async () => {
      calls += 1;
      await new Promise((resolve) => printer.addEventListener('ready', resolve));
    });
    await expect.poll(() => calls).toBe(1);
    jump(hour);
    // The lease has expired: another worker tries the step, whose key the first one still holds.
    await expect.poll(async () => (await read())?.problem?.code).toBe('IDEMPOTENCY_KEY_IN_USE');
    printer.dispatchEvent(new Event('ready'));
    await expect.poll(async () => (await read())?.state).toBe('completed');
    jump(-hour);
    expect(await read()).toMatchObject({
      state: 'completed',
      steps: [{ operation: 'signUp' }, { operation: 'bookParcel' }, { operation: 'printLabel' }],
    });
    expect(calls).toBe(1);
    expect(await parcels()).toMatchObject(once);
  });
});
