import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../free-port.js';
import { type BrokerCase, brokerCases } from '../runtime/brokers/broker-servers.js';
import { expectFault } from './browser.js';
import { startDev } from './dev-server.js';
import { openStudio } from './studio-page.js';

const desk = readFileSync(new URL('../../docs/examples/parcel-store/desk.gg', import.meta.url), 'utf8');

test('shows how a run of a killed server goes on, and how another one is undone', async () => {
  const postgres = brokerCases.find(({ name }) => name === 'postgres') as BrokerCase;
  const database = await postgres.start();
  onTestFinished(() => database.stop());
  const env = { DATABASE_URL: String(postgres.url(database.port)) };
  const project = { sources: ['desk.gg'], server: { store: { urlFrom: 'DATABASE_URL' } } };
  const files = { 'desk.gg': desk, 'gg-svc.config.json': JSON.stringify(project) };
  const args = ['dev', '--port', String(await freePort())];
  const { origin, process: first } = await startDev(files, args, env);
  const ask = async (path: string, body?: object) => {
    const response = await fetch(`${origin}/api/${path}`, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json' },
    });
    return (await response.json()) as { id: string; steps: { result: { id: string } }[] };
  };
  const book = () =>
    ask('chains/forwardShipment', {
      signUp: { name: 'Ada' },
      payPostage: { cents: 490 },
      bookShipment: { input: { city: 'Cologne', parcels: [{ weightGrams: 900 }] } },
    });
  const page = await openStudio(origin);
  // The server is away for a moment.
  expectFault(page, /ERR_(?:INCOMPLETE_CHUNKED_ENCODING|CONNECTION_REFUSED|CONNECTION_RESET).*\/_gg\/api\/messages$/);
  await page.getByRole('button', { name: 'Runs', exact: true }).click();
  const runs = page.getByRole('list', { name: 'Runs of chains' });
  const stepsOf = async (at: number) => {
    const texts = await page
      .getByRole('list', { name: 'Steps of forwardShipment' })
      .nth(at)
      .getByRole('listitem')
      .allTextContents();
    return texts.map((text) => text.replace(/ \d.*$/, ''));
  };
  const before = ['signUp ✓ done', 'payPostage ✓ done', 'bookShipment ✓ done'];
  const waits = [...before, 'forwardShipment … waiting It waits for shipmentScanned.'];
  const { id } = await book();
  await expect.poll(() => stepsOf(0)).toEqual(waits);
  // The page shows that the run waits a moment before the database has it.
  await expect.poll(() => ask(`runs/${id}`)).toMatchObject({ waitsFor: { event: 'shipmentScanned' } });
  first.kill('SIGKILL');
  await new Promise((resolve) => first.once('exit', resolve));
  await startDev(files, args, env);

  // A page that is opened later shows the run, too.
  const later = await openStudio(origin);
  await later.getByRole('button', { name: '1 run, 1 open' }).waitFor();
  await later.context().close();
  const { steps } = await ask(`runs/${id}`);
  await ask('recordScan', { shipmentId: steps[2]?.result.id, depot: 'Harbour' });
  await runs.getByRole('button', { name: /forwardShipment ✓ completed durable/ }).waitFor();
  expect(await stepsOf(0)).toEqual([...before, 'forwardShipment ✓ done']);

  const other = await book();
  await expect.poll(() => stepsOf(0)).toEqual(waits);
  await ask(`runs/${other.id}/cancel`, {});
  await runs.getByRole('button', { name: /forwardShipment ✕ cancelled durable/ }).waitFor();
  expect((await stepsOf(0)).slice(0, 3)).toEqual(['signUp ✓ done', 'payPostage ↶ undone', 'bookShipment ↶ undone']);
});
