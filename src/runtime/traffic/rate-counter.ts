import { createHash } from 'node:crypto';
import { createRedisScripts, type RedisScripts } from '../brokers/redis-scripts.js';
import type { TrafficStore } from '../config/traffic-options.js';
import { loadPeer } from '../load/load-peer.js';
import { type Count, createMemoryCounter, type RateCounter } from './memory-counts.js';

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
