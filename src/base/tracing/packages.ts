import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The runtime exports of OpenTelemetry that are used. */
export type Api = typeof import('@opentelemetry/api');

/** Loads a package synchronously; undefined if it is not installed. */
export type LoadPackage = (name: string) => unknown;

/** The packages of the SDK. */
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

/** The SDK packages that depend on the others. */
const carriers = ['@opentelemetry/sdk-trace', '@opentelemetry/sdk-metrics'];

/**
 * Makes a loader of optional packages. It resolves them from this package, then from the working directory, where
 * strict package managers put optional peers, and then from the SDK, for the dependencies of the SDK.
 *
 * @param directory - The working directory of the program.
 */
export function createPackageLoader(directory: string): LoadPackage {
  const places = [import.meta.url, join(directory, 'package.json')].map((place) => createRequire(place));
  return (name) => {
    for (const require of places) {
      const ways = [
        () => require(name),
        ...carriers.map((carrier) => () => createRequire(require.resolve(carrier))(name)),
      ];
      for (const way of ways) {
        try {
          return way();
        } catch (error) {
          if ((error as NodeJS.ErrnoException | undefined)?.code !== 'MODULE_NOT_FOUND') throw error;
        }
      }
    }
    return undefined;
  };
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

/** State of the process, even if a module is loaded twice: the command line is a bundle of its own. */
export function sharedState<State>(name: string, initial: State): State {
  const holder = globalThis as unknown as Record<symbol, State | undefined>;
  holder[Symbol.for(name)] ??= initial;
  return holder[Symbol.for(name)] as State;
}
