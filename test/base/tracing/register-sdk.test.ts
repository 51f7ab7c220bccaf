import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProxyTracerProvider } from '@opentelemetry/api';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Api, createPackageLoader } from '../../../src/base/tracing/packages.js';
import { registerTraces } from '../../../src/base/tracing/register-sdk.js';
import { startTracing } from '../../../src/base/tracing/start-tracing.js';
import { isTracing, withSvcSpan } from '../../../src/base/tracing/svc-tracing.js';
import { stopTracing } from './reset-telemetry.js';

const load = createPackageLoader(process.cwd());
// The copy that the program under test loads: what one copy registers, another cannot take back.
const api = load('@opentelemetry/api') as Api;
const apiAlone = (name: string) => (name === '@opentelemetry/api' ? api : undefined);

afterEach(() => {
  stopTracing();
  api.trace.disable();
  api.context.disable();
  api.propagation.disable();
  vi.restoreAllMocks();
});

describe('loading packages', () => {
  test('finds installed packages and packages that come with the SDK', () => {
    expect(load('@opentelemetry/api')).toHaveProperty('trace');
    expect(load('@opentelemetry/resources')).toHaveProperty('resourceFromAttributes');
  });

  test('returns undefined for packages that are not installed', () => {
    expect(load('@opentelemetry/not-a-package')).toBeUndefined();
  });

  test('reports a broken package', () => {
    const directory = mkdtempSync(join(tmpdir(), 'gg-svc-'));
    const broken = join(directory, 'node_modules/broken-package');
    mkdirSync(broken, { recursive: true });
    writeFileSync(join(broken, 'index.js'), "throw new Error('broken');");
    try {
      expect(() => createPackageLoader(directory)('broken-package')).toThrow('broken');
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

describe('registering', () => {
  test('without the SDK prints one line with the package to install', () => {
    const without = (name: string) => (name === '@opentelemetry/sdk-trace' ? undefined : load(name));
    const result = registerTraces(without, {});
    expect(result).toMatchObject({
      ok: false,
      missing: '@opentelemetry/sdk-trace',
      warning: expect.stringMatching(/^[^\n]*@opentelemetry\/sdk-trace is not installed[^\n]*npm install [^\n]*$/),
    });
  });

  test('keeps a provider of the program, and flushes it', async () => {
    const own = new TracerProvider();
    const flush = vi.spyOn(own, 'forceFlush');
    api.trace.setGlobalTracerProvider(own);
    const result = registerTraces(apiAlone, {});
    expect(result).toMatchObject({ ok: true });
    if (result.ok) await result.flush();
    expect(flush).toHaveBeenCalledOnce();
    expect((api.trace.getTracerProvider() as ProxyTracerProvider).getDelegate()).toBe(own);
  });

  test('accepts a provider that cannot be flushed', async () => {
    api.trace.setGlobalTracerProvider({ getTracer: () => api.trace.wrapSpanContext as never });
    const result = registerTraces(apiAlone, {});
    if (result.ok) await result.flush();
    expect(result.ok).toBe(true);
  });

  test('with the exporter none discards spans and still propagates the context', async () => {
    startTracing({ OTEL_TRACES_EXPORTER: 'none' }, load);
    expect(isTracing()).toBe(true);
    withSvcSpan('outer', (outer) => {
      expect(api.trace.getActiveSpan()?.spanContext()).toEqual(outer.spanContext());
      expect(outer.isRecording()).toBe(true);
    });
  });

  test('with the exporter console prints spans', () => {
    const print = vi.spyOn(console, 'dir').mockImplementation(() => undefined);
    startTracing({ OTEL_TRACES_EXPORTER: 'console', OTEL_SERVICE_NAME: 'printed' }, load);
    withSvcSpan('work', () => undefined);
    expect(print.mock.calls[0]?.[0]).toMatchObject({ name: 'work' });
  });

  test('with an unknown exporter warns', () => {
    expect(registerTraces(load, { OTEL_TRACES_EXPORTER: 'zipkin' })).toMatchObject({
      ok: true,
      warning: expect.stringContaining('zipkin'),
    });
  });

  test('prints the warning on the console', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    startTracing({ OTEL_TRACES_EXPORTER: 'zipkin' }, load);
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^gg-svc: .*zipkin/)]]);
  });

  test.each([
    ['always_off', false],
    ['parentbased_always_off', false],
    ['always_on', true],
  ])('with the sampler %s', (sampler, isRecorded) => {
    startTracing({ OTEL_TRACES_EXPORTER: 'none', OTEL_TRACES_SAMPLER: sampler }, load);
    expect(withSvcSpan('work', (span) => span.isRecording())).toBe(isRecorded);
  });
});
