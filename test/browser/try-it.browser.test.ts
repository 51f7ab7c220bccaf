import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { checkAccessibility, openPage } from './browser.js';
import { startDev } from './dev-server.js';

const service = readFileSync(new URL('../../docs/examples/service.gg', import.meta.url), 'utf8');
const resolvers = `
let saved = 0;
export default {
  Query: {
    readUser: (_, { id }) => (id === '404' ? null : { id, name: 'Ada', email: '<img src=x onerror=alert(1)>' }),
    scanResult: (_, { url }) => ({ url, verdict: { __typename: 'CachedVerdict', clean: true, reachedAt: 'now' } }),
  },
  Mutation: { saveUser: (_, { name }) => ({ id: String(++saved), name: name ?? 'Nobody', email: null }) },
};
`;

test('an operation is called over REST and over GraphQL with one form', async () => {
  const { origin } = await startDev({ 'service.gg': service, 'service.resolvers.mjs': resolvers });
  const page = await openTry(origin, 'Query.readUser');
  await page.getByRole('textbox', { name: 'id' }).fill('7');
  await page.getByRole('button', { name: 'Send' }).click();
  const exchange = page.getByRole('region', { name: 'Exchange' });
  await exchange.getByText('200 OK').waitFor();
  expect(await bodyOf(page)).toMatchObject({ id: '7', name: 'Ada' });
  await page.getByRole('radio', { name: 'GraphQL' }).check();
  await page.getByText('Fields of the answer').click();
  await page.getByRole('checkbox', { name: 'email' }).uncheck();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect
    .poll(() => bodyOf(page))
    .toEqual({ data: { readUser: { id: '7', name: 'Ada', status: 'ACTIVE' } } });
  await checkAccessibility(page);
});

async function openTry(origin: string, coordinate: string): Promise<Page> {
  const page = await openPage(`${origin}/_gg/`);
  await page
    .getByRole('button', { name: coordinate.split('.')[1] as string })
    .first()
    .click();
  await page.getByRole('tab', { name: 'Try it' }).click();
  return page;
}

async function bodyOf(page: Page): Promise<unknown> {
  const text = await page.getByRole('region', { name: 'Body of the response' }).textContent();
  return JSON.parse(text ?? '');
}
