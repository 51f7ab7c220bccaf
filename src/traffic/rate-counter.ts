import { createHash } from 'node:crypto';
import { createRedisScripts, type RedisScripts } from '../brokers/redis-scripts.js';
import type { TrafficStore } from '../config/traffic-options.js';
import { loadPeer } from '../load/load-peer.js';

/** The count of a key in the current window. */
export interface Count {
  readonly used: number;
  readonly remaining: number;
  /** When the window ends, in milliseconds from now. */
  readonly endsIn: number;
}

/** Counts requests by key, each in windows of its own. Rejects if the store cannot be reached. */
export type RateCounter = (key: string, points: number) => Promise<Count>;

/** The maximum number of keys that are counted each on its own, in the memory of the process. */
export const maxKeys = 50_000;

/** The number of counts that further keys share. */
const sharedCounts = 1_024;

/** Makes a counter over a limiter of rate-limiter-flexible, which is loaded for the first request. */
export function createRateCounter(
  name: string,
  limit: number,
  seconds: number,
  store: TrafficStore,
): RateCounter {
  const keyPrefix = `gg-svc:rate:${name}`;
  const load = async (): Promise<RateCounter> => {
    const { RateLimiterMemory, RateLimiterRedis } = await loadPeer(
      ['rate-limiter-flexible'],
      () => import('rate-limiter-flexible'),
    );
    const options = { keyPrefix, points: limit, duration: seconds };
    const limiter =
      store === 'memory'
        ? new RateLimiterMemory(options)
        : new RateLimiterRedis({ ...options, storeClient: asStoreClient(createRedisScripts(store)) });
    const count: RateCounter = async (key, points) => {
      // A limiter rejects with the same object if the limit is exceeded.
      const result: unknown = await limiter.consume(key, points).catch((reason: unknown) => reason);
      if (result instanceof Error || !isResult(result)) throw result;
      const { consumedPoints: used, remainingPoints: remaining, msBeforeNext } = result;
      return { used, remaining, endsIn: Math.max(0, msBeforeNext) };
    };
    return store === 'memory' ? withBoundedKeys(count) : count;
  };
  let loading: Promise<RateCounter> | undefined;
  return async (key, points) => {
    loading ??= load();
    return (await loading)(shorten(key), points);
  };
}

/**
 * Bounds the memory of a counter: beyond {@link maxKeys} open windows, further keys share a fixed number of counts, so
 * that a flood from many addresses limits itself.
 */
function withBoundedKeys(count: RateCounter): RateCounter {
  /** The end of the window of each key, in the order in which the windows began. */
  const ends = new Map<string, number>();
  return async (key, points) => {
    const now = performance.now();
    for (const [oldest, end] of ends) {
      if (end > now) break;
      ends.delete(oldest);
    }
    const isOwn = ends.has(key) || ends.size < maxKeys;
    // Counted as one before the window is known, so that concurrent requests cannot exceed the number of keys.
    if (isOwn && !ends.has(key)) ends.set(key, Number.POSITIVE_INFINITY);
    const counted = await count(isOwn ? key : `shared ${hash(key) % sharedCounts}`, points);
    if (isOwn && ends.get(key) === Number.POSITIVE_INFINITY)
      ends.set(key, performance.now() + counted.endsIn);
    return counted;
  };
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

function isResult(value: unknown): value is {
  readonly consumedPoints: number;
  readonly remainingPoints: number;
  readonly msBeforeNext: number;
} {
  return typeof value === 'object' && value !== null && 'msBeforeNext' in value;
}

/** Keys of clients may be long. */
function shorten(key: string): string {
  return key.length <= 100 ? key : createHash('sha256').update(key).digest('base64url');
}

function hash(key: string): number {
  return createHash('sha256').update(key).digest().readUInt32BE();
}
