import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { StudioMessage } from '../../src/tools/studio/protocol.js';
import { checkAccessibility } from './browser.js';
import { startDev } from './dev-server.js';
import { inPage, keepPulses, openStudio, partOf, service, stubMessages } from './studio-page.js';

const statistics: StudioMessage = {
  kind: 'statistics',
  operations: [
    { coordinate: 'Query.readUser', calls: 240, errors: 0, p95: 12.3 },
    { coordinate: 'Query.scanResult', calls: 31, errors: 0, p95: 1840 },
    { coordinate: 'Mutation.saveUser', calls: 12, errors: 2, p95: 340 },
  ],
};
const call = { protocol: 'rest', start: 1, duration: 3, errors: 0 } as const;

function callsOf(...coordinates: string[]) {
  const calls = coordinates.map((coordinate, index) => ({ ...call, id: String(index), coordinate }));
  return { kind: 'calls', calls } as StudioMessage;
}

async function numbersOf(page: Page, name: string): Promise<string> {
  const pill = page.locator(`.pill[data-edge=${JSON.stringify(name)}]`);
  return (await pill.locator('text').allTextContents()).join(' ');
}

test('shows calls, durations and errors of edges as numbers, colours and widths', async () => {
  const { origin } = await startDev(service);
  const page = await openStudio(origin);
  const send = await stubMessages(page);
  await send(statistics);
  expect(await numbersOf(page, 'Query.readUser')).toBe('240/min · p95 12 ms');
  expect(await numbersOf(page, 'Mutation.saveUser')).toBe('12/min · p95 340 ms 2 errors');
  const heat = (name: string) =>
    partOf(page, name)
      .locator('.heat')
      .evaluate(inPage('(heat) => [getComputedStyle(heat).stroke, parseFloat(getComputedStyle(heat).strokeWidth)]'));
  const [fine, slow, failing] = (await Promise.all(
    ['Query.readUser', 'Query.scanResult', 'Mutation.saveUser'].map(heat),
  )) as [string, number][];
  expect(new Set([fine?.[0], slow?.[0], failing?.[0]]).size).toBe(3);
  expect(slow?.[1]).toBeGreaterThan(fine?.[1] ?? Number.NaN);
  expect(await partOf(page, 'Query.readUser').getAttribute('aria-label')).toContain('240/min');
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'List', exact: true }).click();
  expect(await page.locator('.graph-list').textContent()).toContain('31/min · p95 1.8 s');
});

test('animates calls along an edge, including the lines before its meeting point', async () => {
  const { origin } = await startDev(service);
  const page = await openStudio(origin);
  const send = await stubMessages(page);
  const pulses = await keepPulses(page);
  await send(callsOf('Query.readUser'));
  await send({
    kind: 'races',
    races: [{ union: 'VerdictRace', winner: 'CachedVerdict', cancelled: [], at: 1 }],
  });
  expect(await pulses()).toEqual(['pulse query', 'pulse union', 'pulse union', 'pulse union']);
  await expect.poll(() => page.locator('.pulse').count()).toBe(0);
});

test('animates calls that end before the first frame of the graph', async () => {
  const { origin } = await startDev(service);
  const page = await openStudio(origin);
  // No frame and no timer runs.
  await page.clock.install();
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  const send = await stubMessages(page);
  await send(callsOf('Query.readUser'));
  expect(await page.locator('.pulse').count()).toBe(1);
});

test('shows numbers without animation to users who prefer reduced motion', async () => {
  const { origin } = await startDev(service);
  const page = await openStudio(origin, { reducedMotion: 'reduce' });
  const send = await stubMessages(page);
  await send(callsOf('Query.readUser', 'Mutation.saveUser'));
  await send(statistics);
  expect(await page.locator('.pulse').count()).toBe(0);
  expect(await numbersOf(page, 'Query.readUser')).toContain('240/min');
});

test('shows the winner and the cancelled branches of a race for a moment', async () => {
  const { origin } = await startDev(service);
  const page = await openStudio(origin);
  const send = await stubMessages(page);
  await page.clock.install();
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  const race = { union: 'VerdictRace', winner: 'FreshVerdict', cancelled: ['CachedVerdict'], at: 1 };
  await send({ kind: 'races', races: [race] });
  expect(await numbersOf(page, 'VerdictRace')).toBe('✕ cancelled ✓ won');
  expect(await partOf(page, 'VerdictRace').getAttribute('aria-label')).toContain('won by fresh_verdict');
  expect(await page.locator('.line.won').count()).toBe(1);
  expect(await page.locator('.line.lost').count()).toBe(1);
  await page.clock.runFor(4000);
  expect(await page.locator('.won, .lost').count()).toBe(0);
  expect(await numbersOf(page, 'VerdictRace')).toBe('');
});

test('shows the subscribers and the queue of a subscription, and the state of a channel at its node', async () => {
  const { origin } = await startDev(service);
  const page = await openStudio(origin);
  const send = await stubMessages(page);
  await send({
    kind: 'gauges',
    subscriptions: [{ name: 'userSaved', subscribers: 3, waiting: 2, lag: 14 }],
    channels: [{ node: 'user_saved', state: 'failing', failure: '<b>refused</b>' }],
  });
  expect(await numbersOf(page, 'Subscription.userSaved')).toBe('3 subscribers 2 waiting · lag 14 ms');
  const channel = partOf(page, '(user_saved)').locator('.channel');
  expect(await channel.locator('text').textContent()).toContain('failing');
  expect(await channel.locator('title').textContent()).toBe('<b>refused</b>');
  await checkAccessibility(page);
});

test('removes the numbers of a server that has stopped', async () => {
  const { origin } = await startDev(service);
  const page = await openStudio(origin);
  const send = await stubMessages(page);
  await send(statistics);
  await page.evaluate('window.stream.onerror()');
  expect(await numbersOf(page, 'Query.readUser')).toBe('');
  expect(await page.locator('header [role=status]').textContent()).toBe('reconnecting …');
});
