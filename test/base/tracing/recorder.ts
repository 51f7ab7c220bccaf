import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { initSvcTracingFromEnv } from '../../../src/base/tracing/start-tracing.js';
import { stopTracing } from './reset-telemetry.js';

/** Spans kept in memory, for as long as a test looks at them. */
export interface Recorder {
  /** All spans that have ended, in the order in which they began. */
  spans(): readonly ReadableSpan[];
  /** The one span of a name. */
  span(name: string): ReadableSpan;
  /** The spans as a tree, two spaces a level, children in the order in which they began. */
  tree(): string;
  forget(): void;
  stop(): void;
}

/** Registers a tracer provider, as a program of its own would, and switches tracing on. */
export function startRecorder(): Recorder {
  const exporter = new InMemorySpanExporter();
  // Spans have to begin at different times for their order to be known; the clock is too coarse for that.
  let begun = 0;
  const order = new WeakMap<object, number>();
  const ordering = {
    onStart: (span: object) => void order.set(span, begun++),
    onEnd: () => undefined,
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
  const provider = new TracerProvider({ spanProcessors: [ordering, new SimpleSpanProcessor({ exporter })] });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  initSvcTracingFromEnv({ SVC_TRACING_ENABLED: '1' });
  const spans = () => exporter.getFinishedSpans().toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  return {
    spans,
    span(name) {
      const found = spans().filter((span) => span.name === name);
      if (found.length !== 1) throw new Error(`There are ${found.length} spans named ${name}.`);
      return found[0] as ReadableSpan;
    },
    tree() {
      const all = spans();
      const known = new Set(all.map((span) => span.spanContext().spanId));
      const lines = (parent: string | undefined, indent: string): string[] =>
        all
          .filter(({ parentSpanContext: of }) =>
            parent === undefined ? of === undefined || !known.has(of.spanId) : of?.spanId === parent,
          )
          .flatMap((span) => [`${indent}${span.name}`, ...lines(span.spanContext().spanId, `${indent}  `)]);
      return lines(undefined, '').join('\n');
    },
    forget: () => exporter.reset(),
    stop() {
      stopTracing();
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}
