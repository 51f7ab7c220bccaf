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
  'search',
  'queries/index',
  'queries/listCustomers',
  'mutations/decideClaim',
  'subscriptions/claimChanged',
  'types/index',
  'types/Courier',
  'types/QuoteOffer',
  'types/ClaimStatus',
  'inputs/ClaimForm',
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
  test('can be navigated by links, from the graph to a type', async () => {
    const page = await openPage(`${await open()}index.html`);
    await page.getByRole('navigation').getByRole('link', { name: 'Graph' }).click();
    await page.getByRole('link', { name: 'PROCESS listCustomers' }).click();
    expect(await page.title()).toBe('listCustomers · Parcel');
    await page.getByRole('link', { name: '[Customer!]!' }).first().click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Customer');
    await page.getByRole('link', { name: 'Parcel', exact: true }).first().click();
    expect(await page.title()).toBe('Parcel');
  });

  test('finds operations, types and fields with only the keyboard', async () => {
    const page = await openPage(`${await open()}types/Courier.html`);
    await page.keyboard.press('/');
    await page.keyboard.type('courier capacity');
    await page.keyboard.press('Enter');
    await page.waitForURL(/search\.html\?q=courier\+capacity$/);
    const results = page.locator('#results a');
    await expect.poll(() => results.count()).toBeLessThan(10);
    expect(await page.locator('#found').textContent()).toBe(`${await results.count()} found`);
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

test('the site can be read and searched without JavaScript', async () => {
  const page = await openPage(`${await serveFolder(parcel, '/')}search.html`, { javaScriptEnabled: false });
  await page.getByRole('link', { name: 'listCustomers query' }).click();
  expect(await page.title()).toBe('listCustomers · Parcel');
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
  for (const path of ['index', 'graph', 'search', 'queries/item', 'types/Item', 'queries/index']) {
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
