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
    if (store === 'memory') {
      const limiter = new RateLimiterMemory(options);
      const ownKey = createKeyBound(seconds * 1_000);
      return (key, points) => limiter.consume(ownKey(key), points);
    }
    const limiter = new RateLimiterRedis({
      ...options,
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

/** Whether a counter has rejected with a count. */
export function isCount(reason: unknown): reason is Count {
  return typeof reason === 'object' && reason !== null && 'msBeforeNext' in reason;
}

/**
 * Bounds the memory of a counter: beyond {@link maxKeys} open windows, further keys share a fixed number of counts, so
 * that a flood from many addresses limits itself.
 */
function createKeyBound(window: number): (key: string) => string {
  /** The end of the window of each key, in the order in which the windows began. */
  const ends = new Map<string, number>();
  return (given) => {
    const key = shorten(given);
    const now = performance.now();
    for (const [oldest, end] of ends) {
      if (end > now) break;
      ends.delete(oldest);
    }
    if (ends.has(key)) return key;
    if (ends.size >= maxKeys) return `shared ${hash(key) % sharedCounts}`;
    ends.set(key, now + window);
    return key;
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

/** Keys of clients may be long. */
function shorten(key: string): string {
  return key.length <= 100 ? key : createHash('sha256').update(key).digest('base64url');
}

function hash(key: string): number {
  return createHash('sha256').update(key).digest().readUInt32BE();
}
