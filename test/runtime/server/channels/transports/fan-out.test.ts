import { describe, expect, test } from 'vitest';
import { FanOut, type FanOutOptions } from '../../../../../src/runtime/server/channels/transports/fan-out.js';
import { until } from '../../http-server.js';

const never = new AbortController().signal;

/** A source of numbers that counts how often it is opened and asked. */
function numbers(more: Partial<FanOutOptions> = {}, end = Number.POSITIVE_INFINITY) {
  const state = { opened: 0, asked: 0, closed: 0 };
  const shared = new FanOut({
    keepOpen: false,
    open: async function* (signal) {
      state.opened += 1;
      try {
        for (let n = 1; n <= end && !signal.aborted; n++) {
          state.asked += 1;
          yield n;
        }
      } finally {
        state.closed += 1;
      }
    },
    ...more,
  });
  return { state, shared };
}

describe('a shared source', () => {
  test('is opened once, read as fast as the slowest reader, and closed after the last one', async () => {
    const { state, shared } = numbers({ buffer: 3 });
    const [fast, slow] = [shared.subscribe(never), shared.subscribe(never)];
    expect((await slow.next()).value).toBe(1);
    for (let n = 1; n <= 4; n++) expect((await fast.next()).value).toBe(n);
    await new Promise((resolve) => setImmediate(resolve));
    expect(state).toEqual({ opened: 1, asked: 4, closed: 0 });
    expect((await slow.next()).value).toBe(2);
    expect((await fast.next()).value).toBe(5);
    await fast.return?.();
    await slow.return?.();
    await until(() => state.closed === 1);
    expect(await slow.next()).toEqual({ done: true, value: undefined });
    expect((await shared.subscribe(never).next()).value).toBe(1);
    expect(state.opened).toBe(2);
    shared.close();
  });

  test('drops a reader that does not read, so that the others continue', async () => {
    const { shared } = numbers({ buffer: 2, patience: 20 });
    const [fast, idle] = [shared.subscribe(never), shared.subscribe(never)];
    for (let n = 1; n <= 10; n++) expect((await fast.next()).value).toBe(n);
    // He is given what waited for him, and then told.
    expect((await idle.next()).value).toBe(1);
    expect((await idle.next()).value).toBe(2);
    await expect(idle.next()).rejects.toMatchObject({
      fault: 'overrun',
      reason: '2 records waited and were not read for 20 ms',
    });
    expect(await idle.next()).toEqual({ done: true, value: undefined });
    shared.close();
    expect((await fast.next()).done).toBe(false);
  });

  test('that ends delivers its queued records, and is opened again for the next reader', async () => {
    const { state, shared } = numbers({}, 2);
    const reader = shared.subscribe(never);
    expect([await reader.next(), await reader.next(), await reader.next()].map(({ value }) => value)).toEqual([
      1,
      2,
      undefined,
    ]);
    expect(await shared.next(never)).toBe(1);
    expect(state.opened).toBe(2);
  });

  test('that cannot be opened fails all readers', async () => {
    const shared = new FanOut({
      keepOpen: true,
      open: () => {
        throw new Error('shut');
      },
    });
    const readers = [shared.subscribe(never), shared.subscribe(never)];
    for (const reader of readers) await expect(reader.next()).rejects.toThrow('shut');
    await expect(shared.next(never)).rejects.toThrow('shut');
  });

  test('that is closed while a reader waits, and then fails, does not fail later readers', async () => {
    const rejects: ((error: unknown) => void)[] = [];
    const shared = new FanOut({
      keepOpen: false,
      open: () => ({
        [Symbol.asyncIterator]: () => ({
          next: () => new Promise((_resolve, reject) => rejects.push(reject)),
        }),
      }),
    });
    const early = shared.subscribe(never);
    await until(() => rejects.length === 1);
    await early.return?.();
    const late = shared.subscribe(never);
    rejects[0]?.(new Error('too late'));
    await until(() => rejects.length === 2);
    rejects[1]?.(new Error('now'));
    await expect(late.next()).rejects.toThrow('now');
  });

  test('that is kept open loses no records between two readers', async () => {
    const { state, shared } = numbers({ keepOpen: true, buffer: 4 });
    const taken: unknown[] = [];
    for (let times = 0; times < 5; times++) {
      const reader = shared.subscribe(never);
      taken.push((await reader.next()).value, (await reader.next()).value);
      await reader.return?.();
    }
    expect(taken).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(state.opened).toBe(1);
    shared.close();
    expect(await shared.next(never)).toBe(1);
  });
});
