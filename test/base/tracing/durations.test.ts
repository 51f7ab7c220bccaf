import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type SvcMetrics, useMetrics } from '../../../src/base/tracing/svc-metrics.js';
import { type Meter, startMeter } from './meter.js';

let meter: Meter;
beforeEach(() => {
  meter = startMeter();
});
afterEach(() => meter.stop());

test.each([1, 511, 512, 513, 2_000])('%i durations are all in the next metrics, once', async (count) => {
  const metrics = useMetrics();
  for (let at = 0; at < count; at++)
    metrics?.operationDuration.record(at / 1_000, { 'gg.operation.name': at % 2 === 0 ? 'even' : 'odd' });
  for (const _collected of ['first', 'again']) {
    const counts = (await meter.series('gg.operation.duration')).map(({ value }) => value);
    expect(counts.reduce((sum, one) => sum + one, 0)).toBe(count);
  }
});

test('durations at which the meter throws are counted and said once, and the others are kept', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { operationDuration } = useMetrics() as SvcMetrics;
  const { histogram } = operationDuration as never as { histogram: { record: () => void } };
  const record = histogram.record.bind(histogram);
  let calls = 0;
  const broken = vi.spyOn(histogram, 'record').mockImplementation((...args: unknown[]) => {
    calls += 1;
    if (calls % 100 === 1) throw calls === 1 ? new Error('full') : 'full';
    (record as (...given: unknown[]) => void)(...args);
  });
  onTestFinished(() => [warned, broken].forEach((spy) => void spy.mockRestore()));
  for (let at = 0; at < 600; at++) operationDuration.record(0.1, { 'gg.operation.name': 'broken' });
  const ofName = (await meter.series('gg.operation.duration')).filter(
    ({ attributes }) => attributes['gg.operation.name'] === 'broken',
  );
  expect(ofName.map(({ value }) => value)).toEqual([594]);
  expect((await meter.series('gg.durations.lost')).map(({ value }) => value)).toEqual([6]);
  expect(warned.mock.calls).toEqual([[expect.stringContaining('(full); gg.durations.lost counts them.')]]);
});
