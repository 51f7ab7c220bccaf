import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildSite } from '../../scripts/site.mjs';
import { checkAccessibility, openPage } from './browser.js';
import { takeShots } from './panel.js';
import { serveFolder } from './static-server.js';

const site = mkdtempSync(join(tmpdir(), 'gg-svc-project-site-'));
beforeAll(() => buildSite(site, { exports: false }));
afterAll(() => rmSync(site, { recursive: true, force: true }));

const open = async (path: string, options = {}) =>
  openPage(`${await serveFolder(site, '/gg-svc/')}${path}.html`, options);

/** The groups of the overview with the files of their guides. */
const groups = readFileSync('docs/README.md', 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((text) => ({
    title: /^.*/.exec(text)?.[0] ?? '',
    guides: [...text.matchAll(/^- \[[^\]]+\]\((\w[\w-]*)\.md\)/gm)].map(([, name]) => name),
  }));

test('every guide is a page in the folder of its group, which the navigation lists', async () => {
  expect(groups.map(({ guides }) => guides.length).every((count) => count > 0)).toBe(true);
  const page = await open('index');
  for (const { title, guides } of groups) {
    for (const name of guides)
      expect([title, name, existsSync(join(site, title.toLowerCase(), `${name}.html`))]).toEqual([title, name, true]);
    const navigation = page.getByRole('navigation', { name: 'Pages' });
    await navigation.getByRole('link', { name: title, exact: true }).click();
    await page.waitForURL(`**/${title.toLowerCase()}/index.html`);
    const listed = await navigation
      .locator('ul ul a')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    for (const name of guides)
      expect(
        listed.some((href) => href.endsWith(`/${title.toLowerCase()}/${name}.html`)),
        name,
      ).toBe(true);
  }
});

test('no link, anchor or picture of any page is broken', () => {
  const texts = new Map<string, string>();
  const textOf = (file: string) => {
    if (!texts.has(file)) texts.set(file, readFileSync(join(site, file), 'utf8'));
    return texts.get(file) ?? '';
  };
  const pages = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'));
  const broken = pages.flatMap((page) =>
    [...textOf(page).matchAll(/ (href|src|srcset)="([^"]+)"/g)].flatMap(([, name, link = '']) => {
      // Pages link to other sites, and load nothing from them.
      if (/^(?:https?|data):/.test(link)) return name === 'href' ? [] : [`${page}: ${link}`];
      const [path = '', anchor] = link.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      // The test leaves out the reference of the exports.
      if (file.startsWith('exports/')) return [];
      const isThere = existsSync(join(site, file));
      const isFound =
        anchor === undefined || file === 'playground/index.html' || textOf(file).includes(` id="${anchor}"`);
      return isThere && isFound ? [] : [`${page}: ${link}`];
    }),
  );
  expect(broken).toEqual([]);
  expect(pages.length).toBeGreaterThan(400);
});

const shown = ['index', 'all', 'run/store', 'diagnostics/GG2008', 'examples/index', 'examples/parcel/prices.gg'];

describe.each(['light', 'dark'] as const)('the site of the project in %s colours', (colorScheme) => {
  test.each(shown)('%s is accessible', async (path) => {
    const page = await open(path, { colorScheme });
    await page.getByRole('navigation', { name: 'Pages' }).locator('ul').first().waitFor();
    await checkAccessibility(page);
    if (colorScheme === 'light') await takeShots(page, `project-site-${path.replaceAll('/', '-')}`);
  });
});

test('the first page has the playground with an example, the tutorial beside it, and two commands', async () => {
  const page = await open('index');
  const playground = page.frameLocator('iframe');
  await playground.getByRole('textbox', { name: 'Text of shop.gg' }).waitFor();
  await playground.locator('.graph').getByText('listBooks').first().waitFor();
  expect(await page.getByRole('region', { name: 'Tutorial' }).getByRole('heading').first().textContent()).toBe(
    'Tutorial: a bookstore',
  );
  expect((await page.locator('main pre').first().innerText()).match(/^\$ /gm)).toHaveLength(2);
  // The playground keeps that the theme is that of the system.
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  await page.getByRole('button', { name: 'Light theme' }).waitFor();
  await page.emulateMedia({ colorScheme: 'light' });
  await page.reload();
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await expect.poll(() => playground.locator('html').getAttribute('data-theme')).toBe('dark');
});

test('a guide is found by a heading, leads to the next one, and its commands are copied without their output', async () => {
  const page = await open('run/store');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.keyboard.press('/');
  await page.keyboard.type('the first query');
  await page.getByRole('list', { name: 'Matches' }).getByRole('link', { name: 'in Tutorial: a bookstore' }).click();
  await page.waitForURL('**/start/tutorial.html#the-first-query');
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe('npm init -y\nnpm install gg-svc graphql graphql-yoga');
  expect(await page.locator('figure .string').count()).toBeGreaterThan(10);
  await page.getByRole('link', { name: 'Tutorial: a clinic' }).last().click();
  await page.waitForURL('**/start/clinic.html');
  expect(await page.getByRole('navigation', { name: 'On this page' }).getByRole('link').count()).toBeGreaterThan(3);
});
