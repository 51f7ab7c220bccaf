import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkAccessibility, expectFault, openPage } from './browser.js';
import { startDev } from './dev-server.js';
import { openTab, select, takeShots } from './panel.js';

const service = readFileSync(new URL('../../docs/examples/service.gg', import.meta.url), 'utf8');

test('shows the places of an operation with colours and line numbers', async () => {
  const { origin } = await startDev({ 'service.gg': service });
  const page = await openPage(`${origin}/_gg/`);
  await select(page, 'Query.readUser');
  await openTab(page, 'Source');
  const panel = page.getByRole('tabpanel');
  await panel.getByText('(root)-[:PROCESS { id: ID! }]->(read_user)').waitFor();
  expect(await panel.textContent()).toContain('/// A user, as queries return it.');
  expect(await panel.locator('.gg-edge').first().textContent()).toBe('PROCESS');
  const line = service.split('\n').findIndex((text) => text.startsWith('(root)')) + 1;
  expect(await panel.locator('.line', { hasText: '(root)' }).locator('.number').textContent()).toBe(String(line));
  await checkAccessibility(page);
  await takeShots(page, 'panel-source');
});

test('shows SDL, route, access and provenance for every kind of part', async () => {
  const { origin } = await startDev({ 'service.gg': service });
  const page = await openPage(`${origin}/_gg/`);
  const panel = page.getByRole('tabpanel');
  await select(page, 'Query.readUser');
  await openTab(page, 'Reference');
  await panel.getByText('readUser(id: ID!): ReadUser').first().waitFor();
  expect(await panel.textContent()).toContain('GET /api/readUser');
  expect(await panel.textContent()).toContain('Open to all callers.');
  expect(await panel.textContent()).toContain('PROCESS edge root → read_user');
  await checkAccessibility(page);
  await takeShots(page, 'panel-reference');
  await select(page, 'VerdictRace');
  await panel.getByText('union VerdictRace').waitFor();
  await select(page, '(save_user)');
  await panel.getByText('type SaveUser').waitFor();
  await panel.getByRole('button', { name: 'subscription userSaved' }).click();
  await panel.getByText('userSaved: UserSaved').first().waitFor();
  await checkAccessibility(page);
});

test('shows findings at their lines, and applies a fix with one click', async () => {
  const topology = '(root)-[:PROCESS { id: ID! }]->(box { id: ID!, name: String })\n';
  const server = await startDev({ 'shop.gg': topology });
  const page = await openPage(`${server.origin}/_gg/`);
  await select(page, 'Query.box');
  await openTab(page, 'Source');
  server.write('shop.gg', topology.replace('String', 'Strin'));
  const finding = page.getByRole('tabpanel').locator('.finding');
  await finding.getByText('Unknown type “Strin”').waitFor();
  await checkAccessibility(page);
  await takeShots(page, 'panel-finding');
  await finding.getByRole('button', { name: 'Write String' }).click();
  await expect.poll(() => readFileSync(join(server.directory, 'shop.gg'), 'utf8')).toBe(topology);
  await finding.waitFor({ state: 'detached' });
});

test('counts the notes of a topology, in the words of gg-svc check', async () => {
  const { origin } = await startDev({
    'shop.gg': '(box { id: ID!, name: String })\n(box)-[:FOLD]->(saved { id: ID! })\n',
  });
  const page = await openPage(`${origin}/_gg/`);
  await page.getByRole('button', { name: '2 notes', exact: true }).click();
  await page.getByText('note GG3032').waitFor();
});

test('keeps the text of the served API while a file has errors, and shows the findings of the current text', async () => {
  const topology = '(root)-[:PROCESS { id: ID! }]->(box { id: ID!, name: String })\n';
  const server = await startDev({ 'shop.gg': topology });
  const page = await openPage(`${server.origin}/_gg/`);
  await select(page, 'Query.box');
  await openTab(page, 'Source');
  server.write('shop.gg', `// A new line.\n${topology.replace('(box', '(box (')}`);
  const panel = page.getByRole('tabpanel');
  await panel.getByText('The file has changed since').waitFor();
  await panel.getByText(topology.trim()).waitFor();
  await panel.locator('.finding.error').waitFor();
  await checkAccessibility(page);
});

test('shows why the server rejected a fix', async () => {
  const topology = `(root)-[:PROCESS { id: ID! }]->(box { id: ID!, name: Strin })\n`;
  const { origin } = await startDev({ 'shop.gg': topology });
  const page = await openPage(`${origin}/_gg/`);
  await page.route('**/_gg/api/fix', (route) => route.fulfill({ status: 409 }));
  expectFault(page, /status of 409/);
  await select(page, 'Query.box');
  await openTab(page, 'Source');
  await page.locator('.finding').getByRole('button').click();
  await page.getByText('The file has changed since.').waitFor();
});

test('shows names and descriptions with markup as text', async () => {
  const markup = '<img src=x onerror=alert(1)>';
  const topology = `/// ${markup}\n(box { /// ${markup}\n  id: ID! })\n/// ${markup}\n(root)-[:PROCESS { /// ${markup}\n id: ID = '${markup}' }]->(box)\n`;
  const { origin } = await startDev({ 'shop.gg': topology });
  const page = await openPage(`${origin}/_gg/`);
  await select(page, 'Query.box');
  for (const tab of ['Source', 'Reference', 'Try it', 'Calls']) {
    await openTab(page, tab);
    if (tab !== 'Calls') await page.getByText(markup).first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
  }
});

test('moves between tabs with the keyboard', async () => {
  const { origin } = await startDev({ 'service.gg': service });
  const page = await openPage(`${origin}/_gg/`);
  await select(page, 'Query.readUser');
  await page.getByRole('tab', { name: 'Source' }).focus();
  for (const name of ['Reference', 'Try it', 'Calls', 'Source']) {
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('tab', { name, selected: true }).textContent()).toBe(name);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(name);
  }
});
