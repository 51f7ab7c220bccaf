import {
  type ExporterChoice,
  exporterOf,
  exportIntervalOf,
  resourceOf,
  samplingOf,
  type TraceEnv,
} from './environment.js';
import type { Api, LoadPackage } from './packages.js';
import { loadAll, type Packages } from './sdk-packages.js';

export type Registration =
  | {
      readonly ok: true;
      readonly api: Api;
      readonly flush: () => Promise<void>;
      /** Settles when the endpoint for Prometheus listens; rejects if it cannot. */
      readonly listening?: Promise<void>;
      /** A warning for the user, in one line. */
      readonly warning?: string;
    }
  /** The signal stays off. Without a warning, because the environment says so. */
  | { readonly ok: false; readonly missing?: string; readonly install?: string; readonly warning?: string };

const tracePackages = [
  '@opentelemetry/api',
  '@opentelemetry/sdk-trace',
  '@opentelemetry/context-async-hooks',
  '@opentelemetry/exporter-trace-otlp-http',
] as const;

/**
 * Registers the installed SDK of traces as configured by the environment, unless the program has registered a tracer
 * provider of its own.
 */
export function registerTraces(load: LoadPackage, env: TraceEnv): Registration {
  const known = load('@opentelemetry/api') as Api | undefined;
  if (known !== undefined && hasTracerProvider(known)) return kept(known, () => known.trace.getTracerProvider());
  const sdk = loadAll(load, [...tracePackages, '@opentelemetry/resources', '@opentelemetry/core']);
  if (typeof sdk === 'string') return withoutPackage('tracing is', sdk, tracePackages);
  const api = sdk['@opentelemetry/api'];
  const { TracerProvider } = sdk['@opentelemetry/sdk-trace'];
  const { W3CTraceContextPropagator } = sdk['@opentelemetry/core'];
  const { AsyncLocalStorageContextManager } = sdk['@opentelemetry/context-async-hooks'];
  const choice = exporterOf(env, 'TRACES');
  const provider = new TracerProvider({
    resource: createResource(sdk, env),
    sampler: createSampler(sdk, env),
    spanProcessors: createProcessors(sdk, choice),
  });
  api.trace.setGlobalTracerProvider(provider);
  // Registering a second context manager or propagator has no effect, so those of the program stay.
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  api.propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const registered = { ok: true, api, flush: () => provider.forceFlush() } as const;
  if (choice.kind !== 'unknown') return registered;
  const warning = `Unknown OTEL_TRACES_EXPORTER ${choice.name}: expected otlp, console or none. No spans are sent.`;
  return { ...registered, warning };
}

function createProcessors(
  sdk: Pick<Packages, '@opentelemetry/sdk-trace' | '@opentelemetry/exporter-trace-otlp-http'>,
  choice: ExporterChoice,
) {
  const { BatchSpanProcessor, SimpleSpanProcessor, ConsoleSpanExporter } = sdk['@opentelemetry/sdk-trace'];
  const { OTLPTraceExporter } = sdk['@opentelemetry/exporter-trace-otlp-http'];
  if (choice.kind === 'console') return [new SimpleSpanProcessor({ exporter: new ConsoleSpanExporter() })];
  return choice.kind === 'otlp' ? [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(choice) })] : [];
}

function createSampler(sdk: Pick<Packages, '@opentelemetry/sdk-trace'>, env: TraceEnv) {
  const { ParentBasedSampler, TraceIdRatioBasedSampler } = sdk['@opentelemetry/sdk-trace'];
  const { ratio, followsParent } = samplingOf(env);
  const root = new TraceIdRatioBasedSampler(ratio);
  return followsParent ? new ParentBasedSampler({ root }) : root;
}

const metricsExporters = {
  otlp: ['@opentelemetry/exporter-metrics-otlp-http'],
  prometheus: ['@opentelemetry/exporter-prometheus'],
  console: [],
} as const;

