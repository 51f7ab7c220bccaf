import { join } from 'node:path';
import { bundlePrograms } from '../../programs/bundle.mjs';

/** Bundles the client and the servers of the serving benchmark. Returns the servers' program with and without tracing. */
export async function bundleBenchmark(folder) {
  const [traced, untraced] = [join(folder, 'traced'), join(folder, 'untraced')];
  await bundlePrograms(['test/bench/http/bench.ts'], folder);
  await bundlePrograms(['test/bench/http/server.ts'], traced);
  await bundlePrograms(['test/bench/http/server.ts'], untraced, [withoutTracing()]);
  return [join(traced, 'server.mjs'), join(untraced, 'server.mjs')];
}

/** Puts in the place of tracing what a program without it would have. */
function withoutTracing() {
  const contents = `
    const span = new Proxy({}, { get: () => () => span });
    export const isTracing = () => false;
    export const withSvcSpan = (name, fn) => fn(span);
    export const withRemoteParent = (headers, fn) => fn();
    export const withTraceparent = (traceparent, fn) => fn();
    export const activeTraceId = () => undefined;
    export const activeTraceparent = () => undefined;
    export const spanContextOf = () => undefined;
    export const initSvcTracingFromEnv = () => {};
    export const svcTracer = {};
    export const state = {};
    export const traceWith = () => {};`;
  return {
    name: 'without-tracing',
    setup({ onLoad }) {
      onLoad({ filter: /\/tracing\/(?:svc-tracing|trace-context)\.ts$/ }, () => ({ contents, loader: 'js' }));
    },
  };
}
