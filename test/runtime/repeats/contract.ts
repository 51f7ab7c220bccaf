import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { consoleMonitor } from '../../../src/runtime/logs/monitor.js';
import { digest } from '../../../src/runtime/repeats/caller-identity.js';
import { baseOf, firstCharge, guaranteedAccounts, overhead } from '../../../src/runtime/repeats/fair-share.js';
import type { RepeatStore, StoreBounds } from '../../../src/runtime/repeats/repeat-store.js';
import {
  type FirstRun,
  type FoundRun,
  maxKept,
  type RepeatableCall,
  type Repeats,
  repeatsOver,
} from '../../../src/runtime/repeats/repeats.js';

/** A kind of store to test. */
export interface StoreCase {
  readonly name: string;
  /** Opens the store; two of the same content in two processes, if processes share one. */
  open(bounds: StoreBounds): Promise<readonly [RepeatStore, RepeatStore]>;
  /** Lets the time pass after which all keys without a lease have expired. */
  expireAll(): Promise<void>;
  close(): Promise<void>;
}

const ttl = 3_600_000;

const event = (id: string) => ({ subscription: 'orderPlaced', payload: { id }, id });

/** A call of a client that stays. */
export function callOf(key: string, more: Partial<RepeatableCall> = {}): RepeatableCall {
  const { caller = 'ada', account = caller } = more;
  return { key, fingerprint: 'placeOrder', client: new AbortController().signal, ...more, caller, account };
}

/** Finds a call that must be the first. */
export async function begin(repeats: Repeats, call: RepeatableCall): Promise<FirstRun> {
  const found = await repeats.find(call);
  if (found.kind !== 'first') throw new Error(`The call is ${found.kind}.`);
  return found.run;
}

