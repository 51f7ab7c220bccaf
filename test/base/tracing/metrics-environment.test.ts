import { metrics } from '@opentelemetry/api';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { exporterOf, exportIntervalOf, isMetricsEnabled } from '../../../src/base/tracing/environment.js';
import { type Api, createPackageLoader } from '../../../src/base/tracing/packages.js';
import { registerMetrics } from '../../../src/base/tracing/register-sdk.js';
import { startMetricsFromEnv, svcMetrics } from '../../../src/base/tracing/svc-metrics.js';
import { stopMetrics } from './reset-telemetry.js';

const load = createPackageLoader(process.cwd());
const api = load('@opentelemetry/api') as Api;
const apiAlone = (name: string) => (name === '@opentelemetry/api' ? api : undefined);

afterEach(() => {
  stopMetrics();
  api.metrics.disable();
  metrics.disable();
  vi.restoreAllMocks();
});

describe('the environment', () => {
  test.each([
    [{}, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }, false],
    [{ OTEL_METRICS_EXPORTER: 'prometheus' }, true],
    [{ OTEL_METRICS_EXPORTER: ' ' }, false],
    [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://c:4318/m' }, true],
    [{ SVC_METRICS_ENABLED: 'On' }, true],
    [{ SVC_METRICS_ENABLED: '0', OTEL_METRICS_EXPORTER: 'otlp' }, false],
    [{ OTEL_SDK_DISABLED: 'true', SVC_METRICS_ENABLED: '1' }, false],
  ])('%j turns metrics on: %s', (env, expected) => {
    expect(isMetricsEnabled(env)).toBe(expected);
  });

  test.each([
    [{}, { kind: 'otlp', url: 'http://localhost:4318/v1/metrics', headers: {} }],
    [
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:1/',
        OTEL_EXPORTER_OTLP_HEADERS: 'a=1',
        OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'b=2',
      },
      { kind: 'otlp', url: 'http://c:1/v1/metrics', headers: { a: '1', b: '2' } },
    ],
    [
      {
        OTEL_METRICS_EXPORTER: 'Prometheus',
        OTEL_EXPORTER_PROMETHEUS_HOST: '0.0.0.0',
        OTEL_EXPORTER_PROMETHEUS_PORT: '9100',
      },
      { kind: 'prometheus', host: '0.0.0.0', port: 9100 },
    ],
    [
      { OTEL_METRICS_EXPORTER: 'prometheus', OTEL_EXPORTER_PROMETHEUS_PORT: 'x' },
      { kind: 'prometheus', host: 'localhost', port: 9464 },
    ],
    [{ OTEL_METRICS_EXPORTER: 'console' }, { kind: 'console' }],
    [{ OTEL_METRICS_EXPORTER: 'none' }, { kind: 'none' }],
    [{ OTEL_METRICS_EXPORTER: 'statsd' }, { kind: 'unknown', name: 'statsd' }],
  ])('%j selects %j', (env, expected) => {
    expect(exporterOf(env, 'METRICS')).toEqual(expected);
  });

  test('sets the interval of exports, by default one minute', () => {
    expect(exportIntervalOf({ OTEL_METRIC_EXPORT_INTERVAL: '5000' })).toBe(5_000);
    expect(exportIntervalOf({ OTEL_METRIC_EXPORT_INTERVAL: '-1' })).toBe(60_000);
    expect(exportIntervalOf({})).toBe(60_000);
  });
});

describe('registering', () => {
  test.each([
    ['@opentelemetry/sdk-metrics', 'otlp'],
    ['@opentelemetry/exporter-prometheus', 'prometheus'],
    ['@opentelemetry/exporter-metrics-otlp-http', 'otlp'],
    ['@opentelemetry/api', 'console'],
  ])('without %s prints one line with the package to install and leaves metrics off', (name, exporter) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    startMetricsFromEnv({ OTEL_METRICS_EXPORTER: exporter }, (wanted) => (wanted === name ? undefined : load(wanted)));
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^gg-svc: [^\n]* is not installed: npm install [^\n]*$/)]]);
    expect(warn.mock.calls[0]?.[0]).toContain(name);
    expect(svcMetrics()).toBeUndefined();
  });

  test('warns about an unknown exporter, and is silent without an exporter', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    startMetricsFromEnv({ OTEL_METRICS_EXPORTER: 'none' }, load);
    expect(warn).not.toHaveBeenCalled();
    startMetricsFromEnv({ OTEL_METRICS_EXPORTER: 'statsd' }, load);
    expect(warn.mock.calls).toEqual([[expect.stringContaining('expected otlp, prometheus, console or none')]]);
    expect(svcMetrics()).toBeUndefined();
  });

  test('keeps a provider of the program, and flushes it', async () => {
    const own = new MeterProvider();
    const flush = vi.spyOn(own, 'forceFlush');
    api.metrics.setGlobalMeterProvider(own);
    const result = registerMetrics(apiAlone, { kind: 'none' }, {});
    if (result.ok) await result.flush();
    expect([result.ok, flush.mock.calls.length]).toEqual([true, 1]);
    expect(api.metrics.getMeterProvider()).toBe(own);
  });

  test('turns metrics on once', () => {
    const env = { OTEL_METRICS_EXPORTER: 'console' };
    startMetricsFromEnv(env, load);
    const first = svcMetrics();
    expect(first).toBeDefined();
    startMetricsFromEnv(env, load);
    expect(svcMetrics()).toBe(first);
  });
});
