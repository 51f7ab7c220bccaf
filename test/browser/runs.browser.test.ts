import { expect, test } from 'vitest';
import type { ShownRun, StudioMessage } from '../../src/tools/studio/protocol.js';
import { checkAccessibility } from './browser.js';
import { startDev } from './dev-server.js';
import { takeShots } from './panel.js';
import { openStudio, partOf, stubMessages } from './studio-page.js';

const topology = `/// The shop.
(customer { id: ID!, name: String! })
(order { id: ID!, total: Int! })
(card { id: ID!, code: String })
(sign_up: Input { name: String! })
(sign_up)-[:FOLD { operation: 'signUp', returns: Customer! }]->(customer)
(customer)-[:FOLD { operation: 'placeOrder', customerId: ID!, total: Int!, returns: Order! }]->(order)
(order)-[:FOLD { operation: 'payOrder', id: ID!, returns: Card, chain: true }]->(card)
(shop)-[:PROCESS { id: ID! }]->(order)
`;

const resolvers = `export default {
  Query: { order: (_, { id }) => ({ id, total: 1 }) },
  Mutation: {
    signUp: (_, { input }) => ({ id: '7', name: input.name }),
    placeOrder: (_, { total }) => ({ id: '12', total }),
    payOrder: () => null,
  },
};
`;

const run: ShownRun = {
  id: '1',
  chain: 'payOrder',
  isDurable: true,
  state: 'running',
  start: 1000,
  steps: [
    { name: 'signUp', coordinate: 'Mutation.signUp', state: 'done', start: 1000, duration: 12 },
    { name: 'placeOrder', coordinate: 'Mutation.placeOrder', state: 'running', start: 1012 },
    { name: 'payOrder', coordinate: 'Mutation.payOrder', state: 'open' },
  ],
};

test('shows the call of a chain as one run with its steps', async () => {
  const { origin } = await startDev({ 'shop.gg': topology, 'shop.resolvers.mjs': resolvers });
  const page = await openStudio(origin);
  await page.getByRole('button', { name: 'Runs', exact: true }).click();
  await page.getByText('No chain has run').waitFor();
  await fetch(`${origin}/api/chains/payOrder`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ signUp: { input: { name: 'Ada' } }, placeOrder: { total: 3 }, payOrder: {} }),
  });
  const runs = page.getByRole('list', { name: 'Runs of chains' });
  await runs.getByRole('button', { name: /payOrder ✓ completed one request/ }).waitFor();
  const steps = page.getByRole('list', { name: 'Steps of payOrder' }).getByRole('listitem');
  expect((await steps.allTextContents()).map((text) => text.replace(/ [\d.]+ m?s$/, ''))).toEqual([
    'signUp ✓ done',
    'placeOrder ✓ done',
    'payOrder ✓ done',
  ]);
  await runs.getByRole('button', { name: /completed/ }).click();
  await expect.poll(() => page.locator('.line.step-done').count()).toBe(3);
  await checkAccessibility(page);
  await takeShots(page, 'runs');
  await steps.nth(1).getByRole('button').click();
  await page.getByRole('list', { name: 'Last calls' }).getByRole('listitem').first().waitFor();
});

test('a run walks through the graph, with a sign and a word for each state', async () => {
  const { origin } = await startDev({ 'shop.gg': topology });
  const page = await openStudio(origin);
  const send = await stubMessages(page);
  const tell = (...changed: ShownRun[]) => send({ kind: 'runs', runs: changed } as StudioMessage);
  const labelOf = (name: string) => partOf(page, `Mutation.${name}`).getAttribute('aria-label');
  await tell(run);
  // Without a selected run, the edges of the steps that run now are marked.
  expect(await labelOf('placeOrder')).toContain('step 2 ▶ running');
  expect(await page.locator('.line.walked').count()).toBe(1);
  await page.getByRole('button', { name: '1 run, 1 open' }).click();
  await page.getByRole('button', { name: /payOrder ▶ running durable/ }).click();
  expect(await labelOf('signUp')).toContain('step 1 ✓ done');
  expect(await labelOf('payOrder')).toContain('step 3 ○ open');
  await takeShots(page, 'run-running');
  const [first, second, third] = run.steps as [ShownRun['steps'][0], ShownRun['steps'][0], ShownRun['steps'][0]];
  const problem = '<b>Sold out</b>';
  await tell({ ...run, state: 'undoing', steps: [first, { ...second, state: 'failed', problem }, third] });
  expect(await labelOf('placeOrder')).toContain('step 2 ✕ failed');
  expect(await page.getByRole('list', { name: 'Steps of payOrder' }).textContent()).toContain(problem);
  await tell({
    ...run,
    state: 'failed',
    end: 2000,
    steps: [{ ...first, state: 'undone' }, { ...second, state: 'failed', problem }, third],
  });
  expect(await labelOf('signUp')).toContain('step 1 ↶ undone');
  await page.getByRole('button', { name: '1 run', exact: true }).waitFor();
  await checkAccessibility(page);
  await takeShots(page, 'run-failed');
  await page.getByRole('button', { name: /payOrder ✕ failed/ }).click();
  expect(await page.locator('.line.walked').count()).toBe(0);
});
