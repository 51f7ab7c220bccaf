import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { consoleMonitor } from '../../../src/runtime/logs/monitor.js';
import { baseOf, firstCharge, guaranteedAccounts, overhead } from '../../../src/runtime/repeats/fair-share.js';
import { MemoryStore } from '../../../src/runtime/repeats/memory-store.js';
import { type FirstRun, repeatsOver } from '../../../src/runtime/repeats/repeats.js';
import { runs } from '../../arbitraries/runs.js';
import { callOf, tell } from './contract.js';

const ttl = 1_000;

/** Room for two keys in the base of an account, and a half. */
const size = 4 * guaranteedAccounts * 2.5 * firstCharge;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Step {
  readonly account: number;
  readonly act: 'begin' | 'end' | 'wait';
  /** The length of an outcome, in bases; or the time that passes, in ttls. */
  readonly amount: number;
  readonly end: 'answered' | 'changed' | 'release';
}

const steps = fc.array(
  fc.record<Step>({
    account: fc.nat({ max: 11 }),
    act: fc.constantFrom('begin', 'begin', 'end', 'wait'),
    amount: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.4, noNaN: true })),
    end: fc.constantFrom('answered', 'answered', 'changed', 'release'),
  }),
  { minLength: 20, maxLength: 120 },
);

/** Accounts below this number are modest: their calls stay within their base. Others take what they get. */
const modest = 6;

/** A key that the store has, as the test believes. */
interface Known {
  readonly account: number;
  charge: number;
  run: FirstRun | undefined;
  expiresAt: number;
  told: string;
}

test('an account within its base is never rejected and loses no key', async () => {
  let refusals = 0;
  const play = async (list: readonly Step[]): Promise<void> => {
    const repeats = repeatsOver(new MemoryStore({ ttl, size }), consoleMonitor);
    const known = new Map<string, Known>();
    const callAt = (key: string, account: number) => callOf(key, { caller: `account ${account}` });
    const greedy: Step = { account: 11, act: 'begin', amount: 0, end: 'answered' };
    for (const [at, { account, act, amount, end }] of [greedy, greedy, greedy, ...list].entries()) {
      const now = performance.now();
      for (const [key, one] of known) if (one.expiresAt <= now) known.delete(key);
      const own = [...known.values()].filter((one) => one.account === account);
      const used = own.reduce((sum, { charge }) => sum + charge, 0);
      const isModest = account < modest;
      if (act === 'begin') {
        // Greedy accounts begin many at once.
        for (let copy = 0; copy < (isModest ? 1 : 250); copy += 1) {
          if (isModest && used + firstCharge > baseOf(size)) break;
          const key = `${at} ${copy}`;
          try {
            const found = await repeats.find(callAt(key, account));
            if (found.kind !== 'first') throw new Error(`${found.kind} ${key}`);
            const charge = firstCharge;
            const expiresAt = Number.POSITIVE_INFINITY;
            known.set(key, { account, charge, run: found.run, expiresAt, told: 'running' });
          } catch (error) {
            expect(error).toMatchObject({ code: 'IDEMPOTENCY_STORE_FULL', status: 429 });
            expect(isModest).toBe(false);
            refusals += 1;
            break;
          }
        }
      } else if (act === 'end') {
        for (const [key, one] of known) {
          const { run } = one;
          if (one.account !== account || run === undefined) continue;
          const room = baseOf(size) - used;
          const most = isModest ? Math.max(firstCharge, room) - overhead - 100 : 1 << 20;
          const outcome = 'x'.repeat(isModest ? Math.min(most, Math.floor(amount * baseOf(size))) : amount * most);
          if (end === 'changed') {
            await run.changed(outcome, []);
            await run.release();
            one.told = 'unpublished';
          } else {
            await run[end](outcome);
            one.told = `answered ${outcome}`;
          }
          one.charge = overhead + outcome.length + 30;
          one.run = undefined;
          one.expiresAt = now + ttl;
          if (end === 'release') known.delete(key);
          if (isModest) break;
        }
      } else vi.advanceTimersByTime(Math.round(amount * ttl * 2));
    }
    const now = performance.now();
    for (const [key, { account, run, expiresAt, told }] of known) {
      if (run !== undefined || expiresAt <= now) continue;
      const found = await tell(repeats, callAt(key, account));
      // A long outcome of a greedy account may have found no room; its key is known all the same.
      if (account >= modest && found === 'IDEMPOTENCY_ANSWER_TOO_LONG') continue;
      expect(found).toBe(told);
    }
  };
  await fc.assert(fc.asyncProperty(steps, play), { numRuns: runs(30) });
  expect(refusals).toBeGreaterThan(0);
});

test('the bases of all guaranteed accounts fit beside accounts beyond theirs; a further account is rejected', async () => {
  const repeats = repeatsOver(new MemoryStore({ ttl, size }), consoleMonitor);
  let count = 0;
  const fill = async (account: string, keys: number): Promise<number> => {
    for (let done = 0; done < keys; done += 1) {
      count += 1;
      const code = await repeats.find(callOf(`${count}`, { caller: account })).then(
        () => undefined,
        (error: { status: number }) => error.status,
      );
      if (code !== undefined) return code;
    }
    return 0;
  };
  for (let at = 0; at < 40; at += 1) expect(await fill(`greedy ${at}`, 10_000)).toBe(429);
  for (let at = 40; at < guaranteedAccounts; at += 1) expect(await fill(`modest ${at}`, 2)).toBe(0);
  const further = await Promise.all(Array.from({ length: 100 }, (_, at) => fill(`further ${at}`, 2)));
  expect(new Set(further)).toContain(503);
});
