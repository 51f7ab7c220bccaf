import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { checkAccessibility } from './browser.js';
import { startDev } from './dev-server.js';
import { openStudio, parcel, partOf, service, stubMessages } from './studio-page.js';

test('uses the theme of the system until the user chooses another one, and keeps the choice', async () => {
  const { origin } = await startDev(service);
  const page = await openStudio(origin, { colorScheme: 'light' });
  const colour = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const light = await colour();
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('Dark');
  const dark = await colour();
  expect(dark).not.toBe(light);
  await page.reload();
  expect(await colour()).toBe(dark);
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('System theme');
  expect(await colour()).toBe(light);
});

test('resizes the panel with the pointer and the keyboard, and keeps its size', async () => {
  const { origin } = await startDev(service);
  const page = await openStudio(origin);
  const bar = page.getByRole('separator', { name: 'Size of the panel' });
  const width = async () => (await page.locator('aside').boundingBox())?.width ?? Number.NaN;
  const start = await width();
  const box = await bar.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 2, 300);
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) - 98, 300, { steps: 2 });
  await page.mouse.up();
  expect((await width()) - start).toBeCloseTo(100, -1);
  const dragged = await width();
  await bar.focus();
  await page.keyboard.press('ArrowRight');
  expect(await width()).toBeLessThan(dragged);
  const kept = await width();
  await page.reload();
  await page.locator('.graph .box').first().waitFor();
  expect(await width()).toBeCloseTo(kept, 0);
});

test.each([700, 360])('shows the panel below the graph at a width of %d, without overflow', async (width) => {
  const { origin } = await startDev(parcel);
  const page = await openStudio(origin, {
    viewport: { width, height: 800 },
    fragment: '#Query.listShipments',
  });
  const graph = await page.locator('.graph > svg').boundingBox();
  const panel = await page.locator('aside').boundingBox();
  expect(panel?.y).toBeGreaterThan((graph?.y ?? Number.NaN) + (graph?.height ?? Number.NaN) - 1);
  expect(graph?.height).toBeGreaterThan(150);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  await checkAccessibility(page);
});

test('shows that the page reconnects, and then loads the state again', async () => {
  const { origin } = await startDev(service);
  const page = await openStudio(origin);
  await stubMessages(page);
  const status = page.locator('header [role=status]');
  await page.evaluate('window.stream.onerror()');
  expect(await status.textContent()).toBe('reconnecting …');
  const loaded = page.waitForResponse((response) => response.url().includes('/_gg/api/state'));
  await page.evaluate('window.stream.onopen()');
  await loaded;
  expect(await status.textContent()).toBe('connected');
});

test('shares one stream of messages between eight tabs; another tab takes over when its tab is closed', async () => {
  const server = await startDev(service);
  const first = await openStudio(server.origin);
  const streams: Page[] = [];
  first.context().on('request', (request) => {
    if (request.url().endsWith('/_gg/api/messages')) streams.push(request.frame().page());
  });
  const others: Page[] = [];
  for (let count = 0; count < 7; count++) {
    const page = await first.context().newPage();
    others.push(page);
    await page.goto(`${server.origin}/_gg/`);
    await page.getByText('connected', { exact: true }).waitFor();
    await page.locator('.graph .box').first().waitFor();
  }
  expect(streams).toEqual([]);
  const [last] = others.slice(-1) as [Page];
  await fetch(`${server.origin}/api/readUser?id=1`);
  const numbers = last.locator('.pill[data-edge="Query.readUser"] .numbers');
  await expect.poll(() => numbers.allTextContents()).not.toEqual([]);
  await last.reload();
  await expect.poll(() => numbers.allTextContents()).not.toEqual([]);
  await first.close();
  await expect.poll(() => streams.length).toBe(1);
  server.write('service.gg', `${service['service.gg']}(root)-[:PROCESS]->(added_later { id: ID! })\n`);
  await Promise.all(others.map((page) => partOf(page, 'Query.addedLater').waitFor()));
  expect(streams).toHaveLength(1);
});

test('shows names, labels, texts and files with markup, emoji and right-to-left letters as text, without overflow', async () => {
  const long = `n${'a_long_id'.repeat(22)}`;
  const hostile = '</script><img src=x onerror=alert(1)>"\'`$1&amp; 🏴‍☠️ مرحبا';
  const topology = `/// ${hostile}
(${long}: Record { id: ID!, text: String! = ${JSON.stringify(hostile.replaceAll("'", ''))} })
/// ${hostile}
(root)-[:PROCESS]->(${long})
(root)-[:PROCESS { operation: 'hello' }]->(other { text: "${hostile.replaceAll('"', '')}" })
`;
  const { origin } = await startDev({ "b onclick='x' ملف&amp;.gg": topology });
  const page = await openStudio(origin);
  page.on('dialog', () => expect.unreachable('markup was run'));
  expect(await page.locator('h1').textContent()).toContain("b onclick='x' ملف&amp;.gg");
  expect(await page.locator('h1 b, img, .graph script').count()).toBe(0);
  const box = partOf(page, `(${long})`);
  const [text, shape] = await Promise.all([
    box.locator('text').first().boundingBox(),
    box.locator('.shape').boundingBox(),
  ]);
  expect(text?.width).toBeLessThanOrEqual(shape?.width ?? Number.NaN);
  expect(await box.getAttribute('aria-label')).toContain(long);
  const overflow = () => page.evaluate('[document.documentElement.scrollWidth, document.documentElement.scrollHeight]');
  await box.click();
  expect(await overflow()).toEqual([1280, 800]);
  await page.getByRole('combobox', { name: 'Search' }).fill('n');
  expect(await overflow()).toEqual([1280, 800]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'List', exact: true }).click();
  expect(await overflow()).toEqual([1280, 800]);
});

test('the compressed studio has at most 250 kB', async () => {
  const { origin } = await startDev(service);
  const page = await openStudio(origin);
  const addresses = await page.evaluate(`[
    location.pathname,
    ...performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  ].filter((path) => !path.startsWith('/_gg/api/'))`);
  expect(addresses).toContain('/_gg/studio.js');
  let size = 0;
  for (const path of addresses as string[]) {
    const response = await fetch(`${origin}${path}`);
    size += gzipSync(new Uint8Array(await response.arrayBuffer())).length;
  }
  expect(size).toBeLessThanOrEqual(250_000);
});
