import { afterEach, beforeEach, expect, test } from 'vitest';
import { useMetrics } from '../../../src/base/tracing/svc-metrics.js';
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
