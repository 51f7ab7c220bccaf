import { describe, expect, test } from 'vitest';
import {
  exporterOf,
  isSvcTracingEnabled,
  resourceOf,
  samplingOf,
  serviceNameOf,
} from '../../../src/base/tracing/environment.js';

const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

describe('tracing is on', () => {
  test.each(['1', 'true', 'yes', 'on', 'TRUE', ' On '])('when SVC_TRACING_ENABLED is %j', (value) => {
    expect(isSvcTracingEnabled({ SVC_TRACING_ENABLED: value })).toBe(true);
  });

  test.each(['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_TRACES_EXPORTER'])(
    'when %s is set and SVC_TRACING_ENABLED is not',
    (name) => {
      expect(isSvcTracingEnabled({ [name]: 'x' })).toBe(true);
    },
  );

  test('when SVC_TRACING_ENABLED has another value and OTEL variables are set', () => {
    expect(isSvcTracingEnabled({ SVC_TRACING_ENABLED: 'perhaps', ...collector })).toBe(true);
  });

  test('if OTEL_SDK_DISABLED has any value other than true', () => {
    expect(isSvcTracingEnabled({ OTEL_SDK_DISABLED: 'false', ...collector })).toBe(true);
  });
});

describe('tracing is off', () => {
  test('if no variable is set', () => {
    expect(isSvcTracingEnabled({})).toBe(false);
    expect(isSvcTracingEnabled(undefined)).toBe(false);
  });

  test.each(['0', 'false', 'no', 'off', 'OFF'])(
    'if SVC_TRACING_ENABLED is %j, regardless of other variables',
    (value) => {
      expect(isSvcTracingEnabled({ SVC_TRACING_ENABLED: value, ...collector })).toBe(false);
    },
  );

  test('if OTEL_SDK_DISABLED is true, regardless of other variables', () => {
    expect(isSvcTracingEnabled({ OTEL_SDK_DISABLED: 'True', SVC_TRACING_ENABLED: '1', ...collector })).toBe(false);
  });

  test('if the variables are empty', () => {
    expect(isSvcTracingEnabled({ OTEL_TRACES_EXPORTER: '', SVC_TRACING_ENABLED: ' ' })).toBe(false);
  });
});

describe('the service name', () => {
  test('comes from SVC_SERVICE_NAME, then OTEL_SERVICE_NAME, then the package name', () => {
    expect(serviceNameOf({ SVC_SERVICE_NAME: 'orders', OTEL_SERVICE_NAME: 'other' })).toBe('orders');
    expect(serviceNameOf({ SVC_SERVICE_NAME: '', OTEL_SERVICE_NAME: 'other' })).toBe('other');
    expect(serviceNameOf({})).toBe('gg-svc');
  });

  test('takes precedence over the resource attributes', () => {
    const OTEL_RESOURCE_ATTRIBUTES = 'service.name=a,deployment.environment=test%20bed,nonsense,=b';
    expect(resourceOf({ OTEL_RESOURCE_ATTRIBUTES })).toEqual({
      'service.name': 'gg-svc',
      'deployment.environment': 'test bed',
    });
  });
});

describe('spans are exported', () => {
  test('to a collector on this machine by default', () => {
    expect(exporterOf({}, 'TRACES')).toEqual({
      kind: 'otlp',
      url: 'http://localhost:4318/v1/traces',
      headers: {},
    });
  });

  test('below the endpoint for all signals, or exactly to the one for traces', () => {
    const base = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/base/' };
    expect(exporterOf(base, 'TRACES')).toMatchObject({ url: 'http://collector:4318/base/v1/traces' });
    expect(exporterOf({ ...base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t/x' }, 'TRACES')).toMatchObject({
      url: 'http://t/x',
    });
  });

  test('with the headers of the environment; trace headers override general ones', () => {
    const env = {
      OTEL_EXPORTER_OTLP_HEADERS: 'a=1,b=x%3Dy',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'a=2, c=100%',
    };
    expect(exporterOf(env, 'TRACES')).toMatchObject({ headers: { a: '2', b: 'x=y', c: '100%' } });
  });

  test('by the exporter that OTEL_TRACES_EXPORTER names', () => {
    expect(exporterOf({ OTEL_TRACES_EXPORTER: 'none' }, 'TRACES')).toEqual({ kind: 'none' });
    expect(exporterOf({ OTEL_TRACES_EXPORTER: 'Console' }, 'TRACES')).toEqual({ kind: 'console' });
    expect(exporterOf({ OTEL_TRACES_EXPORTER: 'zipkin' }, 'TRACES')).toEqual({
      kind: 'unknown',
      name: 'zipkin',
    });
  });
});

describe('the sampler', () => {
  test.each([
    [{}, { ratio: 1, followsParent: true }],
    [{ OTEL_TRACES_SAMPLER: 'always_on' }, { ratio: 1, followsParent: false }],
    [{ OTEL_TRACES_SAMPLER: 'always_off' }, { ratio: 0, followsParent: false }],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, { ratio: 0, followsParent: true }],
    [
      { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' },
      { ratio: 0.25, followsParent: true },
    ],
    [
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: 'half' },
      { ratio: 1, followsParent: false },
    ],
    [
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '7' },
      { ratio: 1, followsParent: false },
    ],
  ])('for %j is %j', (env, sampling) => {
    expect(samplingOf(env)).toEqual(sampling);
  });
});
