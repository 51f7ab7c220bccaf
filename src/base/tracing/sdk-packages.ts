import type { Api, LoadPackage } from './packages.js';

// A file of its own: the types of the package mention no package that it can do without.

export interface Packages {
  readonly '@opentelemetry/api': Api;
  readonly '@opentelemetry/context-async-hooks': typeof import('@opentelemetry/context-async-hooks');
  readonly '@opentelemetry/core': typeof import('@opentelemetry/core');
  readonly '@opentelemetry/exporter-metrics-otlp-http': typeof import('@opentelemetry/exporter-metrics-otlp-http');
  readonly '@opentelemetry/exporter-prometheus': typeof import('@opentelemetry/exporter-prometheus');
  readonly '@opentelemetry/exporter-trace-otlp-http': typeof import('@opentelemetry/exporter-trace-otlp-http');
  readonly '@opentelemetry/resources': typeof import('@opentelemetry/resources');
  readonly '@opentelemetry/sdk-metrics': typeof import('@opentelemetry/sdk-metrics');
  readonly '@opentelemetry/sdk-trace': typeof import('@opentelemetry/sdk-trace');
}

/** Loads packages; the name of the first one that is not installed. */
export function loadAll<Name extends keyof Packages>(
  load: LoadPackage,
  names: readonly Name[],
): Pick<Packages, Name> | Name {
  const found = names.map((name) => [name, load(name)] as const);
  const missing = found.find(([, loaded]) => loaded === undefined)?.[0];
  return missing ?? (Object.fromEntries(found) as unknown as Pick<Packages, Name>);
}
