import { isSvcTracingEnabled, type TraceEnv } from './environment.js';
import { createPackageLoader, type LoadPackage } from './packages.js';
import { flushAtEnd } from './process-state.js';
import { registerTraces } from './register-sdk.js';
import { traceWith } from './svc-tracing.js';

/**
 * Turns tracing on if the environment asks for it (see `isSvcTracingEnabled`). From then on compiling, operations,
 * resolvers, races and `withSvcSpan` make spans. They go to the tracer provider of the program, or else to the installed
 * SDK, which is registered here. If no SDK is installed, one line on the console says so, and tracing stays off. Further
 * calls have no effect.
 *
 * @param env - The environment variables. Default: those of the process.
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

/** `initSvcTracingFromEnv` with a loader of packages, for tests. */
export function startTracing(env: TraceEnv, load: LoadPackage): void {
  if (!isSvcTracingEnabled(env)) return;
  traceWith((warn) => {
    const registration = registerTraces(load, env);
    if (registration.warning !== undefined) warn(registration.warning);
    if (!registration.ok) return undefined;
    flushAtEnd('traces', registration.flush);
    return registration.api;
  });
}
