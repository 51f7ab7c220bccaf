import { createHash } from 'node:crypto';
import { createRedisScripts, type RedisScripts } from '../brokers/redis-scripts.js';
import type { TrafficStore } from '../config/traffic-options.js';
import { loadPeer } from '../load/load-peer.js';

/** The count of a key in the current window, as rate-limiter-flexible gives it. */
export interface Count {
  readonly consumedPoints: number;
  readonly remainingPoints: number;
  /** When the window ends, in milliseconds from now. */
  readonly msBeforeNext: number;
}

/**
 * Counts requests by key, each in windows of its own. Rejects with the {@link Count} beyond the limit, and with an error if
 * the store cannot be reached. Each further promise would cost a request in memory about 1 %.
 */
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
export function createMemoryCounter(limit: number, duration: number, most = maxKeys): RateCounter {
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
    const count: Count = {
      consumedPoints: window.points,
      remainingPoints: Math.max(0, limit - window.points),
      msBeforeNext: window.end - now,
    };
    return count.consumedPoints > limit ? Promise.reject(count) : Promise.resolve(count);
  };
}

/** -1 for no points. */
function levelOf(points: number): number {
  return points < 1 ? -1 : Math.floor(Math.log2(points));
}

/** Makes a counter. That of Redis is a limiter of rate-limiter-flexible, which is loaded for the first request. */
export function createRateCounter(
  name: string,
  limit: number,
  seconds: number,
  store: TrafficStore,
): RateCounter {
  if (store === 'memory') {
    const count = createMemoryCounter(limit, seconds * 1_000);
    return (key, points) => count(shorten(key), points);
  }
  const load = async (): Promise<RateCounter> => {
    const { RateLimiterRedis } = await loadPeer(
      ['rate-limiter-flexible'],
      () => import('rate-limiter-flexible'),
    );
    const limiter = new RateLimiterRedis({
      keyPrefix: `gg-svc:rate:${name}`,
      points: limit,
      duration: seconds,
      storeClient: asStoreClient(createRedisScripts(store)),
    });
    return (key, points) => limiter.consume(shorten(key), points);
  };
  let loading: Promise<RateCounter> | undefined;
  let loaded: RateCounter | undefined;
  return (key, points) => {
    if (loaded !== undefined) return loaded(key, points);
    loading ??= load();
    return loading.then((counter) => {
      loaded = counter;
      return counter(key, points);
    });
  };
}

export function isCount(reason: unknown): reason is Count {
  return typeof reason === 'object' && reason !== null && 'msBeforeNext' in reason;
}

/** The part of a client of ioredis that the limiter uses: its script, with one key. */
function asStoreClient(scripts: RedisScripts) {
  let script = '';
  return {
    defineCommand(_name: string, { lua }: { readonly lua: string }) {
      script = lua;
    },
    rlflxIncr: ([key = '', ...args]: readonly string[]) => scripts.run(script, key, ...args),
  };
}

/** Keys of clients may be long. */
function shorten(key: string): string {
  return key.length <= 100 ? key : createHash('sha256').update(key).digest('base64url');
}
