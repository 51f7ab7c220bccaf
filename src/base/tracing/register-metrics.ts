import { type MetricsExporterChoice, resourceOf, type TraceEnv } from './environment.js';
import type { Api, LoadPackage } from './packages.js';
import { loadAll, type Packages } from './sdk-packages.js';

/** The result of registering the SDK of metrics. */
export type MetricsRegistration =
  | {
      readonly ok: true;
      readonly flush: () => Promise<void>;
      /** Settles when the endpoint for Prometheus listens; rejects if it cannot. */
      readonly listening: Promise<void>;
    }
  /** Metrics stay off. Without a reason, because the environment says so. */
  | { readonly ok: false; readonly missing?: string; readonly install?: string; readonly warning?: string };

const exporters = {
  otlp: ['@opentelemetry/exporter-metrics-otlp-http'],
  prometheus: ['@opentelemetry/exporter-prometheus'],
  console: [],
} as const;

/**
 * Registers the installed SDK with an exporter, unless the program has registered a meter provider of its own.
 *
 * @param env - Gives the attributes of the process.
 */
export function registerMetrics(
  api: Api | undefined,
  load: LoadPackage,
  choice: MetricsExporterChoice,
  env: TraceEnv,
): MetricsRegistration {
  if (api !== undefined && hasProvider(api)) {
    return { ok: true, flush: () => flushProvider(api), listening: Promise.resolve() };
  }
  const { kind } = choice;
  if (kind === 'none') return { ok: false };
  if (kind === 'unknown') {
    const expected = 'expected otlp, prometheus, console or none';
    return {
      ok: false,
      warning: `Unknown OTEL_METRICS_EXPORTER ${choice.name}: ${expected}. Metrics are off.`,
    };
  }
  const own = ['@opentelemetry/api', '@opentelemetry/sdk-metrics', ...exporters[kind]] as const;
  const sdk = loadAll(load, [...own, '@opentelemetry/resources']);
  if (api === undefined || typeof sdk === 'string') {
    const missing = typeof sdk === 'string' ? sdk : '@opentelemetry/api';
    return { ok: false, missing, install: `npm install ${own.join(' ')}` };
  }
  const { MeterProvider } = sdk['@opentelemetry/sdk-metrics'];
  const { defaultResource, resourceFromAttributes } = sdk['@opentelemetry/resources'];
  const { reader, listening } = createReader(sdk, choice);
  const provider = new MeterProvider({
    resource: defaultResource().merge(resourceFromAttributes(resourceOf(env))),
    readers: [reader],
  });
  api.metrics.setGlobalMeterProvider(provider);
  return { ok: true, flush: () => provider.forceFlush(), listening };
}

type Sdk = Pick<
  Packages,
  | '@opentelemetry/exporter-metrics-otlp-http'
  | '@opentelemetry/exporter-prometheus'
  | '@opentelemetry/sdk-metrics'
>;
type KnownChoice = Exclude<MetricsExporterChoice, { readonly kind: 'none' | 'unknown' }>;

function createReader(sdk: Sdk, choice: KnownChoice) {
  if (choice.kind === 'prometheus') {
    const { PrometheusExporter } = sdk['@opentelemetry/exporter-prometheus'];
    const { host, port } = choice;
    const reader = new PrometheusExporter({ host, port, preventServerStart: true });
    return { reader, listening: reader.startServer() };
  }
  const { PeriodicExportingMetricReader, ConsoleMetricExporter } = sdk['@opentelemetry/sdk-metrics'];
  const exporter =
    choice.kind === 'console'
      ? new ConsoleMetricExporter()
      : new sdk['@opentelemetry/exporter-metrics-otlp-http'].OTLPMetricExporter(choice);
  const exportIntervalMillis = choice.interval;
  const exportTimeoutMillis = Math.min(exportIntervalMillis, 30_000);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis, exportTimeoutMillis });
  return { reader, listening: Promise.resolve() };
}

/** Whether a provider is registered: until then, the API gives meters without effect. */
function hasProvider(api: Api): boolean {
  return api.metrics.getMeterProvider().getMeter('gg-svc') !== api.createNoopMeter();
}

async function flushProvider(api: Api): Promise<void> {
  // Duck typing, because the program may have registered it with another copy of the API.
  await (api.metrics.getMeterProvider() as { readonly forceFlush?: () => Promise<void> }).forceFlush?.();
}
