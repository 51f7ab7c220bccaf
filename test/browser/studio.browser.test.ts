import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkAccessibility, openPage } from './browser.js';
import { startDev } from './dev-server.js';

const service = readFileSync(new URL('../../docs/examples/service.gg', import.meta.url), 'utf8');

test('the studio draws the topology, and selects a node', async () => {
  const { origin } = await startDev({ 'service.gg': service });
  const page = await openPage(`${origin}/_gg/`);
  const node = page.getByRole('button', { name: 'read_user Record' });
  await node.click();
  expect(await node.getAttribute('aria-pressed')).toBe('true');
  await checkAccessibility(page);
});
