import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { checkAccessibility } from './browser.js';
import { type DevServer, startDev } from './dev-server.js';
import { cameraOf, openStudio, partOf, service } from './studio-page.js';

const text = service['service.gg'];

/** The button below the graph that tells of the last save; the landing panel has a link with its name. */
const lastSave = (page: Page, name: string | RegExp) =>
  page.getByRole('main', { name: 'Topology' }).getByRole('button', { name });

/** Saves the topology, and waits until the page shows that. */
async function save(server: DevServer, page: Page, next: string, shown: RegExp): Promise<void> {
  server.write('service.gg', next);
  await lastSave(page, shown).waitFor();
}

test('marks the changes of a save on the graph by level, and the operations that they affect', async () => {
  const server = await startDev(service);
  const page = await openStudio(server.origin);
  const next = text
    .replace('  email: String,\n  status', '  status')
    .replace('[ACTIVE, SUSPENDED]', '[ACTIVE, SUSPENDED, GONE]')
    .concat("\n(root)-[:PROCESS]->(hello { text: 'Hello' })\n");
  await save(server, page, next, /^Last save: \d+ breaking, \d+ dangerous, \d+ safe$/);
  const mark = (name: string) => partOf(page, name).locator('.mark').getAttribute('class');
  expect(await mark('(read_user)')).toBe('mark breaking');
  expect(await mark('Query.hello')).toBe('mark safe');
  expect(await mark('Query.readUser')).toBe('mark reached');
  expect(await partOf(page, '(verdict)').locator('.mark').count()).toBe(0);
  expect(await partOf(page, '(read_user)').getAttribute('aria-label')).toMatch(/breaking/);
  await checkAccessibility(page);
});

test('lists the reach of each change of a save and the removed parts, links to the others, and can be cleared', async () => {
  const server = await startDev(service);
  const page = await openStudio(server.origin);
  const next = text
    .replace('(request)-[:PROCESS]->(scan_result)\n', '')
    .replace('  email: String,\n  status', '  status');
  await save(server, page, next, /^Last save: \d+ breaking/);
  await lastSave(page, /^Last save/).click();
  const list = page.locator('.changes');
  const removed = list.locator('li').filter({ has: page.locator('.gone', { hasText: /^Query\.scanResult$/ }) });
  expect(await removed.textContent()).toContain('breaking');
  const field = list.locator('li').filter({ has: page.getByRole('button', { name: 'ReadUser.email', exact: true }) });
  expect(await field.locator('.reach').textContent()).toContain('readUser');
  await field.getByRole('button', { name: 'ReadUser.email' }).click();
  await expect.poll(() => new URL(page.url()).hash).toBe('#(read_user)');
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  expect(await page.locator('.mark').count()).toBe(0);
  expect(await lastSave(page, 'No changes').count()).toBe(1);
});

test('keeps the last good graph while the topology has errors, and shows the errors with their places', async () => {
  const server = await startDev(service);
  const page = await openStudio(server.origin, { fragment: '#Query.readUser' });
  await save(server, page, `${text}\n(root)-[:PROCESS]->(hello { text:`, /^1 error/);
  expect(await page.getByRole('alert').textContent()).toContain('last working API');
  expect(await partOf(page, 'Query.readUser').getAttribute('aria-pressed')).toBe('true');
  await page.getByRole('button', { name: 'Show errors' }).click();
  const finding = page.locator('.findings li');
  expect(await finding.locator('.place').textContent()).toMatch(/^service\.gg:\d+:\d+$/);
  expect(await finding.textContent()).toContain('GG1001');
  await checkAccessibility(page);
  await save(server, page, `${text}\n(root)-[:PROCESS]->(hello { text: 'Hello' })\n`, /^No findings$/);
  expect(await page.getByRole('alert').count()).toBe(0);
  await partOf(page, 'Query.hello').waitFor();
});

test('keeps the part in the middle in place when the layout changes', async () => {
  const server = await startDev(service);
  const page = await openStudio(server.origin, { fragment: '#(save_user)' });
  const before = await partOf(page, '(save_user)').locator('.shape').boundingBox();
  server.write(
    'service.gg',
    `(first)-[:PROCESS]->(hello { text: 'Hello' })\n(first)-[:PROCESS]->(bye { text: 'Bye' })\n${text}`,
  );
  await partOf(page, 'Query.bye').waitFor();
  await cameraOf(page);
  const after = await partOf(page, '(save_user)').locator('.shape').boundingBox();
  expect(after?.x).toBeCloseTo(before?.x ?? Number.NaN, 0);
  expect(after?.y).toBeCloseTo(before?.y ?? Number.NaN, 0);
});
