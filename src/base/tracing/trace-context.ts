import type { SvcSpan } from './span.js';
import { state as tracing } from './svc-tracing.js';

/** The id of the active trace; undefined while tracing is off, or outside of a trace. */
export function activeTraceId(): string | undefined {
  return tracing.api?.trace.getActiveSpan()?.spanContext().traceId;
}

/** The active span as in a `traceparent` header (W3C Trace Context); undefined outside of a trace. */
export function activeTraceparent(): string | undefined {
  if (!tracing.on) return undefined;
  const { traceId, spanId, traceFlags } = tracing.api?.trace.getActiveSpan()?.spanContext() ?? {};
  if (traceId === undefined) return undefined;
  return `00-${traceId}-${spanId}-${(traceFlags ?? 0).toString(16).padStart(2, '0')}`;
}

/** The span of a `traceparent`; undefined if it is none. */
export function spanContextOf(traceparent: string): ReturnType<SvcSpan['spanContext']> | undefined {
  const [, traceId, spanId, flags] = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags as string, 16) };
}

/** Runs a function in the trace of a span of another process. While tracing is off, it only runs the function. */
export function withTraceparent<Result>(traceparent: string | undefined, fn: () => Result): Result {
  const { api } = tracing;
  const parent = traceparent === undefined ? undefined : spanContextOf(traceparent);
  if (api === undefined || parent === undefined) return fn();
  const remote = { ...parent, isRemote: true };
  return api.context.with(api.trace.setSpanContext(api.context.active(), remote), fn);
}

/** The headers of a request: those of fetch, or of a host. */
export interface RequestHeaders {
  get(name: string): string | null | undefined;
  keys(): Iterable<string>;
}

/**
 * Runs a function in the trace of a request, by its `traceparent` header or the format of the registered propagator.
 * While tracing is off, it only runs the function.
 */
export function withRemoteParent<Result>(headers: RequestHeaders, fn: () => Result): Result {
  const { api } = tracing;
  if (api === undefined) return fn();
  const parent = api.propagation.extract(api.context.active(), headers, {
    get: (carrier, name) => carrier.get(name) ?? undefined,
    keys: (carrier) => [...carrier.keys()],
  });
  return api.context.with(parent, fn);
}
