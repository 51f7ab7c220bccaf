import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkAccessibility, openPage } from './browser.js';
import { startDev } from './dev-server.js';
import { takeShots } from './panel.js';
import { keepPulses } from './studio-page.js';

const service = readFileSync(new URL('../../docs/examples/service.gg', import.meta.url), 'utf8');
const resolvers = `let saved = 0;
export default {
  Query: { readUser: () => null, scanResult: () => null },
  Mutation: { saveUser: (_, { input }) => ({ id: String(++saved), name: input.name, email: null }) },
};
`;

test('the tape of calls lists all operations with arguments and callers, and shows one on the graph', async () => {
  const { origin } = await startDev({ 'service.gg': service, 'service.resolvers.mjs': resolvers });
  const page = await openPage(`${origin}/_gg/`);
  await page.locator('.graph .box').first().waitFor();
  await page.getByRole('button', { name: 'Calls', exact: true }).click();
  await page.getByText('No call was made').waitFor();
  await fetch(`${origin}/api/readUser?id=42`);
  await fetch(`${origin}/api/readUser`);
  const calls = page.getByRole('list', { name: 'All calls' }).getByRole('listitem');
  await expect.poll(() => calls.count()).toBe(2);
  expect(await calls.nth(1).textContent()).toMatch(/200Query\.readUser\{"id":"42"\}.*REST/);
  await page.getByRole('checkbox', { name: 'with errors only' }).check();
  expect(await calls.allTextContents()).toEqual([expect.stringContaining('400Query.readUser')]);
  await page.getByRole('checkbox', { name: 'with errors only' }).uncheck();
  await page.getByRole('searchbox', { name: 'Search calls' }).fill('rest 42');
  expect(await calls.count()).toBe(1);
  await page.getByText('1 of 2').waitFor();
  await checkAccessibility(page);
  await takeShots(page, 'calls-tape');
  const pulses = await keepPulses(page);
  await calls.first().getByRole('button').click();
  await expect.poll(pulses).toContain('pulse query');
  await page.getByRole('list', { name: 'Last calls' }).getByRole('listitem').first().waitFor();
});

test('the panel without a selection shows the last minute, and sends an example', async () => {
  const { origin } = await startDev({ 'service.gg': service, 'service.resolvers.mjs': resolvers });
  const page = await openPage(`${origin}/_gg/`);
  const operations = page.getByRole('table', { name: 'Operations' });
  await operations.waitFor();
  await page.getByText('no calls yet').waitFor();
  await fetch(`${origin}/api/readUser?id=42`);
  await operations.getByRole('row', { name: /Query\.readUser 1 [\d.]+ m?s 0/ }).waitFor();
  await page.getByText('1 call, 0 with errors').waitFor();
  await checkAccessibility(page);
  await takeShots(page, 'landing');
  await page.getByRole('button', { name: 'Send example' }).click();
  await page.getByRole('region', { name: 'Body of the response' }).waitFor();
});

test('the tape lists each event with its payload and its subscribers, and can republish one', async () => {
  const { origin } = await startDev({ 'service.gg': service, 'service.resolvers.mjs': resolvers });
  const page = await openPage(`${origin}/_gg/`);
  await page.getByRole('button', { name: 'Events', exact: true }).click();
  await page.getByText('No event was published').waitFor();
  const events = await fetch(`${origin}/graphql?query=${encodeURIComponent('subscription { userSaved { name } }')}`, {
    headers: { accept: 'text/event-stream' },
  });
  const reader = (events.body as ReadableStream<Uint8Array>).getReader();
  await fetch(`${origin}/api/saveUser`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: { name: '<b>Ada</b>' } }),
  });
  const tape = page.locator('.tape > li');
  await tape.first().waitFor();
  await expect.poll(() => tape.first().textContent()).toMatch(/userSavedto 1 subscriber/);
  await tape.first().locator('summary').click();
  expect(await page.getByRole('region', { name: 'Payload of userSaved' }).textContent()).toContain('<b>Ada</b>');
  await checkAccessibility(page);
  await takeShots(page, 'tape');
  await page.getByRole('button', { name: /^Republish userSaved/ }).click();
  await expect.poll(() => tape.count()).toBe(2);
  let text = '';
  while ((text.match(/Ada/g) ?? []).length < 2) {
    const { value, done } = await reader.read();
    if (done) break;
    text += new TextDecoder().decode(value);
  }
  expect(text.match(/Ada/g)).toHaveLength(2);
  await reader.cancel();
});

test('dev --demo fills the tape and the numbers of the edges, without any client', async () => {
  const { origin } = await startDev({ 'service.gg': service }, ['dev', 'service.gg', '--demo']);
  const page = await openPage(`${origin}/_gg/`);
  await page.locator('.graph .pill').first().waitFor();
  await page.getByRole('button', { name: /^\d+ calls?$/ }).click();
  const calls = page.getByRole('list', { name: 'All calls' });
  await calls.getByText('Query.readUser').first().waitFor();
  await calls.getByText('Mutation.saveUser').first().waitFor();
  await takeShots(page, 'demo');
});
