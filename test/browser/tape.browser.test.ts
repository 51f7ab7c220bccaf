import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkAccessibility, openPage } from './browser.js';
import { startDev } from './dev-server.js';
import { takeShots } from './panel.js';

const service = readFileSync(new URL('../../docs/examples/service.gg', import.meta.url), 'utf8');
const resolvers = `let saved = 0;
export default {
  Query: { readUser: () => null, scanResult: () => null },
  Mutation: { saveUser: (_, { input }) => ({ id: String(++saved), name: input.name, email: null }) },
};
`;

test('the tape lists each event with its payload and its subscribers, and can republish one', async () => {
  const { origin } = await startDev({ 'service.gg': service, 'service.resolvers.mjs': resolvers });
  const page = await openPage(`${origin}/_gg/`);
  await page.getByRole('button', { name: 'Events', exact: true }).click();
  await page.getByText('No event was published').waitFor();
  const events = await fetch(
    `${origin}/graphql?query=${encodeURIComponent('subscription { userSaved { name } }')}`,
    {
      headers: { accept: 'text/event-stream' },
    },
  );
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
  expect(await page.getByRole('region', { name: 'Payload of userSaved' }).textContent()).toContain(
    '<b>Ada</b>',
  );
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
