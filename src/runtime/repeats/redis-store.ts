import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createRedisScripts, type RedisClient } from '../brokers/redis-scripts.js';
import type { Monitor } from '../logs/monitor.js';
import { firstCharge, guaranteedAccounts, overhead } from './fair-share.js';
import type { Lease, RepeatStore, StoreBounds, Taken } from './repeat-store.js';

const defaultSize = 1 << 30;

/** How long a run has its key, in milliseconds; renewed while its process lives. */
const leaseTime = 30_000;
const renewal = 10_000;

/** How often a repeat asks whether the first run has ended, in milliseconds. */
const pollInterval = 100;

/** How often a process tries to write a state while Redis cannot be reached. */
const maxAttempts = 20;

/** All keys have one tag, so that a cluster has them in one slot. */
export const redisPrefix = 'gg-svc:{repeats}';

/** Keeps calls in Redis, for all processes. The lease of a process that has died expires. */
export function createRedisStore(
  store: string | RedisClient,
  { size = defaultSize, ttl }: StoreBounds,
  monitor: Monitor,
): RepeatStore {
  const scripts = createRedisScripts(store);
  return {
    async take({ id, account, fingerprint }) {
      const settings = [String(size), String(ttl), String(leaseTime), id, account, fingerprint, randomUUID()];
      const run = (script: string, ...args: readonly string[]) =>
        scripts.run(script, redisPrefix, ...settings, ...args);
      const [kind, more] = (await run(beginScript)) as readonly [Taken['kind'] | 'greedy', string];
      switch (kind) {
        case 'first':
          return { kind, lease: new RedisLease(run, monitor) };
        case 'changed':
          return { kind, lease: new RedisLease(run, monitor), text: more };
        case 'answered':
          return { kind, text: more };
        case 'busy':
          return { kind, settled: pause(pollInterval) };
        case 'greedy':
        case 'full':
          return { kind: 'full', isGreedy: kind === 'greedy', wait: Number(more) };
        default:
          return { kind };
      }
    },
  };
}

/** Writes the latest state, if need be again and again in the background. */
class RedisLease implements Lease {
  readonly #timer: NodeJS.Timeout;
  /** The pending work; undefined when Redis has done it. */
  #wanted: (() => Promise<unknown>) | undefined;
  #isTrying = false;
  #isLast = false;

