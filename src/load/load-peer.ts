import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js';

/** Thrown when an optional package is needed and not installed. The message names the command that does it. */
export class PeerMissingError extends Error {
  override readonly name = 'PeerMissingError';

  /** @param diagnostic - The finding (GG5004), for those who report findings. */
  constructor(
    readonly diagnostic: Diagnostic,
    options: ErrorOptions,
  ) {
    super([diagnostic.message, diagnostic.hint].join(' '), options);
  }
}

/**
 * Loads a module that needs an optional package.
 *
 * @param packages - What the module needs beside what comes with this package.
 * @param load - Imports the module.
 * @throws {PeerMissingError} When one of the packages is not installed.
 */
export async function loadPeer<T>(packages: readonly string[], load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw explainMissing(packages, error);
  }
}

/**
 * Loads an optional package at once, for functions that cannot wait. It is the same copy of the package that
 * `import` gives, so that classes are the same too.
 *
 * @param packages - What is needed beside what comes with this package, `specifier` among it.
 * @throws {PeerMissingError} When one of the packages is not installed.
 */
export function requirePeer<T>(packages: readonly string[], specifier: string): T {
  try {
    return createRequire(import.meta.url)(fileURLToPath(import.meta.resolve(specifier))) as T;
  } catch (error) {
    throw explainMissing(packages, error);
  }
}

/**
 * Finds out that optional packages are there, without loading them.
 *
 * @throws {PeerMissingError} When one of them is not installed.
 */
export function assertPeers(packages: readonly string[]): void {
  try {
    for (const name of packages) import.meta.resolve(name);
  } catch (error) {
    throw explainMissing(packages, error);
  }
}

/** Whether an optional package is installed. */
export function hasPeer(specifier: string): boolean {
  try {
    import.meta.resolve(specifier);
    return true;
  } catch {
    return false;
  }
}

function explainMissing(packages: readonly string[], error: unknown): unknown {
  const missing = packages.find((name) => isMissing(error, name));
  if (missing === undefined) return error;
  const install = `npm install ${packages.join(' ')}`;
  const place = { file: missing, start: 0, end: 0 };
  return new PeerMissingError(diagnose('GG5004', { module: missing, install }, place), { cause: error });
}

function isMissing(error: unknown, name: string): boolean {
  return (
    error instanceof Error &&
    (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' &&
    error.message.includes(`'${name}'`)
  );
}
