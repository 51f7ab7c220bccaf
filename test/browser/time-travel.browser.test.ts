import { expect, test } from 'vitest';
import { commit, initialize } from '../tools/cli/git-repository.js';
import { checkAccessibility } from './browser.js';
import { startDev } from './dev-server.js';
import { takeShots } from './panel.js';
import { openStudio, partOf, service } from './studio-page.js';

const text = service['service.gg'];
const resolvers = `export default {
  Query: { readUser: (_, { id }) => ({ id, name: 'Ada', email: 'ada@example.com', status: 'ACTIVE' }) },
};
`;

test('shows the graph of a commit with the changes since, and compares the answers to recorded calls', async () => {
  const server = await startDev({ 'service.gg': text, 'service.resolvers.mjs': resolvers });
  initialize(server.directory);
  commit(server.directory, 'the first users');
  const page = await openStudio(server.origin);
  const next = text
    .replace('  email: String,\n  status', '  status')
    .replace(/\(request\)-\[:PROCESS\]->\(scan_result\)\n/, '');
  server.write('service.gg', next.concat("\n(root)-[:PROCESS]->(hello { text: 'Hello' })\n"));
  await partOf(page, 'Query.hello').waitFor();
  await fetch(`${server.origin}/api/readUser?id=42`);
  await fetch(`${server.origin}/api/hello`);
  await page.getByRole('button', { name: 'Time travel' }).click();
  const slider = page.getByRole('slider', { name: 'Version' });
  await slider.focus();
  await page.keyboard.press('Home');
  await partOf(page, 'Query.scanResult').waitFor();
  expect(await slider.getAttribute('aria-valuetext')).toMatch(/^[\da-f]{7} the first users, /);
  expect(await partOf(page, 'Query.hello').count()).toBe(0);
  const mark = (name: string) => partOf(page, name).locator('.mark').getAttribute('class');
  expect(await mark('Query.scanResult')).toBe('mark breaking');
  expect(await mark('(read_user)')).toBe('mark breaking');
  await checkAccessibility(page);
  await takeShots(page, 'time-changes');
  await page.getByRole('button', { name: 'Replay calls' }).click();
  await page.getByText('1 failed, 1 different').waitFor();
  const calls = page.getByRole('list', { name: 'Replayed calls' }).getByRole('listitem');
  expect(await calls.allTextContents()).toEqual([
    expect.stringMatching(/^fails Query\.hello .*404, now 200/),
    expect.stringMatching(/^differs Query\.readUser \{"id":"42"\} 200.*\/email "ada@example\.com", now absent/),
  ]);
  expect(await mark('Query.readUser')).toBe('mark dangerous');
  await checkAccessibility(page);
  await takeShots(page, 'time-replay');
  await page.getByRole('button', { name: 'Back to now' }).click();
  await partOf(page, 'Query.hello').waitFor();
  expect(await partOf(page, 'Query.scanResult').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Time travel', exact: true }).count()).toBe(1);
});
