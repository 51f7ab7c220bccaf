import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { StudioMessage, StudioState } from '../../src/tools/studio/protocol.js';
import { noSqlite } from '../runtime/store/engines.js';
import { startDev } from './dev-server.js';
import { takeShots } from './panel.js';
import { inPage, openStudio, stubMessages } from './studio-page.js';

const folder = new URL('../../docs/examples/', import.meta.url);

/** The topologies of all examples, by their names: a file, or the files of a folder. */
const examples = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
  if (entry.name.endsWith('.gg')) return [[entry.name, { [entry.name]: read(entry.name) }] as const];
  if (!entry.isDirectory()) return [];
  const files = readdirSync(new URL(`${entry.name}/`, folder)).filter((name) => name.endsWith('.gg'));
  const [first] = files.includes('main.gg') ? ['main.gg'] : files;
  if (first === undefined) return [];
  const rest = files.filter((name) => name !== first);
  const all = [first, ...rest].map((name) => [name, read(`${entry.name}/${name}`)]);
  return [[entry.name, Object.fromEntries(all) as Record<string, string>] as const];
});

function read(path: string): string {
  return readFileSync(new URL(path, folder), 'utf8');
}

/** A busy minute for all operations and races of the drawing: the most that a pill shows. */
async function busy(page: Page, origin: string): Promise<readonly StudioMessage[]> {
  const state = (await (await page.request.get(`${origin}/_gg/api/state`)).json()) as StudioState;
  const lines = state.api?.drawing?.lines ?? [];
  const coordinates = [...new Set(lines.flatMap(({ coordinate }) => coordinate ?? []))];
  const { unions = [], internal } = state.api?.schema ?? {};
  const races = [...unions, ...(internal?.races ?? [])];
  return [
    {
      kind: 'statistics',
      operations: coordinates.map((coordinate) => ({ coordinate, calls: 12_000, errors: 999, p95: 12_345 })),
    },
    {
      kind: 'races',
      races: races.map(({ name, members: [winner = '', ...cancelled] }) => ({
        union: name,
        winner,
        cancelled,
        at: 1,
      })),
    },
  ];
}

/** The pairs of shown parts that overlap by more than a pixel and a half of the drawing. */
const overlaps = inPage<{ readonly measured: number; readonly found: readonly string[] }>(`() => {
  const parts = ['.line > text', '.pill > rect', '.pill > text', '.line > .head', '.box > .shape']
    .flatMap((selector) => [...document.querySelectorAll('.graph ' + selector)]);
  const scale = document.querySelector('.graph > svg > g').getScreenCTM().a;
  const shown = parts.map((part) => ({ part, area: part.getBoundingClientRect() })).filter(({ area }) => area.width > 0);
  const name = (part) => (part.closest('[data-edge]')?.dataset.edge ?? part.closest('[data-part]')?.dataset.part ?? '')
    + ' ' + part.getAttribute('class') + ' ' + part.tagName + ' ' + part.textContent;
  const found = [];
  for (const [at, one] of shown.entries()) for (const other of shown.slice(at + 1)) {
    if (one.part.parentNode === other.part.parentNode) continue;
    const width = Math.min(one.area.right, other.area.right) - Math.max(one.area.left, other.area.left);
    const height = Math.min(one.area.bottom, other.area.bottom) - Math.max(one.area.top, other.area.top);
    if (Math.min(width, height) / scale > 1.5) found.push(name(one.part) + ' × ' + name(other.part));
  }
  return { measured: shown.length, found };
}`);

/** The numbers that are not within the view. */
const cutOff = inPage<readonly string[]>(`() => {
  const view = document.querySelector('.graph > svg').getBoundingClientRect();
  return [...document.querySelectorAll('.pill')].filter((pill) => {
    const { left, right, top, bottom } = pill.getBoundingClientRect();
    return left < view.left || right > view.right || top < view.top || bottom > view.bottom;
  }).map((pill) => pill.textContent);
}`);

/** The database of durable chains, which the older Node.js of the tests cannot open. */
const project = '{ "server": { "runs": { "file": "runs.sqlite" } } }';
const served = examples.filter(([, files]) => !noSqlite || !Object.values(files).join().includes('durable: true'));

test.each(served)('keeps texts, numbers and heads of edges apart under load: %s', async (name, files) => {
  const { origin } = await startDev({ ...files, 'gg-svc.config.json': project });
  // Without zoom: texts are hidden at small scales.
  const page = await openStudio(origin, { reducedMotion: 'reduce' });
  const send = await stubMessages(page);
  await page.clock.install();
  for (const message of await busy(page, origin)) await send(message);
  const pills = page.locator('.pill');
  expect(await pills.count()).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await page.clock.runFor(1000);
  expect(await page.evaluate(cutOff, undefined)).toEqual([]);
  await page.evaluate("document.querySelector('.graph > svg').removeAttribute('data-detail')");
  const { measured, found } = await page.evaluate(overlaps, undefined);
  expect(found).toEqual([]);
  expect(measured).toBeGreaterThan(2 * (await pills.count()));
  await takeShots(page, `pills-${name}`);
});

test('takes the numbers of an edge away after a minute without calls', async () => {
  const { origin } = await startDev({ 'service.gg': read('service.gg') });
  const page = await openStudio(origin);
  const send = await stubMessages(page);
  const operation = { coordinate: 'Query.readUser', calls: 2, errors: 0, p95: 3 };
  await send({ kind: 'statistics', operations: [operation] });
  expect(await page.locator('.pill').count()).toBe(1);
  await send({ kind: 'statistics', operations: [{ ...operation, calls: 0, p95: 0 }] });
  expect(await page.locator('.pill').count()).toBe(0);
});
