import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkAccessibility, openPage } from './browser.js';
import { serveFolder } from './static-server.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'gg-svc-site-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Writes the site of a topology. */
function writeSite(topology: string, out: string, ...args: readonly string[]): string {
  const site = join(scratch, out);
  const program = join(root, 'dist/tools/cli/gg-svc.js');
  execFileSync(process.execPath, [program, 'docs', topology, '-o', site, ...args], { cwd: root });
  return site;
}

const pages = [
  'index',
  'graph',
  'federation',
  'all',
  'queries/index',
  'queries/listCustomers',
  'mutations/decideClaim',
  'subscriptions/claimChanged',
  'types/index',
  'types/Courier',
  'types/QuoteOffer',
  'types/ClaimStatus',
  'inputs/ClaimForm',
  'inputs/unused-inputs',
];

let parcel: string;
beforeAll(() => {
  parcel = writeSite('docs/examples/parcel/main.gg', 'parcel', '--title', 'Parcel');
});

describe.each(['light', 'dark'] as const)('the site of the parcel example in %s colours', (colorScheme) => {
  test.each(pages)('%s is accessible', async (path) => {
    const page = await openPage(`${await serveFolder(parcel, '/')}${path}.html`, { colorScheme });
    await checkAccessibility(page);
  });
});

describe.each([
  ['from the disk', async () => `${pathToFileURL(parcel)}/`],
  ['below a path of a server', () => serveFolder(parcel, '/docs/v2/')],
])('the site %s', (_, open) => {
  test('has a graph that moves with buttons, keys, Ctrl and the wheel', async () => {
    const page = await openPage(`${await serveFolder(parcel, '/')}graph.html`);
    const picture = page.locator('svg.picture');
    const moved = async (action: () => Promise<unknown>) => {
      const before = await picture.locator('> g').getAttribute('transform');
      await action();
      await expect.poll(() => picture.locator('> g').getAttribute('transform')).not.toBe(before);
    };
    await picture.locator('> g[transform]').waitFor();
    await moved(() => page.getByRole('button', { name: 'Zoom in' }).click());
    await picture.focus();
    for (const key of ['ArrowLeft', '+', '0']) await moved(() => page.keyboard.press(key));
    await picture.hover();
    await page.keyboard.down('Control');
    await moved(() => page.mouse.wheel(0, -400));
    await page.keyboard.up('Control');
    expect(await page.evaluate('scrollY')).toBe(0);
    await page.mouse.wheel(0, 100);
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(0);
  });

  test('has a graph of its own size without scripts', async () => {
    const page = await openPage(`${await serveFolder(parcel, '/')}graph.html`, { javaScriptEnabled: false });
    const [, , width] = ((await page.locator('svg.picture').getAttribute('viewBox')) ?? '').split(' ');
    expect((await page.locator('svg.picture').boundingBox())?.width).toBe(Number(width));
  });

  test('can be navigated by links, from the graph to a type', async () => {
    const page = await openPage(`${await open()}index.html`);
    await page.getByRole('navigation').getByRole('link', { name: 'Graph' }).click();
    await page.getByRole('link', { name: 'PROCESS listCustomers' }).click();
    await expect.poll(() => page.title()).toBe('listCustomers · Parcel');
    await page.getByRole('link', { name: '[Customer!]!' }).first().click();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Customer');
    await page.getByRole('link', { name: 'Parcel', exact: true }).first().click();
    await expect.poll(() => page.title()).toBe('Parcel');
  });

  test('finds operations, types and fields with only the keyboard', async () => {
    const page = await openPage(`${await open()}types/Courier.html`);
    await page.keyboard.press('/');
    await page.keyboard.type('courier. capacity');
    const results = page.locator('#matches a');
    await expect.poll(() => results.count()).toBe(1);
    expect(await page.locator('#matches p').textContent()).toBe('1 found');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/types\/Courier\.html#member-capacity$/);
    expect(await page.locator('tr:target').textContent()).toContain('How many parcels');
  });

  test('keeps the chosen theme', async () => {
    const page = await openPage(`${await open()}index.html`, { colorScheme: 'light' });
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await page.getByRole('button', { name: 'Dark theme' }).click();
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.getByRole('navigation').getByRole('link', { name: 'Graph' }).click();
    await page.waitForURL('**/graph.html');
    await expect.poll(background).toBe(dark);
  });
});

