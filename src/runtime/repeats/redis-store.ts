import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createRedisScripts, type RedisClient, type RedisScripts } from '../brokers/redis-scripts.js';
import type { Monitor } from '../logs/monitor.js';
import { beginScript, endScript, renewScript, writeScript } from './redis-lua.js';
import type { Lease, RepeatStore, StoreBounds, StoredKey, Taken } from './repeat-store.js';

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
export class RedisStore implements RepeatStore {
  readonly #scripts: RedisScripts;

  constructor(
    store: string | RedisClient,
    private readonly bounds: StoreBounds,
    private readonly monitor: Monitor,
  ) {
    this.#scripts = createRedisScripts(store);
  }

  async take({ id, account, fingerprint }: StoredKey): Promise<Taken> {
    const { size = defaultSize, ttl } = this.bounds;
    const settings = [String(size), String(ttl), String(leaseTime), id, account, fingerprint, randomUUID()];
    const run = (script: string, ...args: readonly string[]) =>
      this.#scripts.run(script, redisPrefix, ...settings, ...args);
    const [kind, more] = (await run(beginScript)) as readonly [Taken['kind'] | 'greedy', string];
    switch (kind) {
      case 'first':
        return { kind, lease: new RedisLease(run, this.monitor) };
      case 'changed':
        return { kind, lease: new RedisLease(run, this.monitor), text: more };
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
  }
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
        if ((await this.run(writeScript, state, text, isLast ? 'always' : 'if there is room')) !== 'full')
          return;
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
