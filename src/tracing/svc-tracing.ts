import { isSvcTracingEnabled, type TraceEnv } from './environment.js';
import { type Api, createPackageLoader, type LoadPackage } from './packages.js';
import { registerSdk } from './register-sdk.js';
import { noSpan, type SvcSpan, type SvcSpanOptions, type SvcTracer } from './span.js';

/** Under which name OpenTelemetry knows what makes these spans. */
const scope = 'gg-svc';

/** Whether this process is traced, and by what. */
interface TracingState {
  /** The one boolean that everything asks when tracing is off. */
  on: boolean;
  /** Loaded when tracing is switched on. */
  api: Api | undefined;
  flush: (() => Promise<void>) | undefined;
  /** What was said already, so that nobody reads it twice. */
  readonly warnings: Set<string>;
}

/**
 * One state for a process, even where this module is loaded twice: the command line is a bundle of its own,
 * and serves with the modules of the library.
 */
const state = sharedState();

function sharedState(): TracingState {
  const key = Symbol.for('gg-svc.tracing');
  const holder = globalThis as unknown as Record<symbol, TracingState | undefined>;
  holder[key] ??= { on: false, api: undefined, flush: undefined, warnings: new Set() };
  return holder[key];
}

/** Whether spans are made. False costs one look at a boolean, and is where every process starts. */
export function isTracing(): boolean {
  return state.on;
}

/**
 * Switches tracing on, where the environment asks for it (see `isSvcTracingEnabled`): compiling, operations,
 * resolvers and races make spans from then on, and `withSvcSpan` does. Spans go to the tracer provider that
 * the program has registered, or else to an SDK that is registered here, when one is installed; when none
 * is, one line on the console says so and nothing else happens. Calling it again does nothing.
 *
 * @param env - Where the variables are read; those of the process unless given.
 *
 * @example
 * ```ts
 * import { createGqlServer, initSvcTracingFromEnv } from 'gg-svc';
 *
 * initSvcTracingFromEnv(); // first, so that compiling the topology is in the trace
 * const server = createGqlServer({
 *   topologies: [{ name: 'hello.gg', source: "(root)-[:PROCESS]->(hello { text: 'Hello' })" }],
 * });
 * ```
 */
export function initSvcTracingFromEnv(env: TraceEnv = process.env): void {
  startTracing(env, createPackageLoader(process.cwd()));
}

/** `initSvcTracingFromEnv`, with what it loads packages by. */
export function startTracing(env: TraceEnv, load: LoadPackage): void {
  if (state.on || !isSvcTracingEnabled(env)) return;
  const api = load('@opentelemetry/api') as Api | undefined;
  const registration = registerSdk(api, load, env);
  if (registration.warning !== undefined) warnOnce(registration.warning);
  if (!registration.ok) return;
  Object.assign(state, { on: true, api, flush: registration.flush });
  // Spans wait to be sent together; a process that comes to its end by itself sends what is left.
  process.once('beforeExit', () => void flushTracing());
}

/** Sends the spans that were not sent yet. It never rejects: a collector that is away is no fault of the program. */
export async function flushTracing(): Promise<void> {
  try {
    await state.flush?.();
  } catch {
    // The exporter has reported it to OpenTelemetry's own diagnostics.
  }
}

/** Switches tracing off again, as tests need it; what is registered with OpenTelemetry stays. */
export function stopTracing(): void {
  Object.assign(state, { on: false, api: undefined, flush: undefined });
  state.warnings.clear();
}

/**
 * Runs a function in a span of this name, below the span that is active. The span ends when the function
 * returns, or when the promise that it returns settles; what it throws is recorded on the span and thrown
 * on. While tracing is off the function runs with a span that does nothing.
 *
 * @param name - What the span is called: a kind of work, not one instance of it.
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
export function withSvcSpan<Result>(name: string, fn: (span: SvcSpan) => Result): Result {
  if (!state.on) return fn(noSpan);
  return svcTracer.startActiveSpan(name, (span) => {
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
 * The tracer of this package: OpenTelemetry's, while tracing is on, and one of the same shape that does
 * nothing while it is off or OpenTelemetry is not installed.
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
  startSpan: (name, options) => state.api?.trace.getTracer(scope).startSpan(name, options) ?? noSpan,
  startActiveSpan<Result>(
    name: string,
    second: SvcSpanOptions | ((span: SvcSpan) => Result),
    third?: (span: SvcSpan) => Result,
  ): Result {
    const [options, run] = typeof second === 'function' ? [{}, second] : [second, third];
    if (run === undefined) throw new TypeError('startActiveSpan needs a function to run.');
    return state.api === undefined
      ? run(noSpan)
      : state.api.trace.getTracer(scope).startActiveSpan(name, options, run);
  },
};

/** The headers of a request: those of fetch, or of a host. */
export interface RequestHeaders {
  get(name: string): string | null | undefined;
  keys(): Iterable<string>;
}

/**
 * Runs a function below the span that a request from outside belongs to, by its `traceparent` header (or
 * whatever the registered propagator reads). While tracing is off it just runs.
 */
export function withRemoteParent<Result>(headers: RequestHeaders, fn: () => Result): Result {
  const { api } = state;
  if (api === undefined) return fn();
  const parent = api.propagation.extract(api.context.active(), headers, {
    get: (carrier, name) => carrier.get(name) ?? undefined,
    keys: (carrier) => [...carrier.keys()],
  });
  return api.context.with(parent, fn);
}

/** Ends the span of a piece of work that failed, and gives the error back to be thrown. */
function failed(span: SvcSpan, error: unknown): unknown {
  const { exception, message } = describe(error);
  span.recordException(exception);
  span.setStatus({ code: 2, message });
  span.end();
  return error;
}

function describe(error: unknown): { exception: Error | string; message: string } {
  if (error instanceof Error) return { exception: error, message: error.message };
  return { exception: String(error), message: String(error) };
}

function warnOnce(message: string): void {
  if (state.warnings.has(message)) return;
  state.warnings.add(message);
  console.warn(`gg-svc: ${message}`);
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}
