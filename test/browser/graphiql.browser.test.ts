import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openPage } from './browser.js';
import { startDev } from './dev-server.js';

const files = Object.fromEntries(
  ['service.gg', 'service.resolvers.mjs'].map((file) => [
    file,
    readFileSync(new URL(`../../docs/examples/${file}`, import.meta.url), 'utf8'),
  ]),
);

const combinations = [
  ['beta', 'node'],
  ['beta', 'express'],
  ['alpha', 'node'],
  ['alpha', 'express'],
  ['alpha', 'fastify'],
] as const;

describe.each(combinations)('GraphiQL on %s and %s', (engine, host) => {
  const args = ['dev', 'service.gg', '--engine', engine, '--host', host];
  const addressOf = (origin: string, query: string) => `${origin}/graphql?query=${encodeURIComponent(query)}`;

  test('runs a query', async () => {
    const { origin } = await startDev(files, args);
    const page = await openPage(addressOf(origin, '{ readUser(id: "1") { name } }'));
    await page.getByRole('button', { name: /execute query/i }).click();
    await page
      .getByLabel(/result|response/i)
      .getByText('Ada')
      .first()
      .waitFor();
  });

  test('begins with a tab for each operation, under the title of the API', async () => {
    const { origin } = await startDev(files, [...args, '--title', 'Bookshop']);
    const page = await openPage(`${origin}/graphql`);
    for (const name of ['readUser', 'saveUser', 'userSaved']) await page.getByRole('tab', { name }).waitFor();
    expect(await page.title()).toBe('Bookshop');
  });

  test('shows the events of a subscription', async () => {
    const { origin } = await startDev(files, args);
    const page = await openPage(addressOf(origin, 'subscription { userSaved { id } }'));
    await page.getByRole('button', { name: /execute query/i }).click();
    await page.getByRole('button', { name: /stop query/i }).waitFor();
    const save = () =>
      fetch(`${origin}/api/saveUser`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ input: { id: '77', name: 'Grace' } }),
      });
    // The subscription may start after the first event.
    await expect
      .poll(async () => {
        expect((await save()).status).toBe(200);
        return page.getByText('77').count();
      })
      .toBeGreaterThan(0);
  });

  test('is not served in production', async () => {
    const { origin } = await startDev(files, ['serve', ...args.slice(1)], { NODE_ENV: 'production' });
    const response = await fetch(`${origin}/graphql`, { headers: { accept: 'text/html' } });
    expect(await response.text()).not.toMatch(/<script/);
    expect(await (await fetch(origin)).text()).not.toContain('href="/graphql"');
  });
});
