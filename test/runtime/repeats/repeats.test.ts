import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { consoleMonitor } from '../../../src/runtime/logs/monitor.js';
import { MemoryStore } from '../../../src/runtime/repeats/memory-store.js';
import { createRepeats, maxWait } from '../../../src/runtime/repeats/repeats.js';
import { begin, callOf, defineContract, tell } from './contract.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

defineContract({
  name: 'memory',
  async open(bounds) {
    const store = new MemoryStore(bounds);
    return [store, store];
  },
  expireAll: async () => void vi.advanceTimersByTime(3_600_000),
  close: async () => undefined,
});

test('keeps a key for its time after the end of its run', async () => {
  const repeats = createRepeats({ store: 'memory', ttl: 1_000 }, consoleMonitor);
  const run = await begin(repeats, callOf('a'));
  vi.advanceTimersByTime(5_000);
  await run.answered('1');
  vi.advanceTimersByTime(999);
  expect(await tell(repeats, callOf('a'))).toBe('answered 1');
  vi.advanceTimersByTime(1);
  expect(await tell(repeats, callOf('a'))).toBe('first');
});

test('limits the waiting time of a repeat', async () => {
  const repeats = createRepeats({ store: 'memory', ttl: 1_000 }, consoleMonitor);
  await begin(repeats, callOf('a'));
  const waiting = tell(repeats, callOf('a'));
  await vi.advanceTimersByTimeAsync(maxWait);
  expect(await waiting).toBe('IDEMPOTENCY_KEY_IN_USE');
});

test('rejects calls while the store is unreachable, and reports each outage once', async () => {
  const store = { eval: vi.fn().mockRejectedValue(new Error('away')) };
  const fault = vi.fn();
  const repeats = createRepeats({ store, ttl: 1_000 }, { ...consoleMonitor, fault });
  for (const key of ['a', 'b']) expect(await tell(repeats, callOf(key))).toBe('IDEMPOTENCY_UNAVAILABLE');
  expect(fault).toHaveBeenCalledOnce();
});
