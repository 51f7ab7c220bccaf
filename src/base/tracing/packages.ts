import { createRequire } from 'node:module';
import { join } from 'node:path';

export type Api = typeof import('@opentelemetry/api');

/** Loads a package synchronously; undefined if it is not installed. */
export type LoadPackage = (name: string) => unknown;

/** The SDK packages that depend on the others. */
const carriers = ['@opentelemetry/sdk-trace', '@opentelemetry/sdk-metrics'];

/**
 * Makes a loader of optional packages. It resolves them from this package, then from the working directory, where
 * strict package managers put optional peers, and then from the SDK, for the dependencies of the SDK.
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