/** What is known of a call, as one text: its kind and outcome, or the code with which it is refused. */
export async function tell(repeats: Repeats, call: RepeatableCall): Promise<string> {
  try {
    const found = await repeats.find(call);
    if (found.kind === 'first') await found.run.release();
    return found.kind === 'answered' ? `answered ${found.outcome}` : found.kind;
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
}

async function takeOver(repeats: Repeats, call: RepeatableCall) {
  const found: FoundRun = await repeats.find(call);
  if (found.kind !== 'unpublished') throw new Error(`The call is ${found.kind}.`);
  return found;
}

/** What holds for every store. */
export function defineContract({ name, open, expireAll, close }: StoreCase): void {
  describe(`repeats in ${name}`, () => {
    let one: Repeats;
    let other: Repeats;
    let store: RepeatStore;
    const start = async (bounds: Partial<StoreBounds> = {}) => {
      const stores = await open({ ttl, ...bounds });
      [store] = stores;
      [one, other] = stores.map((each) => repeatsOver(each, consoleMonitor)) as [Repeats, Repeats];
    };
    /** Leaves the first run of a call as a process does that ends while it runs. */
    const interrupt = async ({ caller, account, key, fingerprint }: RepeatableCall): Promise<void> => {
      const stored = { id: digest(caller, key), account: digest(account), fingerprint: digest(fingerprint) };
      const taken = await store.take(stored);
      if (taken.kind !== 'first') throw new Error(`The call is ${taken.kind}.`);
      await taken.lease.end('keep');
    };
    beforeEach(() => start());
    afterEach(close);

    test('get the outcome of the first run, which is the only one', async () => {
      const run = await begin(one, callOf('a'));
      await run.changed('{"id":1}', []);
      await run.answered('{"id":"ä €"}');
      expect(await tell(one, callOf('a'))).toBe('answered {"id":"ä €"}');
      expect(await tell(other, callOf('a'))).toBe('answered {"id":"ä €"}');
    });

    test('are distinguished by key and by caller, but not by account', async () => {
      await (await begin(one, callOf('a'))).answered('1');
      expect(await tell(one, callOf('b'))).toBe('first');
      expect(await tell(one, callOf('a', { caller: 'bob', account: 'ada' }))).toBe('first');
      expect(await tell(one, callOf('a', { account: 'bob' }))).toBe('answered 1');
    });

    test.each(['running', 'changed', 'answered'])(
      'with another fingerprint are rejected while the first run is %s',
      async (state) => {
        const run = await begin(one, callOf('a'));
        if (state === 'changed') await run.changed('1', [event('e')]);
        if (state === 'answered') await run.answered('1');
        expect(await tell(other, callOf('a', { fingerprint: 'other' }))).toBe('IDEMPOTENCY_KEY_REUSED');
        await run.release();
      },
    );

    test('wait for the first run, whether it changes something or not', async () => {
      const [answering, releasing] = [await begin(one, callOf('a')), await begin(one, callOf('b'))];
      const waiting = ['a', 'b'].map((key) => tell(other, callOf(key)));
      await answering.changed('1', []);
      await answering.answered('1');
      await releasing.release();
      expect(await Promise.all(waiting)).toEqual(['answered 1', 'first']);
    });

    test('stop waiting when their client leaves', async () => {
      const run = await begin(one, callOf('a'));
      const client = new AbortController();
      const waiting = tell(other, callOf('a', { client: client.signal }));
      client.abort();
      expect(await waiting).toBe('IDEMPOTENCY_KEY_IN_USE');
      await run.release();
    });

    test('run again after a run that changed nothing', async () => {
      await (await begin(one, callOf('a'))).release();
      const again = await begin(other, callOf('a', { fingerprint: 'other' }));
      await again.answered('2');
      expect(await tell(one, callOf('a', { fingerprint: 'other' }))).toBe('answered 2');
    });

    test('never run again after a run that may have changed something', async () => {
      await interrupt(callOf('a'));
      expect(await tell(one, callOf('a'))).toBe('IDEMPOTENCY_OUTCOME_UNKNOWN');
      expect(await tell(other, callOf('a'))).toBe('IDEMPOTENCY_OUTCOME_UNKNOWN');
      await expireAll();
      expect(await tell(other, callOf('a'))).toBe('first');
    });

    test('send the missing events after a run that changed something', async () => {
      const run = await begin(one, callOf('a'));
      await run.changed('1', [event('e'), event('f'), event('g')]);
      await run.published(['f']);
      await run.release();
      const second = await takeOver(other, callOf('a'));
      expect([second.outcome, second.events]).toEqual(['1', [event('e'), event('g')]]);
      await second.run.published(['e']);
      await second.run.release();
      const third = await takeOver(one, callOf('a'));
      expect(third.events).toEqual([event('g')]);
      await third.run.answered('1');
      expect(await tell(other, callOf('a'))).toBe('answered 1');
    });

    test('wait while another repeat sends the missing events', async () => {
      const run = await begin(one, callOf('a'));
      await run.changed('1', [event('e')]);
      await run.release();
      const [first, second] = [await takeOver(one, callOf('a')), tell(other, callOf('a'))];
      await first.run.answered('1');
      expect(await second).toBe('answered 1');
    });

    test('are rejected if the outcome is too long, and the events are still sent', async () => {
      const outcome = 'x'.repeat(maxKept);
      const run = await begin(one, callOf('a'));
      await run.changed(outcome, [event('e')]);
      await run.release();
      const second = await takeOver(other, callOf('a'));
      expect([second.outcome, second.events]).toEqual([undefined, [event('e')]]);
      await second.run.answered(second.outcome);
      expect(await tell(one, callOf('a'))).toBe('IDEMPOTENCY_ANSWER_TOO_LONG');
      await (await begin(one, callOf('b'))).answered(outcome);
      expect(await tell(other, callOf('b'))).toBe('IDEMPOTENCY_ANSWER_TOO_LONG');
    });

    test('are rejected if even the events cannot be kept', async () => {
      const run = await begin(one, callOf('a'));
      await run.changed('1', [event('e'.repeat(maxKept))]);
      await run.release();
      expect(await tell(other, callOf('a'))).toBe('IDEMPOTENCY_ANSWER_TOO_LONG');
    });

    test('are first calls again when the key has expired', async () => {
      await (await begin(one, callOf('a'))).answered('1');
      const run = await begin(one, callOf('b'));
      await run.changed('1', [event('e')]);
      await run.release();
      await expireAll();
      expect(await tell(other, callOf('a'))).toBe('first');
      expect(await tell(other, callOf('b'))).toBe('first');
    });

    test('a run that has ended cannot change its state', async () => {
      const run = await begin(one, callOf('a'));
      await run.answered('1');
      await run.changed('2', [event('e')]);
      await run.published(['e']);
      await run.answered('2');
      await run.release();
      expect(await tell(other, callOf('a'))).toBe('answered 1');
    });

    describe('in a store of limited size', () => {
      const size = 4 * guaranteedAccounts * 2 * firstCharge;

      /** Lets an account keep outcomes of a size until it is refused, and returns their number. */
      const fill = async (account: string, bytes: number, most = 10_000): Promise<number> => {
        for (let count = 0; count < most; count += 1) {
          const call = callOf(`${account} ${count}`, { caller: account });
          let run: FirstRun;
          try {
            run = await begin(one, call);
          } catch (error) {
            expect(error).toMatchObject({ code: 'IDEMPOTENCY_STORE_FULL' });
            return count;
          }
          await run.answered('x'.repeat(bytes));
        }
        return most;
      };

      test('one account is rejected beyond a quarter of it, and keeps its outcomes', async () => {
        await start({ size });
        const bytes = size / 64 - overhead - '{"outcome":""}'.length;
        expect(await fill('greedy', bytes)).toBe(16);
        const refused = one.find(callOf('new', { caller: 'greedy' }));
        await expect(refused).rejects.toMatchObject({ status: 429, headers: { 'retry-after': '3600' } });
        const told = Array.from({ length: 17 }, (_, at) => tell(other, callOf(`greedy ${at}`, { caller: 'greedy' })));
        expect((await Promise.all(told)).map((text) => text.slice(0, 8))).toEqual([
          ...Array<string>(16).fill('answered'),
          'IDEMPOTE',
        ]);
      });

      test('an account within its base is served beside any number of accounts beyond theirs', async () => {
        await start({ size });
        for (let at = 0; at < 12; at += 1) await fill(`greedy ${at}`, maxKept / 8);
        expect(await fill('new', 100, 6)).toBe(6);
        expect(6 * (overhead + 114) + firstCharge).toBeLessThanOrEqual(baseOf(size));
        expect(await tell(other, callOf('new 0', { caller: 'new' }))).toMatch(/^answered x/);
      });

      test('an outcome that does not fit is dropped, and its call does not run again', async () => {
        await start({ size: 64 * firstCharge });
        const run = await begin(one, callOf('a'));
        await run.answered('x'.repeat(32 * firstCharge));
        expect(await tell(other, callOf('a'))).toBe('IDEMPOTENCY_ANSWER_TOO_LONG');
      });

      test('a run that was released or has expired takes no space', async () => {
        await start({ size: 64 * firstCharge });
        const counts: number[] = [];
        for (const round of [0, 1, 2]) {
          for (let at = 0; at < 50; at += 1) await (await begin(one, callOf(`released ${at}`))).release();
          counts.push(await fill('ada', 1_000 + round));
          await expireAll();
        }
        expect(counts[0]).toBeGreaterThan(1);
        expect(new Set(counts).size).toBe(1);
      });
    });
  });
}
