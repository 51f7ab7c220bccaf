import { createHash } from 'node:crypto';
import { createRedisScripts } from '../brokers/redis-scripts.js';
import type { TrafficStore } from '../config/traffic-options.js';

/** The count of a key in the current window. */
export interface Count {
  readonly points: number;
  /** When the window ends, in milliseconds from now. */
  readonly left: number;
}

/** Counts requests by key, each in windows. Rejects if the store cannot be reached. A promise costs about 1 %. */
export type RateCounter = (key: string, points: number) => Promise<Count>;

/** The maximum number of keys that are counted in the memory of the process. */
export const maxKeys = 50_000;

interface Window {
  points: number;
  /** On the clock of `performance`, in milliseconds. */
  readonly end: number;
}

/**
 * Counts in the memory of the process. When there are more keys than it counts, it forgets the one with the fewest points,
 * to a factor of two, and of those the one that has had them for longest. So no key ever counts for another one: a client
 * within its limit is served whatever others send. A key beyond the limit is forgotten only if all others that
 * are counted have half its points or more.
 */
export function createMemoryCounter(duration: number, most = maxKeys): RateCounter {
  /** In the order in which the windows began, and so in that of their ends. */
  const windows = new Map<string, Window>();
  /** The keys with points from 2^n to 2^(n+1). */
  const levels: Set<string>[] = [];

  const drop = (key: string, { points }: Window): void => {
    windows.delete(key);
    levels[levelOf(points)]?.delete(key);
  };
  const makeRoom = (now: number): void => {
    for (const [key, window] of windows) {
      if (window.end > now) break;
      drop(key, window);
    }
    if (windows.size < most) return;
    const [lowest] = levels.find(({ size }) => size > 0) ?? [];
    const window = lowest === undefined ? undefined : windows.get(lowest);
    if (lowest !== undefined && window !== undefined) drop(lowest, window);
  };
  const open = (key: string, now: number): Window => {
    makeRoom(now);
    const window = { points: 0, end: now + duration };
    windows.set(key, window);
    return window;
  };
  const add = (key: string, window: Window, points: number): void => {
    const before = levelOf(window.points);
    window.points += points;
    const level = levelOf(window.points);
    if (level === before) return;
    levels[before]?.delete(key);
    while (levels.length <= level) levels.push(new Set());
    levels[level]?.add(key);
  };
  return (key, points) => {
    const now = performance.now();
    let window = windows.get(key);
    if (window !== undefined && window.end <= now) {
      drop(key, window);
      window = undefined;
    }
    window ??= open(key, now);
    add(key, window, points);
    return Promise.resolve({ points: window.points, left: window.end - now });
  };
}

/** -1 for no points. */
function levelOf(points: number): number {
  return points < 1 ? -1 : Math.floor(Math.log2(points));
}

/** The first points of a window set its end. */
const countScript = `
redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX')
return { redis.call('incrby', KEYS[1], ARGV[1]), redis.call('pttl', KEYS[1]) }`;

export function createRateCounter(name: string, seconds: number, store: TrafficStore): RateCounter {
  if (store === 'memory') {
    const count = createMemoryCounter(seconds * 1_000);
    return (key, points) => count(shorten(key), points);
  }
  const scripts = createRedisScripts(store);
  return async (key, points) => {
    const place = `gg-svc:rate:${name}:${shorten(key)}`;
    const counted = await scripts.run(countScript, place, String(points), String(seconds));
    const [sum, left] = counted as readonly [number, number];
    return { points: sum, left };
  };
}

/** Keys of clients may be long. */
function shorten(key: string): string {
  return key.length <= 100 ? key : createHash('sha256').update(key).digest('base64url');
}
