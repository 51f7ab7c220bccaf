import { isPromiseLike } from '../values/maybe-promise.js';
import type { Api } from './packages.js';
import { sharedState } from './process-state.js';
import { noSpan, type SvcSpan, type SvcSpanOptions, type SvcTracer } from './span.js';
import type { SpanCollector } from './span-collector.js';

const scope = 'gg-svc';

interface TracingState {
  /** The only check that code makes while tracing is off: whether OpenTelemetry is on, or work is traced in memory. */
  on: boolean;
  /** Loaded when tracing is turned on. */
  api: Api | undefined;
  collector: SpanCollector | undefined;
  readonly warnings: Set<string>;
}

/** Of this process; other modules of tracing read it. */
export const state = sharedState<TracingState>('gg-svc.tracing', {
  on: false,
  api: undefined,
  collector: undefined,
  warnings: new Set(),
});

/** Whether spans are made here: everywhere while OpenTelemetry is on, else within the traces of a collector. */
export function isTracing(): boolean {
  return state.on && (state.api !== undefined || state.collector?.trace !== undefined);
}

/** Passes each span to a collector, beside OpenTelemetry if that is on; undefined ends it. There is one at a time. */
export function collectSpans(collector: SpanCollector | undefined): void {
  if (state.collector !== undefined) state.collector.onChange = () => undefined;
  if (collector !== undefined) collector.onChange = check;
  state.collector = collector;
  check();
}

/** Traces with the API of OpenTelemetry, unless it does already; undefined if tracing stays off. */
export function traceWith(register: (warn: (message: string) => void) => Api | undefined): void {
  if (state.api !== undefined) return;
  state.api = register((message) => {
    if (state.warnings.has(message)) return;
    state.warnings.add(message);
    console.warn(`gg-svc: ${message}`);
  });
  check();
}

/** Work that is not traced runs as fast as without a collector. */
function check(): void {
  state.on = state.api !== undefined || state.collector?.isRunning === true;
}

/**
 * Runs a function in a child of the active span. The span ends when the function returns, or when its promise settles.
 * An error is recorded on the span and rethrown. While tracing is off, the function runs with a no-op span.
 *
 * @param name - The name of the span: a kind of work, not one instance of it.
 * @param options - Its kind, its attributes and its links.
 *
 * @example
 * ```ts
 * import { withSvcSpan } from 'gg-svc';
 *
 * const total = await withSvcSpan('prices.sum', async (span) => {
 *   const prices = await Promise.all([3, 4]);
 *   span.setAttribute('prices.count', prices.length);
 *   return prices.reduce((sum, price) => sum + price, 0);
 * });
 * ```
 */
export function withSvcSpan<Result>(name: string, fn: (span: SvcSpan) => Result, options: SvcSpanOptions = {}): Result {
  if (!state.on) return fn(noSpan);
  return svcTracer.startActiveSpan(name, options, (span) => {
    let result: Result;
    try {
      result = fn(span);
    } catch (error) {
      throw failed(span, error);
    }
    if (!isPromiseLike(result)) {
      span.end();
      return result;
    }
    return result.then(
      (value) => {
        span.end();
        return value;
      },
      (error: unknown) => {
        throw failed(span, error);
      },
    ) as Result;
  });
}

/**
 * The tracer of this package: that of OpenTelemetry while tracing is on, otherwise a no-op tracer.
 *
 * @example
 * ```ts
 * import { svcTracer } from 'gg-svc';
 *
 * const span = svcTracer.startSpan('cache.refresh', { attributes: { 'cache.size': 12 } });
 * span.end();
 * ```
 */
export const svcTracer: SvcTracer = {
  startSpan(name, options = {}) {
    const span = state.api?.trace.getTracer(scope).startSpan(name, options) ?? noSpan;
    const collected = state.collector?.start(name, options);
    return collected === undefined ? span : Object.assign(collected, { beside: span });
  },
  startActiveSpan<Result>(
    name: string,
    second: SvcSpanOptions | ((span: SvcSpan) => Result),
    third?: (span: SvcSpan) => Result,
  ): Result {
    const [options, run] = typeof second === 'function' ? [{}, second] : [second, third];
    if (run === undefined) throw new TypeError('startActiveSpan needs a function to run.');
    const { api, collector } = state;
    const collected = collector?.start(name, options);
    const runIn = (span: SvcSpan): Result => {
      if (collector === undefined || collected === undefined) return run(span);
      collected.beside = span;
      return collector.within(collected, () => run(collected));
    };
    return api === undefined ? runIn(noSpan) : api.trace.getTracer(scope).startActiveSpan(name, options, runIn);
  },
};

/** Ends the span of failed work, and returns the error to throw. */
function failed(span: SvcSpan, error: unknown): unknown {
  span.recordException(error instanceof Error ? error : String(error));
  span.setStatus({ code: 2, message: error instanceof Error ? error.message : String(error) });
  span.end();
  return error;
}
