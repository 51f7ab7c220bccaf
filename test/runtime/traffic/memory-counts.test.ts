import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMemoryCounter } from '../../../src/runtime/traffic/rate-counter.js';

const duration = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Makes the function that counts a request, and tells whether it is within the limit. */
function serverOf(limit: number, most: number) {
  const counter = createMemoryCounter(duration, most);
  return async (key: string, points = 1) => {
    const counted = await counter(key, points);
    expect(counted.points).toBeGreaterThan(0);
    return counted.points <= limit;
  };
}

const requests = fc.array(
  fc.record({
    key: fc.nat({ max: 40 }),
    points: fc.integer({ min: 1, max: 4 }),
    wait: fc.constantFrom(0, 0, 0, 1, 300),
  }),
  { maxLength: 300 },
);

test('a key within its limit is never rejected because of other keys', async () => {
  const check = async (list: readonly { key: number; points: number; wait: number }[], most: number, limit: number) => {
    const isServed = serverOf(limit, most);
    const sent: { key: number; points: number; at: number }[] = [];
    for (const { key, points, wait } of list) {
      vi.advanceTimersByTime(wait);
      const at = performance.now();
      const recent = sent.filter((one) => one.key === key && one.at > at - duration);
      sent.push({ key, points, at });
      const sum = recent.reduce((total, one) => total + one.points, points);
      if (sum <= limit) expect(await isServed(`${key}`, points)).toBe(true);
      else await isServed(`${key}`, points);
    }
  };
  const [most, limit] = [fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 10 })];
  await fc.assert(fc.asyncProperty(requests, most, limit, check));
});

test('each key has its own windows and exactly its limit while the store is not full', async () => {
  const check = async (list: readonly { key: number; points: number; wait: number }[], limit: number) => {
    const isServed = serverOf(limit, 41);
    const windows = new Map<number, { begin: number; points: number }>();
    for (const { key, points, wait } of list) {
      vi.advanceTimersByTime(wait);
      const now = performance.now();
      const found = windows.get(key);
      const window = found !== undefined && found.begin + duration > now ? found : { begin: now, points: 0 };
      window.points += points;
      windows.set(key, window);
      expect(await isServed(`${key}`, points)).toBe(window.points <= limit);
    }
  };
  await fc.assert(fc.asyncProperty(requests, fc.integer({ min: 1, max: 10 }), check));
});

test('a key beyond its limit is still rejected after any number of keys with fewer points', async () => {
  const check = async (others: number, points: number, most: number) => {
    const isServed = serverOf(8, most);
    for (let at = 0; at < 9; at += 1) await isServed('heavy');
    for (let at = 0; at < others; at += 1) expect(await isServed(`${at}`, points)).toBe(true);
    expect(await isServed('heavy')).toBe(false);
    vi.advanceTimersByTime(duration);
    expect(await isServed('heavy')).toBe(true);
  };
  const points = fc.integer({ min: 1, max: 7 });
  const most = fc.integer({ min: 2, max: 20 });
  await fc.assert(fc.asyncProperty(fc.nat({ max: 200 }), points, most, check));
});