test('the site can be read without JavaScript, from its list of all pages', async () => {
  const address = `${await serveFolder(parcel, '/')}types/Courier.html`;
  const page = await openPage(address, { javaScriptEnabled: false });
  await page.getByRole('navigation').getByRole('link', { name: 'All pages' }).click();
  await page.getByRole('link', { name: 'listCustomers' }).click();
  await expect.poll(() => page.title()).toBe('listCustomers · Parcel');
  for (const language of ['curl', 'TypeScript', 'Python', 'GraphQL'])
    await page.getByText(language, { exact: true }).first().waitFor();
});

test('a request is shown in one language, which the next page keeps, and can be copied', async () => {
  const address = await serveFolder(parcel, '/');
  const page = await openPage(`${address}queries/listShipments.html`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('tab', { name: 'Python' }).click();
  const shown = page.getByRole('tabpanel', { name: 'Python' });
  expect(await page.getByRole('tabpanel').count()).toBe(1);
  // The button says “Copied” for 2 seconds: the clock stands still.
  await page.clock.install();
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await shown.getByRole('button', { name: 'Copy' }).click();
  await expect.poll(() => shown.getByRole('button').textContent()).toBe('Copied');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await shown.locator('code').textContent());
  expect(await shown.locator('span.string').count()).toBeGreaterThan(0);
  await page.keyboard.press('Tab');
  await page.getByRole('tab', { name: 'Python' }).press('ArrowRight');
  expect(await page.getByRole('tabpanel').getAttribute('aria-label')).toBe('GraphQL');
  await page.goto(`${address}mutations/decideClaim.html`);
  expect(await page.getByRole('tabpanel').getAttribute('aria-label')).toBe('GraphQL');
});

test('the members of a type are shown in place, as deep as the reader goes', async () => {
  const page = await openPage(`${await serveFolder(parcel, '/')}queries/listShipments.html`);
  await page.getByRole('button', { name: 'Members of Shipment', exact: true }).click();
  const shipment = page.getByRole('table', { name: 'Members of Shipment' });
  await shipment.getByRole('button', { name: 'Members of Customer' }).first().click();
  const customer = shipment.getByRole('table', { name: 'Members of Customer' });
  expect(await customer.textContent()).toContain('The first one is the delivery address.');
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Members of Shipment', exact: true }).click();
  expect(await shipment.count()).toBe(0);
  expect(await page.getByRole('navigation', { name: 'On this page' }).getByRole('link').allTextContents()).toEqual(
    await page.locator('main h2').allTextContents(),
  );
});

test('the site shows names and descriptions with markup as text', async () => {
  const attacks = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '"><svg onload=alert(1)>',
    "';alert(1)//",
    '[x](javascript:alert(1))',
    '`</code><iframe src="javascript:alert(1)">`',
    '</textarea><script>alert(1)</script>',
    '{{alert(1)}}',
  ];
  const lines = attacks.map((attack) => `/// ${attack}\n///`).join('\n');
  const folder = join(scratch, '<b>&"topology');
  mkdirSync(folder);
  const topology = join(folder, 'x.gg');
  writeFileSync(
    topology,
    `${lines}\n(item: Record { ${lines.replaceAll(/^/gm, '\n')}\nid: ID!, text: ${JSON.stringify(attacks.join(' '))} })\n${lines}\n(root)-[:PROCESS {\n${lines}\nkey: String = ${JSON.stringify(attacks[0])} }]->(item)\n`,
  );
  const site = writeSite(topology, 'attacked', '--title', attacks.join(' '));
  const address = await serveFolder(site, '/');
  const ran: string[] = [];
  for (const path of ['index', 'graph', 'all', 'queries/item', 'types/Item', 'queries/index']) {
    const page = await openPage(`${address}${path}.html`);
    page.on('dialog', (dialog) => {
      ran.push(`${path}: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.reload();
    expect(await page.locator('iframe, img, script:not([src]), [onload], [onerror]').count()).toBe(0);
  }
  expect(ran).toEqual([]);
  const page = await openPage(`${address}types/Item.html`);
  expect(await page.textContent('main')).toContain('<img src=x onerror=alert(1)>');
  expect(dirname(site)).toBe(scratch);
});