  constructor(
    private readonly run: (script: string, ...args: readonly string[]) => Promise<unknown>,
    private readonly monitor: Monitor,
  ) {
    this.#timer = setInterval(() => {
      run(renewScript).catch(() => undefined);
    }, renewal).unref();
  }

  write(state: 'changed' | 'answered', texts: readonly string[]): Promise<void> {
    return this.#do(state === 'answered', async () => {
      for (const [at, text] of texts.entries()) {
        const isLast = at === texts.length - 1;
        if ((await this.run(writeScript, state, text, isLast ? 'always' : 'if there is room')) !== 'full') return;
      }
    });
  }

  end(how: 'forget' | 'keep'): Promise<void> {
    return this.#do(true, () => this.run(endScript, how));
  }

  /** Returns after the first attempt. */
  async #do(isLast: boolean, action: () => Promise<unknown>): Promise<void> {
    this.#wanted = action;
    this.#isLast = isLast;
    if (this.#isTrying) return;
    this.#isTrying = true;
    if ((await this.#try()) === undefined) this.#isTrying = false;
    else void this.#tryAgain();
  }

  async #tryAgain(): Promise<void> {
    let failure: unknown;
    for (let attempt = 1; attempt < maxAttempts && this.#wanted !== undefined; attempt += 1) {
      await pause(1_000, undefined, { ref: false });
      failure = await this.#try();
    }
    this.#isTrying = false;
    if (this.#wanted === undefined) return;
    clearInterval(this.#timer);
    this.monitor.fault(`The outcome of a call with an idempotency key is not kept. ${String(failure)}`);
  }

  /** Returns the failure; an action that came in the meantime is done as well. */
  async #try(): Promise<unknown> {
    try {
      while (this.#wanted !== undefined) {
        const action = this.#wanted;
        await action();
        if (this.#wanted === action) this.#wanted = undefined;
      }
    } catch (error) {
      return error;
    }
    if (this.#isLast) clearInterval(this.#timer);
    return undefined;
  }
}

/**
 * The beginning of all scripts. Beside a hash for each key there are three more for all of them: when keys expire (a
 * sorted set), what each key is charged and to whom, and the sum of each account, where '' is the sum of all. The
 * clock is that of Redis, the same for all processes.
 */
const prelude = `
local size, ttl, lease = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local id, account, fingerprint, token = ARGV[4], ARGV[5], ARGV[6], ARGV[7]
local record = KEYS[1] .. ':key:' .. id
local ends, charges, used = KEYS[1] .. ':ends', KEYS[1] .. ':charges', KEYS[1] .. ':used'
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function add(who, bytes)
  if redis.call('hincrby', used, who, bytes) <= 0 then redis.call('hdel', used, who) end
end
local function charged(one)
  local bytes, who = string.match(redis.call('hget', charges, one) or '', '^(%d+) (.*)$')
  return tonumber(bytes or '0'), who or account
end
local function charge(one, bytes)
  local before, who = charged(one)
  if bytes == before then return end
  add(who, bytes - before)
  add('', bytes - before)
  if bytes == 0 then redis.call('hdel', charges, one)
  else redis.call('hset', charges, one, bytes .. ' ' .. who) end
end
local function forget(one)
  charge(one, 0)
  redis.call('zrem', ends, one)
  redis.call('del', KEYS[1] .. ':key:' .. one)
end
local function expireAfter(wait)
  redis.call('pexpire', record, wait)
  redis.call('zadd', ends, string.format('%.0f', now + wait), id)
end
local base = size / ${4 * guaranteedAccounts}
local function usedBy(who) return tonumber(redis.call('hget', used, who) or '0') end
local function hasRoom(more)
  if more <= 0 then return true end
  local own, total = usedBy(account) + more, usedBy('') + more
  if own <= base then return total <= size end
  return own <= (0.75 * size - total) / 2
end
local function lend()
  redis.call('hset', record, 'token', token, 'lease', string.format('%.0f', now + lease))
  expireAfter(math.max(ttl, lease))
end
local function isOwn()
  local found = redis.call('hget', record, 'token')
  return not found or found == token
end
`;

/** Takes a key for a run, or tells what is known of it. Each call removes more charges than it adds, while there are any. */
const beginScript = `${prelude}
for _, one in ipairs(redis.call('zrangebyscore', ends, '-inf', string.format('%.0f', now), 'limit', 0, 50)) do
  forget(one)
end
local found = redis.call('hmget', record, 'fingerprint', 'state', 'lease', 'text')
if not found[1] then
  charge(id, 0)
  if not hasRoom(${firstCharge}) then
    local first = redis.call('zrange', ends, 0, 0, 'withscores')
    local kind = 'full'
    if usedBy(account) + ${firstCharge} > base then kind = 'greedy' end
    return { kind, string.format('%.0f', (first[2] or now) - now) }
  end
  charge(id, ${firstCharge})
  redis.call('hset', record, 'fingerprint', fingerprint, 'state', 'running')
  lend()
  return { 'first', '' }
end
if found[1] ~= fingerprint then return { 'reused', '' } end
if found[2] == 'answered' then return { 'answered', found[4] } end
if tonumber(found[3]) > now then return { 'busy', '' } end
if found[2] == 'running' then return { 'unknown', '' } end
lend()
return { 'changed', found[4] }`;

/** Writes a state, unless another run has the key. A key that Redis has lost is written again. */
const writeScript = `${prelude}
local state, text, always = ARGV[8], ARGV[9], ARGV[10] == 'always'
if not isOwn() then return 'lost' end
local bytes = ${overhead} + #text
if not always and not hasRoom(bytes - charged(id)) then return 'full' end
charge(id, bytes)
redis.call('hset', record, 'fingerprint', fingerprint, 'state', state, 'text', text)
if state == 'answered' then
  redis.call('hset', record, 'token', '', 'lease', '0')
  expireAfter(ttl)
else lend() end
return 'kept'`;

const endScript = `${prelude}
if redis.call('hget', record, 'token') ~= token then return end
if ARGV[8] == 'forget' then
  forget(id)
  return
end
redis.call('hset', record, 'token', '', 'lease', '0')
expireAfter(ttl)`;

const renewScript = `${prelude}
if redis.call('hget', record, 'token') == token then lend() end`;
