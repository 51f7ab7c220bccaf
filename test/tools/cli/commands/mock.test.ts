import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { noSqlite } from '../../../runtime/store/engines.js';
import { directoryWith, repository, runCli } from '../stand-in-io.js';

const examples = fileURLToPath(new URL('docs/examples/', repository));

const topologies = [
  'service.gg',
  'bookstore/shop.gg',
  'clinic/clinic.gg',
  'orders/orders.gg',
  'parcel-store/desk.gg',
  'parcel/main.gg',
  'project/service.gg',
  'project-store/service.gg',
];

test('knows all topologies of the examples', () => {
  const folderOf = (path: string) => path.split('/').slice(0, -1).join('/');
  const all = readdirSync(examples, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.gg'));
  expect([...new Set(all.map(folderOf))].toSorted()).toEqual(topologies.map(folderOf).toSorted());
});

test.skipIf(noSqlite).each(topologies)('passes the workflows of %s without resolvers', async (topology) => {
  // The callers of the clinic are in its project file.
  const project = topology.startsWith('clinic')
    ? ['--config', `${examples}clinic/gg-svc.config.json`]
    : ['--no-config'];
  const args = ['test', `${examples}${topology}`, '--mock', '--no-resolvers', '--no-channels', ...project];
  const { code, stdout } = await runCli(args);
  expect(stdout).toMatch(/ workflows passed, 0 failed: /);
  expect(code).toBe(0);
});

test('replaces the database of the project', async () => {
  const directory = directoryWith({
    'gg-svc.config.json': JSON.stringify({ sources: ['a.gg'], server: { store: { file: 'data.sqlite' } } }),
    'a.gg': "(task: Stored { id: ID!, title: String! })\n(root)-[:PROCESS { operation: 'task', id: ID! }]->(task)",
  });
  const { code, stdout } = await runCli(['test', '--mock'], { directory });
  expect(stdout).toMatch(/1 workflow passed, 0 failed/);
  expect(code).toBe(0);
  expect(existsSync(`${directory}/data.sqlite`)).toBe(false);
});
