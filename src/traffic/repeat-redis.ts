import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createRedisScripts, type RedisClient } from '../brokers/redis-scripts.js';
import type { Watch } from '../logs/watch.js';
import type { RepeatStore } from './repeat-store.js';

/** How long a request that runs is reserved, in milliseconds; renewed while its process lives. */
const reservation = 30_000;
const renewal = 10_000;

/** How often a repeat asks whether the first request has finished, in milliseconds. */
const pollInterval = 100;

/** How often a process tries to keep an answer while Redis cannot be reached. */
const maxAttempts = 20;

/** Sets a key unless it is set (`SET … NX`), and returns what was there. */
const begin = `
local found = redis.call('get', KEYS[1])
if found then return found end
redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
return ''`;

/** Changes a key, unless it has become that of another request: the reservation was lost while Redis was away. */
const ifOwn = (change: string) => `
local found = redis.call('get', KEYS[1])
if found and found ~= ARGV[1] then return 0 end
${change}
return 1`;
const keep = ifOwn("redis.call('set', KEYS[1], ARGV[2], 'px', ARGV[3])");
const release = ifOwn("redis.call('del', KEYS[1])");
const renew = ifOwn("redis.call('pexpire', KEYS[1], ARGV[2])");

/** The value of a key. The token tells reservations apart. */
interface Stored {
  readonly fingerprint: string;
  readonly token?: string;
  readonly answer?: string;
}

/** Keeps answers in Redis, for all processes. The reservation of a process that has died expires. */
export function createRedisStore(store: string | RedisClient, ttl: number, watch: Watch): RepeatStore {
  const scripts = createRedisScripts(store);
  return {
    async begin(id, fingerprint) {
      const key = `gg-svc:repeat:${id}`;
      const own: Stored = { fingerprint, token: randomUUID() };
      const reserved = JSON.stringify(own);
      const found = String(await scripts.run(begin, key, reserved, String(reservation)));
      if (found !== '') {
        const { answer, ...rest } = JSON.parse(found) as Stored;
        const settled = answer === undefined ? pause(pollInterval) : Promise.resolve();
        return { fingerprint: rest.fingerprint, answer, settled };
      }
      const timer = setInterval(() => {
        scripts.run(renew, key, reserved, String(reservation)).catch(() => undefined);
      }, renewal).unref();
      const finish = async (script: string, ...args: readonly string[]): Promise<void> => {
        for (let attempt = 1; ; attempt += 1) {
          try {
            await scripts.run(script, key, reserved, ...args);
            break;
          } catch (error) {
            if (attempt === maxAttempts) {
              watch.fault(`The answer to a request with Idempotency-Key is not kept. ${String(error)}`);
              break;
            }
            await pause(1_000, undefined, { ref: false });
          }
        }
        clearInterval(timer);
      };
      const run = {
        keep(answer: string): void {
          const stored: Stored = { fingerprint, answer };
          void finish(keep, JSON.stringify(stored), String(ttl));
        },
        release: () => void finish(release),
      };
      return { run };
    },
  };
}
