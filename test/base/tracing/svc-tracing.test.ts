import type { Span, Tracer } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import type { SvcSpan, SvcTracer } from '../../../src/base/tracing/span.js';
import { initSvcTracingFromEnv, startTracing } from '../../../src/base/tracing/start-tracing.js';
import { isTracing, svcTracer, withSvcSpan } from '../../../src/base/tracing/svc-tracing.js';
import { withRemoteParent } from '../../../src/base/tracing/trace-context.js';
import { type Recorder, startRecorder } from './recorder.js';
import { stopTracing } from './reset-telemetry.js';

test('has types that are compatible with OpenTelemetry', () => {
  expectTypeOf<Span>().toExtend<SvcSpan>();
  expectTypeOf<Tracer>().toExtend<SvcTracer>();
});

describe('while tracing is on', () => {
  let recorder: Recorder;
  beforeEach(() => {
    recorder = startRecorder();
  });
  afterEach(() => recorder.stop());

  test('a span has the given name and attributes, and ends with the function', () => {
    const result = withSvcSpan('work', (span) => {
      expect(recorder.spans()).toEqual([]);
      span.setAttributes({ 'work.size': 3 });
      return 7;
    });
    expect(result).toBe(7);
    expect(recorder.span('work').attributes).toEqual({ 'work.size': 3 });
    expect(recorder.span('work').status.code).toBe(0);
  });

  test('a span around a promise ends when the promise settles, and returns its value', async () => {
    let settle = (_: string) => {};
    const promise = withSvcSpan('wait', () => new Promise<string>((resolve) => (settle = resolve)));
    expect(recorder.spans()).toEqual([]);
    settle('done');
    expect(await promise).toBe('done');
    expect(recorder.span('wait').ended).toBe(true);
  });

  test('a thrown error is recorded on the span, marks it as failed, and is rethrown', () => {
    const error = new RangeError('too far');
    expect(() =>
      withSvcSpan('fail', () => {
        throw error;
      }),
    ).toThrow(error);
    const { status, events } = recorder.span('fail');
    expect(status).toEqual({ code: 2, message: 'too far' });
    expect(events[0]?.attributes).toMatchObject({
      'exception.type': 'RangeError',
      'exception.message': 'too far',
    });
  });

  test('a rejection is recorded in the same way, even if its value is not an Error', async () => {
    await expect(withSvcSpan('fail', () => Promise.reject('plainly'))).rejects.toBe('plainly');
    const { status, events } = recorder.span('fail');
    expect(status).toEqual({ code: 2, message: 'plainly' });
    expect(events[0]?.attributes).toMatchObject({ 'exception.message': 'plainly' });
  });

  test('spans inside a span are its children, across await and side by side', async () => {
    await withSvcSpan('outer', async () => {
      await Promise.all([
        withSvcSpan('left', async () => {
          await Promise.resolve();
          withSvcSpan('leaf', () => undefined);
        }),
        withSvcSpan('right', async () => undefined),
      ]);
    });
    expect(recorder.tree()).toBe('outer\n  left\n    leaf\n  right');
  });

  test('the tracer starts spans, active or not, with attributes', () => {
    svcTracer.startActiveSpan('outer', { attributes: { a: 1 } }, (outer) => {
      svcTracer.startSpan('inner').end();
      outer.end();
    });
    svcTracer.startActiveSpan('bare', (span) => span.end());
    expect(recorder.tree()).toBe('outer\n  inner\nbare');
    expect(recorder.span('outer').attributes).toEqual({ a: 1 });
    expect(() => svcTracer.startActiveSpan('none', {}, undefined as never)).toThrow(TypeError);
  });

  test('a traceparent header becomes the parent', () => {
    const headers = new Headers({
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    });
    withRemoteParent(headers, () => withSvcSpan('served', () => undefined));
    const span = recorder.span('served');
    expect(span.spanContext().traceId).toBe('0af7651916cd43dd8448eb211c80319c');
    expect(span.parentSpanContext).toMatchObject({ spanId: 'b7ad6b7169203331', isRemote: true });
  });

  test('a malformed traceparent header is ignored as a parent', () => {
    withRemoteParent(new Headers({ traceparent: 'nonsense' }), () => withSvcSpan('served', () => undefined));
    expect(recorder.span('served').parentSpanContext).toBeUndefined();
  });

  test('enabling it again has no effect', () => {
    const listeners = process.listenerCount('beforeExit');
    initSvcTracingFromEnv({ SVC_TRACING_ENABLED: '1' });
    expect(process.listenerCount('beforeExit')).toBe(listeners);
    withSvcSpan('once', () => undefined);
    expect(recorder.span('once').name).toBe('once');
  });
});

describe('while tracing is off', () => {
  beforeEach(() => stopTracing());

  test('an environment without tracing variables leaves it off', () => {
    initSvcTracingFromEnv({});
    expect(isTracing()).toBe(false);
  });

  test('functions still run, with spans that do nothing', async () => {
    const seen = withSvcSpan('work', (span) => {
      span.setAttribute('a', 1).setAttributes({ b: 2 }).addEvent('c').setStatus({ code: 1 }).updateName('d');
      span.recordException('e');
      span.end();
      return [span.isRecording(), span.spanContext().traceId];
    });
    expect(seen).toEqual([false, '0'.repeat(32)]);
    await expect(withSvcSpan('fail', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(svcTracer.startActiveSpan('one', (span) => span.isRecording())).toBe(false);
    expect(svcTracer.startActiveSpan('two', {}, (span) => span.isRecording())).toBe(false);
    expect(svcTracer.startSpan('three').isRecording()).toBe(false);
    expect(withRemoteParent(new Headers(), () => 5)).toBe(5);
  });

  test.each([['OpenTelemetry', () => undefined, '@opentelemetry/api']])(
    'without %s one line names the package to install, once, and nothing fails',
    (_, load, name) => {
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
      try {
        startTracing({ SVC_TRACING_ENABLED: '1' }, load);
        startTracing({ SVC_TRACING_ENABLED: '1' }, load);
        expect(isTracing()).toBe(false);
        expect(warn.mock.calls).toEqual([
          [expect.stringMatching(`^gg-svc: [^\n]*${name} is not installed[^\n]*npm install [^\n]*$`)],
        ]);
      } finally {
        warn.mockRestore();
      }
    },
  );
});
