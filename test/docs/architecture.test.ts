import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { callSteps } from '../../src/call/steps.js';
import { lastSteps, steps } from '../../src/http/steps.js';

const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
const start = page.indexOf('## A request');
const walk = page.slice(start, page.indexOf('\n## ', start + 1));
const calls = page.slice(page.indexOf('## A call'), page.indexOf('## How to add'));

test('the walk of a request names files that exist, and a REST call at most ten', () => {
  const files = [...walk.matchAll(/`([a-z-]+\/[\w/.-]+\.ts)`/g)].map(([, file]) => file as string);
  const known = files.filter((file) => !file.startsWith('test/'));
  expect(known.length).toBeGreaterThan(10);
  expect(known.filter((file) => !existsSync(new URL(`../../src/${file}`, import.meta.url)))).toEqual([]);
  const [, call = ''] = walk.split('### ');
  expect(new Set([...call.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file]) => file)).size).toBeLessThanOrEqual(
    11,
  );
});

test.each([
  ['a request', walk, steps],
  ['a call', calls, callSteps],
] as const)('the table of the steps of %s has them in their order', (_, text, list) => {
  const rows = [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(rows).toEqual(list.map(({ name }) => name));
  expect(lastSteps.length).toBeGreaterThan(0);
});
