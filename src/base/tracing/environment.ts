/** Environment variables by name, such as `process.env`. */
export interface TraceEnv {
  readonly [name: string]: string | undefined;
}

const packageName = 'gg-svc';

const yes = new Set(['1', 'true', 'yes', 'on']);
const no = new Set(['0', 'false', 'no', 'off']);

/** Each of these variables implies that traces are collected. */
const signs = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_TRACES_EXPORTER'];

/**
 * Whether an environment turns tracing on. `OTEL_SDK_DISABLED=true` always turns it off. Otherwise
 * `SVC_TRACING_ENABLED` decides (`1`, `true`, `yes`, `on`; `0`, `false`, `no`, `off`; case-insensitive). Without it, or
 * with another value, tracing is on if `OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` or
 * `OTEL_TRACES_EXPORTER` is set. An empty variable counts as not set, and so does an undefined environment.
 *
 * @example
 * ```ts
 * import { isSvcTracingEnabled } from 'gg-svc';
 *
 * isSvcTracingEnabled({ SVC_TRACING_ENABLED: 'on' }); // true
 * isSvcTracingEnabled({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }); // true
 * isSvcTracingEnabled({}); // false
 * ```
 */
export function isSvcTracingEnabled(env: TraceEnv | undefined): boolean {
  return env !== undefined && isEnabled(env, 'SVC_TRACING_ENABLED', signs);
}

/** @param implying - Each of these variables turns the signal on, unless the variable `decider` decides. */
function isEnabled(env: TraceEnv, decider: string, implying: readonly string[]): boolean {
  if (read(env, 'OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return false;
  const decided = read(env, decider)?.toLowerCase();
  if (decided !== undefined && yes.has(decided)) return true;
  if (decided !== undefined && no.has(decided)) return false;
  return implying.some((name) => read(env, name) !== undefined);
}

export function serviceNameOf(env: TraceEnv): string {
  return read(env, 'SVC_SERVICE_NAME') ?? read(env, 'OTEL_SERVICE_NAME') ?? packageName;
}

/**
 * Whether an environment turns metrics on: the same rules as for tracing, with `SVC_METRICS_ENABLED`,
 * `OTEL_METRICS_EXPORTER` and `OTEL_EXPORTER_OTLP_METRICS_ENDPOINT`.
 */
export function isMetricsEnabled(env: TraceEnv): boolean {
  return isEnabled(env, 'SVC_METRICS_ENABLED', ['OTEL_METRICS_EXPORTER', 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT']);
}

/** The exporter: a collector over HTTP, an endpoint for Prometheus, which is for metrics, the console, or none. */
export type ExporterChoice =
  | { readonly kind: 'otlp'; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'prometheus'; readonly host: string; readonly port: number }
  | { readonly kind: 'console' | 'none' }
  | { readonly kind: 'unknown'; readonly name: string };

/** The exporter that the OpenTelemetry variables select. Default: a collector on this machine. */
export function exporterOf(env: TraceEnv, signal: 'TRACES' | 'METRICS'): ExporterChoice {
  const kind = read(env, `OTEL_${signal}_EXPORTER`)?.toLowerCase() ?? 'otlp';
  if (kind === 'console' || kind === 'none') return { kind };
  if (kind === 'prometheus' && signal === 'METRICS') {
    const host = read(env, 'OTEL_EXPORTER_PROMETHEUS_HOST') ?? 'localhost';
    return { kind, host, port: numberOf(env, 'OTEL_EXPORTER_PROMETHEUS_PORT', 9464) };
  }
  if (kind !== 'otlp') return { kind: 'unknown', name: kind };
  const base = read(env, 'OTEL_EXPORTER_OTLP_ENDPOINT') ?? 'http://localhost:4318';
  const below = `${base.replace(/\/+$/, '')}/v1/${signal.toLowerCase()}`;
  const url = read(env, `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`) ?? below;
  const own = readPairs(read(env, `OTEL_EXPORTER_OTLP_${signal}_HEADERS`));
  return { kind, url, headers: { ...readPairs(read(env, 'OTEL_EXPORTER_OTLP_HEADERS')), ...own } };
}

/** The interval of exports of metrics, in milliseconds. */
export function exportIntervalOf(env: TraceEnv): number {
  return numberOf(env, 'OTEL_METRIC_EXPORT_INTERVAL', 60_000);
}

/**
 * The sampling of `OTEL_TRACES_SAMPLER` and its argument: a ratio from 0 (none) to 1 (all), and whether the caller's
 * decision takes precedence. Default: everything that the caller samples.
 */
export function samplingOf(env: TraceEnv) {
  const sampler = read(env, 'OTEL_TRACES_SAMPLER')?.toLowerCase() ?? 'parentbased_always_on';
  const followsParent = sampler.startsWith('parentbased_');
  const kind = followsParent ? sampler.slice('parentbased_'.length) : sampler;
  if (kind === 'always_off') return { ratio: 0, followsParent };
  const argument = Number(read(env, 'OTEL_TRACES_SAMPLER_ARG') ?? 1);
  const isRatio = kind === 'traceidratio' && argument >= 0 && argument <= 1;
  return { ratio: isRatio ? argument : 1, followsParent };
}

export function resourceOf(env: TraceEnv): Readonly<Record<string, string>> {
  return { ...readPairs(read(env, 'OTEL_RESOURCE_ATTRIBUTES')), 'service.name': serviceNameOf(env) };
}

/** Parses percent-encoded `name=value,name=value`; other parts are ignored. */
function readPairs(text = ''): Record<string, string> {
  const pairs = text.split(',').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    return at === -1 || name === '' ? [] : [[decode(name), decode(pair.slice(at + 1).trim())]];
  });
  return Object.fromEntries(pairs);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A positive integer; the default for anything else. */
function numberOf(env: TraceEnv, name: string, fallback: number): number {
  const value = Number(read(env, name));
  return Number.isInteger(value) && value > 0 ? value : fallback;
}

function read(env: TraceEnv, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}
