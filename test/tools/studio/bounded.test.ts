import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OperationLabel } from '../../../src/runtime/http/telemetry/operation-labels.js';
import { CallStore } from '../../../src/tools/studio/call-store.js';
import { EventTape, keptEvents } from '../../../src/tools/studio/event-tape.js';
import type { EndedCall } from '../../../src/tools/studio/read-call.js';
import { Statistics } from '../../../src/tools/studio/statistics.js';

const label = new OperationLabel('order', 'query', '', undefined);

function ended(more: Partial<EndedCall> = {}): EndedCall {
  const made = { label, protocol: 'process', start: 0, end: 1, status: undefined, errors: 0 } as const;
  return { ...made, request: undefined, run: undefined, ...more };
}

/** A call whose body has so many characters. */
function withBody(length: number): EndedCall {
  const run = {
    labels: [label],
    trace: undefined,
    results: '',
    argumentsOf: () => ({}),
    request: () => ({ query: '.'.repeat(length) }),
  };
  return ended({ run: run as unknown as NonNullable<EndedCall['run']> });
}

test('keeps the last 50 of 100,000 calls of an operation', () => {
  const store = new CallStore();
  for (let at = 0; at < 100_000; at++) {
    store.add('Query.order', ended({ start: at, end: at + 1, status: at }));
    if (at % 997 === 0) store.take();
  }
  store.take();
  const numbers = store.last('Query.order').map(({ status }) => status);
  expect(numbers).toEqual(Array.from({ length: 50 }, (_, at) => 99_999 - at));
});

test('limits the texts of all operations, and drops the oldest calls first', () => {
  const store = new CallStore();
  const coordinates = Array.from({ length: 10 }, (_, at) => `Query.order${at}`);
  for (const coordinate of coordinates) {
    for (let at = 0; at < 50; at++) store.add(coordinate, withBody(60_000));
    store.take();
  }
  const kept = coordinates.map((coordinate) => store.last(coordinate));
  const size = kept.flat().reduce((sum, { request }) => sum + (request.body?.length ?? 0), 0);
  expect(size).toBeGreaterThan(14 * 1024 * 1024);
  expect(size).toBeLessThanOrEqual(16 * 1024 * 1024);
  expect(kept.at(-1)).toHaveLength(50);
  expect(kept[0]).toEqual([]);
});

test('does not find a dropped call', () => {
  const store = new CallStore();
  store.add('Query.order', ended());
  const [first] = store.take();
  expect(store.find(first?.id ?? '')?.coordinate).toBe('Query.order');
  for (let at = 0; at < 50; at++) store.add('Query.order', ended());
  store.take();
  expect(store.find(first?.id ?? '')).toBeUndefined();
});

test('keeps the last 200 of 100,000 events, without payloads of more than 64 KiB', () => {
  const tape = new EventTape();
  for (let at = 0; at < 100_000; at++) tape.add('orderPlaced', { at }, undefined);
  const events = tape.take();
  expect(events.map(({ payload }) => payload)).toEqual(
    Array.from({ length: keptEvents }, (_, at) => ({ at: 100_000 - keptEvents + at })),
  );
  const cycle: { self?: object } = {};
  cycle.self = cycle;
  for (const payload of ['x'.repeat(70_000), cycle, 1n, undefined]) tape.add('orderPlaced', payload, undefined);
  expect(tape.take().map((event) => 'payload' in event)).toEqual([false, false, false, false]);
});

test('counts the subscribers of an event by its identity or its text, and keeps the reason of a rejection', () => {
  const tape = new EventTape();
  const payload = { id: 1 };
  tape.add('added', payload, undefined);
  const refuse = tape.add('removed', payload, undefined);
  tape.deliver('added', payload, 3);
  tape.deliver('removed', { id: 1 }, 2);
  tape.deliver('removed', { id: 2 }, 9);
  refuse('The broker is gone.');
  expect(tape.take()).toMatchObject([
    { subscription: 'added', deliveredTo: 3 },
    { subscription: 'removed', deliveredTo: 2, problem: 'The broker is gone.' },
  ]);
  expect(tape.take()).toEqual([]);
  tape.deliver('added', payload, 1);
  expect(tape.take()).toMatchObject([{ subscription: 'added', deliveredTo: 4 }]);
});

test('estimates the 95th percentile of the durations at most 5 % too high', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0.02, max: 60_000, noNaN: true }), { minLength: 1 }), (durations) => {
      const statistics = new Statistics('Query.order');
      for (const duration of durations) statistics.add(1_000, duration, false);
      const sorted = [...durations].sort((one, other) => one - other);
      const exact = sorted[Math.ceil(sorted.length * 0.95) - 1] as number;
      const { p95 } = statistics.read();
      // Three digits are shown.
      expect(p95).toBeGreaterThanOrEqual(exact * 0.994);
      expect(p95).toBeLessThanOrEqual(exact * 1.056);
    }),
  );
});

test('removes calls and errors from the statistics after a minute', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ wait: fc.integer({ min: 0, max: 30_000 }), isError: fc.boolean() })), (calls) => {
      const statistics = new Statistics('Query.order');
      const times: { readonly at: number; readonly isError: boolean }[] = [];
      let now = 1_000_000;
      for (const { wait, isError } of calls) {
        now += wait;
        statistics.add(now, 5, isError);
        times.push({ at: now, isError });
      }
      statistics.forget(now);
      const recent = times.filter(({ at }) => Math.floor(at / 1000) > Math.floor(now / 1000) - 60);
      expect(statistics.read()).toMatchObject({
        calls: recent.length,
        errors: recent.filter(({ isError }) => isError).length,
      });
      statistics.forget(now + 61_000);
      expect(statistics.read()).toEqual({ coordinate: 'Query.order', calls: 0, errors: 0, p95: 0 });
    }),
  );
});