/**
 * Registers the installed SDK of metrics with an exporter, unless the program has registered a meter provider of its own.
 *
 * @param env - Gives the attributes of the process, and the interval of exports.
 */
export function registerMetrics(load: LoadPackage, choice: ExporterChoice, env: TraceEnv): Registration {
  const known = load('@opentelemetry/api') as Api | undefined;
  if (known !== undefined && hasMeterProvider(known)) return kept(known, () => known.metrics.getMeterProvider());
  const { kind } = choice;
  if (kind === 'none') return { ok: false };
  if (kind === 'unknown') {
    const expected = 'expected otlp, prometheus, console or none';
    const warning = `Unknown OTEL_METRICS_EXPORTER ${choice.name}: ${expected}. Metrics are off.`;
    return { ok: false, warning };
  }
  const own = ['@opentelemetry/api', '@opentelemetry/sdk-metrics', ...metricsExporters[kind]] as const;
  const sdk = loadAll(load, [...own, '@opentelemetry/resources']);
  if (typeof sdk === 'string') return withoutPackage('metrics are', sdk, own);
  const api = sdk['@opentelemetry/api'];
  const { MeterProvider, PeriodicExportingMetricReader, ConsoleMetricExporter } = sdk['@opentelemetry/sdk-metrics'];
  const register = (reader: import('@opentelemetry/sdk-metrics').IMetricReader) => {
    const provider = new MeterProvider({ resource: createResource(sdk, env), readers: [reader] });
    api.metrics.setGlobalMeterProvider(provider);
    return { ok: true, api, flush: () => provider.forceFlush() } as const;
  };
  if (kind === 'prometheus') {
    const { PrometheusExporter } = sdk['@opentelemetry/exporter-prometheus'];
    const reader = new PrometheusExporter({ ...choice, preventServerStart: true });
    const listening = reader.startServer();
    return { ...register(reader), listening };
  }
  const exporter =
    choice.kind === 'otlp'
      ? new sdk['@opentelemetry/exporter-metrics-otlp-http'].OTLPMetricExporter(choice)
      : new ConsoleMetricExporter();
  const exportIntervalMillis = exportIntervalOf(env);
  const exportTimeoutMillis = Math.min(exportIntervalMillis, 30_000);
  return register(new PeriodicExportingMetricReader({ exporter, exportIntervalMillis, exportTimeoutMillis }));
}

function createResource(sdk: Pick<Packages, '@opentelemetry/resources'>, env: TraceEnv) {
  const { defaultResource, resourceFromAttributes } = sdk['@opentelemetry/resources'];
  return defaultResource().merge(resourceFromAttributes(resourceOf(env)));
}

/** Whether a provider is registered: the API delegates to a no-op provider until then. */
function hasTracerProvider(api: Api): boolean {
  const provider = api.trace.getTracerProvider();
  return !(
    provider instanceof api.ProxyTracerProvider &&
    provider.getDelegate() === new api.ProxyTracerProvider().getDelegate()
  );
}

/** Whether a provider is registered: until then, the API gives meters without effect. */
function hasMeterProvider(api: Api): boolean {
  return api.metrics.getMeterProvider().getMeter('gg-svc') !== api.createNoopMeter();
}

/** A provider of the program. Duck typing, because the program may have registered it with another copy of the API. */
function kept(api: Api, provider: () => object): Registration {
  type Flushable = { getDelegate?(): Flushable; forceFlush?(): Promise<void> };
  const flush = async (): Promise<void> => {
    const found = provider() as Flushable;
    await (found.getDelegate?.() ?? found).forceFlush?.();
  };
  return { ok: true, api, flush };
}

function withoutPackage(signal: string, missing: string, packages: readonly string[]): Registration {
  const install = `npm install ${packages.join(' ')}`;
  const warning = `${signal} on, but ${missing} is not installed: ${install}`;
  return { ok: false, missing, install, warning };
}
