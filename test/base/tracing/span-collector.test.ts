import { afterEach, expect, test } from 'vitest';
import { SpanCollector, SpanTrace } from '../../../src/base/tracing/span-collector.js';
import { collectSpans, isTracing, svcTracer, withSvcSpan } from '../../../src/base/tracing/svc-tracing.js';
import { activeTraceId } from '../../../src/base/tracing/trace-context.js';
import { startRecorder } from './recorder.js';

afterEach(() => collectSpans(undefined));

const pause = () => new Promise((resolve) => setTimeout(resolve, 1));

function collecting() {
  const collector = new SpanCollector();
  collectSpans(collector);
  return { collector, trace: new SpanTrace() };
}

/** Two branches at a time, and a span that fails. */
const work = async () => {
  await withSvcSpan('outer', async (span) => {
    span.setAttribute('kind', 'test');
    await Promise.all(['one', 'other'].map((name) => withSvcSpan(name, () => pause())));
    svcTracer.startSpan('leaf', { attributes: { size: 1 } }).end();
  });
  await withSvcSpan('broken', () => Promise.reject(new Error('no'))).catch(() => undefined);
};

const expected = [
  { name: 'outer', parent: undefined, attributes: { kind: 'test' } },
  { name: 'one', parent: 0 },
  { name: 'other', parent: 0 },
  { name: 'leaf', parent: 0, attributes: { size: 1 } },
  { name: 'broken', parent: undefined, error: 'no' },
];

test('collects the spans of a trace as a tree without OpenTelemetry', async () => {
  const { collector, trace } = collecting();
  await collector.collect(trace, work);
  expect(trace.spans).toMatchObject(expected);
  for (const { start, end } of trace.spans) expect(end).toBeGreaterThanOrEqual(start);
  expect(activeTraceId()).toBeUndefined();
});

test('keeps concurrent traces apart, and collects nothing outside of a trace', async () => {
  const { collector, trace } = collecting();
  const other = new SpanTrace();
  expect(isTracing()).toBe(false);
  await Promise.all([collector.collect(trace, work), collector.collect(other, work), work()]);
  expect(trace.spans).toHaveLength(5);
  expect(other.spans).toHaveLength(5);
});

test('passes the same spans to OpenTelemetry while it is on, with and without a collector', async () => {
  const recorder = startRecorder();
  try {
    const { collector, trace } = collecting();
    await collector.collect(trace, work);
    expect(trace.spans).toMatchObject(expected);
    expect(recorder.tree()).toBe('outer\n  one\n  other\n  leaf\nbroken');
    expect(recorder.span('outer').attributes).toEqual({ kind: 'test' });
    expect(recorder.span('broken').status).toMatchObject({ code: 2, message: 'no' });
    collectSpans(undefined);
    expect(isTracing()).toBe(true);
    await collector.collect(trace, work);
    expect(trace.spans).toHaveLength(5);
  } finally {
    recorder.stop();
  }
  expect(isTracing()).toBe(false);
});

test('keeps at most 200 spans of a trace', () => {
  const { collector, trace } = collecting();
  collector.collect(trace, () => {
    for (let at = 0; at < 1_000; at++) withSvcSpan('item', () => undefined);
  });
  expect(trace.spans).toHaveLength(200);
});
