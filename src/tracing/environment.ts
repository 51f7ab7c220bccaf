/** The variables that decide on tracing, by name: `process.env`, or anything of its shape. */
export interface TraceEnv {
  readonly [name: string]: string | undefined;
}

/** The service name where the environment gives none. */
const packageName = 'gg-svc';

const yes = new Set(['1', 'true', 'yes', 'on']);
const no = new Set(['0', 'false', 'no', 'off']);

/** Any of these says that somebody collects traces. */
const signs = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_TRACES_EXPORTER'];

/**
 * Whether an environment asks for tracing. `OTEL_SDK_DISABLED=true` always switches it off. Otherwise
 * `SVC_TRACING_ENABLED` decides (`1`, `true`, `yes`, `on`; `0`, `false`, `no`, `off`; in any case), and
 * where that is not set, or says something else, tracing is on when `OTEL_EXPORTER_OTLP_ENDPOINT`,
 * `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` or `OTEL_TRACES_EXPORTER` is set. An empty variable counts as not set.
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
  if (env === undefined) return false;
  if (read(env, 'OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return false;
  const decided = read(env, 'SVC_TRACING_ENABLED')?.toLowerCase();
  if (decided !== undefined && yes.has(decided)) return true;
  if (decided !== undefined && no.has(decided)) return false;
  return signs.some((name) => read(env, name) !== undefined);
}

/** The name under which the spans of a process are found. */
export function serviceNameOf(env: TraceEnv): string {
  return read(env, 'SVC_SERVICE_NAME') ?? read(env, 'OTEL_SERVICE_NAME') ?? packageName;
}

/** Where spans go: to a collector over HTTP, to the console, or nowhere. */
export type ExporterChoice =
  | { readonly kind: 'otlp'; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'console' | 'none' }
  | { readonly kind: 'unknown'; readonly name: string };

/** Reads where spans go, by the variables of OpenTelemetry; a collector on this machine unless they say more. */
export function exporterOf(env: TraceEnv): ExporterChoice {
  const kind = read(env, 'OTEL_TRACES_EXPORTER')?.toLowerCase() ?? 'otlp';
  if (kind === 'console' || kind === 'none') return { kind };
  if (kind !== 'otlp') return { kind: 'unknown', name: kind };
  const base = read(env, 'OTEL_EXPORTER_OTLP_ENDPOINT') ?? 'http://localhost:4318';
  const url = read(env, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? `${base.replace(/\/+$/, '')}/v1/traces`;
  const headers = {
    ...readPairs(read(env, 'OTEL_EXPORTER_OTLP_HEADERS')),
    ...readPairs(read(env, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS')),
  };
  return { kind, url, headers };
}

/** Which spans are kept: a share of them, and whether the decision of the caller goes first. */
export interface Sampling {
  /** From 0, none, to 1, all. */
  readonly ratio: number;
  readonly followsParent: boolean;
}

/** Reads `OTEL_TRACES_SAMPLER` and its argument; all that the caller samples unless they say more. */
export function samplingOf(env: TraceEnv): Sampling {
  const sampler = read(env, 'OTEL_TRACES_SAMPLER')?.toLowerCase() ?? 'parentbased_always_on';
  const followsParent = sampler.startsWith('parentbased_');
  const kind = followsParent ? sampler.slice('parentbased_'.length) : sampler;
  if (kind === 'always_off') return { ratio: 0, followsParent };
  const argument = Number(read(env, 'OTEL_TRACES_SAMPLER_ARG') ?? 1);
  const isRatio = kind === 'traceidratio' && argument >= 0 && argument <= 1;
  return { ratio: isRatio ? argument : 1, followsParent };
}

/** Reads the resource attributes that an environment adds to every span. */
export function resourceOf(env: TraceEnv): Readonly<Record<string, string>> {
  return { ...readPairs(read(env, 'OTEL_RESOURCE_ATTRIBUTES')), 'service.name': serviceNameOf(env) };
}

/** `name=value,name=value`, percent-encoded; what is not such a pair is left out. */
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

function read(env: TraceEnv, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}
