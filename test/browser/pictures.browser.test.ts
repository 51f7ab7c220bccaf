import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildPlayground } from '../../scripts/playground.mjs';
import { pages, proofs, shop } from '../analysis/diagram/large-topologies.js';
import { commit, initialize } from '../tools/cli/git-repository.js';
import { openPage } from './browser.js';
import { startDev } from './dev-server.js';
import { openTab, select } from './panel.js';
import { serveFolder } from './static-server.js';
import { openStudio, parcel, partOf, service } from './studio-page.js';

// Makes the pictures of the documentation from the shipped examples: `npm run pictures` writes `docs/images/`. Otherwise
// the tests only bring the pages into the states that the pictures show.

const out = mkdtempSync(join(tmpdir(), 'gg-svc-pictures-'));
afterAll(() => rmSync(out, { recursive: true, force: true }));

/** Takes a picture, in the colours that its name says. */
async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.emulateMedia({ colorScheme: name.endsWith('-dark') ? 'dark' : 'light' });
  await page.evaluate('document.activeElement?.blur(); document.fonts.ready');
  if (process.env.PICTURES === undefined) return;
  await page.screenshot({ path: join('docs/images', `${name}.png`) });
}

const wide = { viewport: { width: 1280, height: 760 } };
const small = { viewport: { width: 1100, height: 640 } };

const resolversOf = (path: string) => readFileSync(`docs/examples/${path}.resolvers.mjs`, 'utf8');
const serviceFiles = { ...service, 'service.resolvers.mjs': resolversOf('service') };

/** A price service that answers after a time. */
async function priceService(cents: number, milliseconds: number): Promise<string> {
  const answer: RequestListener = ({ url = '' }, response) => {
    const body = JSON.stringify({ sku: url.split('/').at(-1), cents });
    setTimeout(() => response.setHeader('content-type', 'application/json').end(body), milliseconds);
  };
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Serves the warehouse, whose offer is a race of two price services. */
async function startWarehouse() {
  const read = (name: string) => readFileSync(`docs/examples/orders/${name}`, 'utf8');
  const library = pathToFileURL('dist/channels.js').href;
  const files = {
    'orders.gg': read('orders.gg'),
    'orders.channels.mjs': read('orders.channels.mjs').replace('gg-svc/channels', library),
    'orders.jsonl': read('orders.jsonl'),
  };
  const [PRICES, PARTNER] = await Promise.all([priceService(450, 15), priceService(470, 600)]);
  return startDev(files, ['dev', 'orders.gg', '--title', 'Warehouse'], { PRICES, PARTNER });
}

/** Calls the warehouse, and follows its shipments. */
async function callWarehouse(origin: string): Promise<void> {
  const stream = new AbortController();
  onTestFinished(() => stream.abort());
  await fetch(`${origin}/api/shipmentSent`, { signal: stream.signal });
  for (const id of ['1', '2', '3']) {
    for (const path of ['price?sku=tea', 'orders?sku=tea', 'orders', 'offer?sku=cup'])
      await (await fetch(`${origin}/api/${path}`)).text();
    await send(`${origin}/api/shipment`, { input: { id, order: id, to: 'Ada, Hamburg' } });
  }
  await (await fetch(`${origin}/api/offer?sku=tea`)).text();
}

async function send(url: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).text();
}

/** The numbers of an edge, as its place shows them. */
const numbersOf = (page: Page, edge: string) => page.locator(`.pill[data-edge=${JSON.stringify(edge)}]`);

describe('the pictures of the studio', () => {
  test('show calls, a race and a subscription of the warehouse', async () => {
    const { origin } = await startWarehouse();
    const page = await openStudio(origin, { ...wide, reducedMotion: 'reduce' });
    await select(page, 'Query.offer');
    await openTab(page, 'Calls');
    await callWarehouse(origin);
    await numbersOf(page, 'Subscription.shipmentSent').getByText('1 subscriber').waitFor();
    await page.getByRole('list', { name: 'Last calls' }).getByRole('button').first().click();
    await page.getByRole('list', { name: 'Spans' }).getByRole('listitem').first().waitFor();
    // The graph shows the winner of the last race for four seconds.
    const won = async () => {
      const count = await page.locator('.line.won').count();
      if (count === 0) await (await fetch(`${origin}/api/offer?sku=tea`)).text();
      return count;
    };
    await expect.poll(won).toBe(1);
    await take(page, 'studio-race-light');
    await take(page, 'studio-race-dark');
    await page.setViewportSize(small.viewport);
    await (await fetch(`${origin}/api/offer?sku=tea`)).text();
    await page.getByRole('button', { name: 'Fit', exact: true }).click();
    await take(page, 'studio-live');
    await page.setViewportSize(wide.viewport);
    await page.getByRole('button', { name: /events$/ }).click();
    await page.getByText('Ada, Hamburg').first().waitFor();
    await page.getByRole('button', { name: 'Fit', exact: true }).click();
    await take(page, 'studio-events-dark');
  });

  test('show the parcel example with a selected query, and a call of it', async () => {
    const { origin } = await startDev({ ...parcel, 'main.resolvers.mjs': resolversOf('parcel/main') }, [
      ...['dev', 'main.gg', '--title', 'Parcel'],
    ]);
    const page = await openStudio(origin, wide);
    await select(page, 'Query.listShipments');
    await openTab(page, 'Source');
    await take(page, 'studio-graph');
    await openTab(page, 'Calls');
    await (await fetch(`${origin}/api/listShipments?customerId=1`)).text();
    await (await fetch(`${origin}/api/listShipments?status=BOOKED`)).text();
    const calls = page.getByRole('list', { name: 'Last calls' }).getByRole('listitem');
    await expect.poll(() => calls.count()).toBe(2);
    await calls.first().getByRole('button').first().click();
    await page.getByRole('list', { name: 'Spans' }).getByRole('listitem').first().waitFor();
    await take(page, 'studio-calls');
    await openTab(page, 'Try it');
    await page.getByRole('radio', { name: 'GraphQL' }).check();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('200 OK').waitFor();
    await take(page, 'studio-try-it-dark');
  });

  test('show a finding with its fix, and the changes of a save', async () => {
    const server = await startDev(serviceFiles, ['dev', 'service.gg', '--title', 'Users']);
    const page = await openStudio(server.origin, wide);
    const text = service['service.gg'];
    await select(page, 'Query.readUser');
    await openTab(page, 'Source');
    server.write('service.gg', text.replace('name: String!', 'name: Strin!'));
    await page.getByRole('tabpanel').getByRole('button', { name: 'Write String' }).waitFor();
    await take(page, 'studio-source');
    const next = text
      .replace('  email: String,\n  status', '  status')
      .replace('[ACTIVE, SUSPENDED]', '[ACTIVE, SUSPENDED, GONE]')
      .concat("\n(root)-[:PROCESS]->(hello { text: 'Hello' })\n");
    server.write('service.gg', next);
    await page.setViewportSize(small.viewport);
    const changes = page.getByRole('main').getByRole('button', { name: /^Last save: \d+ breaking/ });
    await changes.click();
    await partOf(page, 'Query.hello').locator('.mark.safe').waitFor();
    await page.getByRole('button', { name: 'Fit', exact: true }).click();
    await take(page, 'studio-changes');
  });
});

