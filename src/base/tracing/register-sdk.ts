import { exporterOf, resourceOf, samplingOf, type TraceEnv } from './environment.js';
import type { Api, LoadPackage } from './packages.js';
import { loadAll } from './sdk-packages.js';

export type Registration =
  | {
      readonly ok: true;
      readonly flush: () => Promise<void>;
      /** A warning for the user, in one line. */
      readonly warning?: string;
    }
  | { readonly ok: false; readonly warning: string };

const sdkPackages = [
  '@opentelemetry/sdk-trace',
  '@opentelemetry/resources',
  '@opentelemetry/core',
  '@opentelemetry/context-async-hooks',
  '@opentelemetry/exporter-trace-otlp-http',
] as const;

const install =
  'npm install @opentelemetry/api @opentelemetry/sdk-trace @opentelemetry/context-async-hooks @opentelemetry/exporter-trace-otlp-http';

/**
 * Registers the installed SDK as configured by the environment, unless the program has registered a tracer provider of
 * its own.
 */
export function registerSdk(api: Api | undefined, load: LoadPackage, env: TraceEnv): Registration {
  if (api === undefined) return missing('@opentelemetry/api');
  if (hasProvider(api)) return { ok: true, flush: () => flushProvider(api) };
  const sdk = loadAll(load, sdkPackages);
  if (typeof sdk === 'string') return missing(sdk);
  const { TracerProvider } = sdk['@opentelemetry/sdk-trace'];
  const { defaultResource, resourceFromAttributes } = sdk['@opentelemetry/resources'];
  const { W3CTraceContextPropagator } = sdk['@opentelemetry/core'];
  const { AsyncLocalStorageContextManager } = sdk['@opentelemetry/context-async-hooks'];
  const { processors, warning } = createProcessors(sdk, env);
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes(resourceOf(env))),
    sampler: createSampler(sdk, env),
    spanProcessors: processors,
  });
  api.trace.setGlobalTracerProvider(provider);
  // Registering a second context manager or propagator has no effect, so those of the program stay.
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  api.propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return { ok: true, flush: () => provider.forceFlush(), ...(warning !== undefined && { warning }) };
}

type Sdk = Exclude<ReturnType<typeof loadAll<(typeof sdkPackages)[number]>>, string>;

function createProcessors(sdk: Sdk, env: TraceEnv) {
  const { BatchSpanProcessor, SimpleSpanProcessor, ConsoleSpanExporter } = sdk['@opentelemetry/sdk-trace'];
  const { OTLPTraceExporter } = sdk['@opentelemetry/exporter-trace-otlp-http'];
  const choice = exporterOf(env);
  if (choice.kind === 'console')
    return { processors: [new SimpleSpanProcessor({ exporter: new ConsoleSpanExporter() })] };
  if (choice.kind === 'otlp')
    return { processors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(choice) })] };
  if (choice.kind !== 'unknown') return { processors: [] };
  const warning = `Unknown OTEL_TRACES_EXPORTER ${choice.name}: expected otlp, console or none. No spans are sent.`;
  return { processors: [], warning };
}

function createSampler(sdk: Sdk, env: TraceEnv) {
  const { ParentBasedSampler, TraceIdRatioBasedSampler } = sdk['@opentelemetry/sdk-trace'];
  const { ratio, followsParent } = samplingOf(env);
  const root = new TraceIdRatioBasedSampler(ratio);
  return followsParent ? new ParentBasedSampler({ root }) : root;
}

/** Whether a provider is registered: the API delegates to a no-op provider until then. */
function hasProvider(api: Api): boolean {
  const provider = api.trace.getTracerProvider();
  return !(
    provider instanceof api.ProxyTracerProvider &&
    provider.getDelegate() === new api.ProxyTracerProvider().getDelegate()
  );
}

async function flushProvider(api: Api): Promise<void> {
  type Flushable = { getDelegate?(): Flushable; forceFlush?(): Promise<void> };
  const provider = api.trace.getTracerProvider() as Flushable;
  // Duck typing, because the program may have registered it with another copy of the API.
  await (provider.getDelegate?.() ?? provider).forceFlush?.();
}

function missing(name: string): Registration {
  return {
    ok: false,
    warning: `tracing is on, but ${name} is not installed, so no spans are recorded: ${install}`,
  };
}
