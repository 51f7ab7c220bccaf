import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Call } from '../../src/tools/studio/protocol.js';
import { checkAccessibility, openPage } from './browser.js';
import { startDev } from './dev-server.js';
import { openTab, select, takeShots } from './panel.js';

const service = readFileSync(new URL('../../docs/examples/service.gg', import.meta.url), 'utf8');
const resolvers = `export default {
  Query: {
    readUser: (_, { id }) => ({ id, name: 'Ada', email: null }),
    scanResult: (_, { url }) => { throw new Error('broken'); },
  },
  Mutation: { saveUser: (_, { input }) => ({ id: '1', name: input.name, email: null }) },
};
`;

test('lists calls with their status, and shows their request, answer and spans', async () => {
  const { origin } = await startDev({ 'service.gg': service, 'service.resolvers.mjs': resolvers });
  const page = await openPage(`${origin}/_gg/`);
  await select(page, 'Query.readUser');
  await openTab(page, 'Calls');
  await page.getByText('No calls were recorded').waitFor();
  await fetch(`${origin}/api/readUser?id=42`, { headers: { authorization: 'Bearer secret' } });
  await fetch(`${origin}/api/readUser`);
  const calls = page.getByRole('list', { name: 'Last calls' }).getByRole('listitem');
  await expect.poll(() => calls.count()).toBe(2);
  expect(await calls.nth(0).textContent()).toMatch(/400.*REST.*1 error/);
  const whole = calls.nth(1);
  expect(await whole.textContent()).toMatch(/200.*REST/);
  await whole.getByRole('button').first().click();
  await whole.getByText('/api/readUser?id=42').waitFor();
  expect(await whole.getByRole('region', { name: 'Recorded answer' }).textContent()).toContain('"Ada"');
  expect(await whole.getByRole('list', { name: 'Spans' }).getByRole('listitem').count()).toBeGreaterThan(0);
  expect(await page.content()).not.toContain('secret');
  await checkAccessibility(page);
  await takeShots(page, 'panel-calls');
});

test.each(['rest', 'graphql'] as const)(
  'replays a call over %s with the credentials of the session',
  async (protocol) => {
    const { origin } = await startDev({ 'service.gg': service, 'service.resolvers.mjs': resolvers });
    const page = await openPage(`${origin}/_gg/`);
    await select(page, 'Mutation.saveUser');
    await openTab(page, 'Calls');
    await page.getByText('No calls were recorded').waitFor();
    const body =
      protocol === 'rest'
        ? { input: { name: 'Grace' } }
        : { query: 'mutation { saveUser(input: { name: "Grace" }) { name } }' };
    await fetch(`${origin}${protocol === 'rest' ? '/api/saveUser' : '/graphql'}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await page.getByRole('list', { name: 'Last calls' }).getByRole('button').first().click();
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('200 OK').waitFor();
    expect(await page.getByRole('textbox', { name: 'name', exact: true }).inputValue()).toBe('Grace');
    expect(await page.getByRole('radio', { name: protocol === 'rest' ? 'REST' : 'GraphQL' }).isChecked()).toBe(true);
    expect(await page.getByRole('region', { name: 'Body of the response' }).textContent()).toContain('Grace');
    await openTab(page, 'Calls');
    await expect.poll(() => page.getByRole('list', { name: 'Last calls' }).getByRole('listitem').count()).toBe(2);
  },
);

test('saves a call as a test, and shows its path and text', async () => {
  const { origin } = await startDev({ 'service.gg': service, 'service.resolvers.mjs': resolvers });
  const page = await openPage(`${origin}/_gg/`);
  await select(page, 'Query.readUser');
  await openTab(page, 'Calls');
  await page.getByText('No calls were recorded').waitFor();
  await fetch(`${origin}/api/readUser?id=42`);
  await page.getByRole('list', { name: 'Last calls' }).getByRole('button').first().click();
  await page.getByRole('button', { name: 'Save as test' }).click();
  expect(await page.getByRole('status').filter({ hasText: 'Saved as' }).textContent()).toMatch(/tests\/.+/);
  expect(await page.getByRole('region', { name: 'Text of the test' }).textContent()).toContain('42');
});

test('shows spans, races and errors of a call as plain text', async () => {
  const { origin } = await startDev({ 'service.gg': service });
  const markup = '<img src=x onerror=alert(1)>';
  const call: Call = {
    id: '1',
    coordinate: 'Query.readUser',
    protocol: 'ws',
    start: 0,
    duration: 10,
    errors: 2,
    request: { headers: { [markup]: markup }, body: markup },
    answer: markup,
    spans: [
      { id: 'a', name: markup, start: 0, duration: 10, attributes: { [markup]: markup } },
      { id: 'b', parent: 'a', name: 'below', start: 2, duration: 5, attributes: {}, error: markup },
    ],
    races: [{ union: markup, winner: markup, cancelled: [markup], at: 0 }],
  };
  const page = await openPage(`${origin}/_gg/`);
  await page.route('**/_gg/api/calls?*', (route) => route.fulfill({ json: [call] }));
  await select(page, 'Query.readUser');
  await openTab(page, 'Calls');
  await page.getByRole('list', { name: 'Last calls' }).getByRole('button').first().click();
  await page.getByText(`Race ${markup}: ${markup} won; cancelled: ${markup}.`).waitFor();
  expect(await page.getByRole('list', { name: 'Spans' }).getByRole('listitem').count()).toBe(2);
  expect(await page.locator('img').count()).toBe(0);
  await checkAccessibility(page);
});
