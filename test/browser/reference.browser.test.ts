import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkAccessibility, openPage } from './browser.js';
import { startDev } from './dev-server.js';

const service = readFileSync(new URL('../../docs/examples/service.gg', import.meta.url), 'utf8');

test('the studio has a reference of the running API, updated with each save', async () => {
  const server = await startDev({ 'service.gg': service });
  const page = await openPage(`${server.origin}/`);
  await page.getByRole('link', { name: 'Reference', exact: true }).click();
  await page.getByRole('navigation').getByRole('link', { name: 'Graph' }).click();
  await page.getByRole('link', { name: 'PROCESS readUser' }).click();
  await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('readUser');
  await expect.poll(() => page.textContent('main')).toContain(`curl '${server.origin}/api/readUser?id=1'`);
  await checkAccessibility(page);
  await page.keyboard.press('/');
  await page.keyboard.type('verdict');
  await page.keyboard.press('Enter');
  await page.waitForURL(/Verdict\.html/);
  server.write('service.gg', service.replace('(root)-[:PROCESS', '/// Finds <b>users</b>.\n(root)-[:PROCESS'));
  await expect
    .poll(async () => (await fetch(`${server.origin}/_gg/reference/queries/readUser.md`)).text())
    .toContain('Finds \\<b\\>users');
});

test('the panel of a selected part links to its reference page', async () => {
  const { origin } = await startDev({ 'service.gg': service });
  const page = await openPage(`${origin}/_gg/`);
  await page.getByRole('button', { name: 'read_user Record' }).click();
  await page.getByRole('tab', { name: 'Reference', exact: true }).click();
  await page.getByRole('link', { name: 'Reference page' }).click();
  await expect.poll(() => page.title()).toContain('ReadUser');
});

test('the start page links the studio and the reference, and all have the title of the API', async () => {
  const { origin } = await startDev({ 'service.gg': service }, ['dev', 'service.gg', '--title', 'Users']);
  const page = await openPage(`${origin}/`);
  expect(await page.title()).toBe('Users');
  await checkAccessibility(page);
  await page.getByRole('link', { name: 'Studio', exact: true }).click();
  await expect.poll(() => page.title()).toBe('Users · gg-svc studio');
  await page.goto(`${origin}/_gg/reference/`);
  expect(await page.title()).toBe('Users');
});