test('the picture of time travel shows an earlier commit, with the changes since and replayed calls', async () => {
  const text = service['service.gg'];
  const earlier = text
    .replace('  email: String,\n  status', '  status')
    .replace('(save_user)-[:FORK]->(user_saved)\n', '');
  const server = await startDev({ ...serviceFiles, 'service.gg': earlier }, [
    ...['dev', 'service.gg', '--title', 'Users'],
  ]);
  initialize(server.directory);
  commit(server.directory, 'the first users');
  const page = await openStudio(server.origin, { ...small, reducedMotion: 'reduce' });
  server.write('service.gg', text);
  await partOf(page, 'Subscription.userSaved').waitFor();
  for (const path of ['readUser?id=1', 'readUser?id=2', 'scanResult?url=https://example.com'])
    await (await fetch(`${server.origin}/api/${path}`)).text();
  await select(page, 'Query.readUser');
  await page.getByRole('button', { name: 'Time travel' }).click();
  await page.getByRole('slider', { name: 'Version' }).focus();
  await page.keyboard.press('Home');
  await page.getByRole('button', { name: 'Back to now' }).waitFor();
  await page.getByRole('button', { name: 'Replay calls' }).click();
  await page.getByRole('list', { name: 'Replayed calls' }).getByRole('listitem').first().waitFor();
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await take(page, 'studio-time');
});

test('the picture of the playground shows the bookstore', async () => {
  await buildPlayground(join(out, 'playground'));
  const address = await serveFolder(join(out, 'playground'), '/');
  const page = await openPage(`${address}#example=Bookstore`);
  await page.locator('.graph').getByText('placeOrder').first().waitFor();
  await take(page, 'playground');
});

test('the pictures of a static site show an operation and the graph', async () => {
  const site = join(out, 'site');
  const args = ['docs', 'docs/examples/parcel/main.gg', '-o', site, '--title', 'Parcel'];
  execFileSync(process.execPath, ['dist/tools/cli/gg-svc.js', ...args]);
  const page = await openPage(`${await serveFolder(site, '/')}queries/listShipments.html`);
  await page.getByRole('button', { name: 'Members of Shipment', exact: true }).waitFor();
  await take(page, 'site-operation-light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Graph' }).click();
  await page.waitForURL('**/graph.html');
  await take(page, 'site-graph-dark');
});

describe('the pictures of large topologies show the first view in groups, and parts of it', () => {
  const open = async (files: Readonly<Record<string, string>>, title: string) => {
    const [file = ''] = Object.keys(files);
    const { origin } = await startDev(files, ['dev', file, '--title', title]);
    const page = await openStudio(origin, wide);
    await page.locator('.graph .box.group').first().waitFor();
    return page;
  };
  const search = async (page: Page, node: string) => {
    await page.keyboard.press('/');
    await page.keyboard.type(node);
    await page.keyboard.press('Enter');
    await partOf(page, `(${node})`).waitFor();
  };

  test('of 100 nodes', async () => {
    const page = await open(proofs, 'Proofs');
    await take(page, 'large-100-light');
    await take(page, 'large-100-dark');
    await page.locator('.graph .box.group').first().click();
    await page.getByRole('button', { name: 'Close groups' }).waitFor();
    await take(page, 'large-100-open');
  });

  test('of 217 nodes', async () => {
    const page = await open(shop, 'Shop');
    await take(page, 'large-217-light');
    await take(page, 'large-217-dark');
    await search(page, 'step_30');
    await take(page, 'large-217-found');
  });

  test('of 517 nodes', async () => {
    const page = await open(pages, 'Pages');
    await take(page, 'large-517-light');
    await take(page, 'large-517-dark');
    await page.getByRole('button', { name: '36 checks around page_0' }).click();
    await page.getByRole('button', { name: '18 checks check_0 – check_17' }).waitFor();
    await take(page, 'large-517-open');
    await search(page, 'check_17');
    await take(page, 'large-517-found');
  });
});
