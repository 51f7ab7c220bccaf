import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The part of the packages of OpenTelemetry that is called at run time. */
export type Api = typeof import('@opentelemetry/api');

/** Loads a package at once; undefined where it is not installed. */
export type LoadPackage = (name: string) => unknown;

/** The package of the SDK that brings others with it. */
const carrier = '@opentelemetry/sdk-trace';

/**
 * Makes what loads optional packages: from where this package is installed, or else from where the program
 * runs, which is where strict package managers put what this package does not depend on. What comes with the
 * SDK is looked for beside it.
 *
 * @param directory - Where the program runs.
 */
export function createPackageLoader(directory: string): LoadPackage {
  const places = [import.meta.url, join(directory, 'package.json')].map((place) => createRequire(place));
  return (name) => {
    for (const require of places) {
      const found =
        attempt(() => require(name)) ?? attempt(() => createRequire(require.resolve(carrier))(name));
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

function attempt(load: () => unknown): unknown {
  try {
    return load();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'MODULE_NOT_FOUND';
}
