import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { measureWalk } from '../../scripts/walk.mjs';
import { callSteps } from '../../src/runtime/call/steps.js';
import { lastSteps, steps } from '../../src/runtime/http/steps.js';

const src = fileURLToPath(new URL('../../src', import.meta.url));
const page = readFileSync(join(src, '../docs/architecture.md'), 'utf8');

function sectionOf(heading: string): string {
  const start = page.indexOf(`\n## ${heading}\n`);
  return page.slice(start, page.indexOf('\n## ', start + 1));
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).map((file) => file.split('\\').join('/'));

test('the architecture page names only existing files', () => {
  const named = [...page.matchAll(/`([\w/.-]+\.ts)`/g)].map(([, file]) => file as string);
  const exists = (file: string) =>
    existsSync(join(src, '..', file)) || files.some((one) => `/${one}`.endsWith(`/${file}`));
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((file) => !exists(file))).toEqual([]);
});

test('the table of the wings has a row for each folder', () => {
  const rooms = files.filter((file) => /^(?:base|compiler|analysis|runtime|tools)\/[^/.]+$/.test(file));
  const rows = [...sectionOf('The six wings').matchAll(/^\|[^|]*\| `([\w-]+)\/` \|/gm)].map(([, room]) => room);
  expect(rows.sort()).toEqual([...rooms.map((room) => basename(room)), 'node'].sort());
});

describe('the walk of', () => {
  const walks = sectionOf('Four walks')
    .split('\n### ')
    .slice(1)
    .map((text) => {
      const [, request = 'compile', , follow] =
        /npm run path -- (?:'([^']+)'|compile)( --follow (\w+))?`/.exec(text) ?? [];
      const [, count] = /enters (\d+) files/.exec(text) ?? [];
      const stations = [...text.matchAll(/`([a-z-]+\/[\w/.-]+\.ts)`/g)].map(([, file]) => file as string);
      const heading = text.split('\n', 1)[0] as string;
      return { heading, request, follow, count: Number(count), stations };
    });

  test.each(walks)('$heading enters the files that the page names', async ({ request, follow, count, stations }) => {
    const entered = (await measureWalk(request, follow)).map(({ file }) => file);
    const onTheWay = stations.filter((file) => file !== 'runtime/server/project.ts');
    expect(entered.filter((file) => onTheWay.includes(file))).toEqual([...new Set(onTheWay)]);
    expect(entered.length).toBe(count);
  });

  test('is measured for four requests', () => {
    expect(walks.length).toBe(4);
  });
});

test.each([
  ['A request', steps],
  ['A call', callSteps],
] as const)('the table of "%s" has the steps in their order', (heading, list) => {
  const rows = [...sectionOf(heading).matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(rows).toEqual(list.map(({ name }) => name));
  expect(lastSteps.length).toBeGreaterThan(0);
});
