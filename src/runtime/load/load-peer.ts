import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Diagnostic, diagnose } from '../../base/diagnostics/diagnostic.js';
import { wholeFile } from '../../base/source/span.js';

/** Thrown if an optional package is needed but not installed. The message has the command that installs it. */
export class PeerMissingError extends Error {
  override readonly name = 'PeerMissingError';

  constructor(
    readonly diagnostic: Diagnostic,
    options: ErrorOptions,
  ) {
    super([diagnostic.message, diagnostic.hint].join(' '), options);
  }
}

/** Loads a module that needs optional packages. Throws a {@link PeerMissingError} if one is not installed. */
export async function loadPeer<T>(packages: readonly string[], load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw explainMissing(packages, error);
  }
}

/** Loads an optional package synchronously. It loads the same copy as `import`, so that classes are identical. */
export function requirePeer<T>(packages: readonly string[], specifier: string): T {
  try {
    return createRequire(import.meta.url)(fileURLToPath(resolvePeer(specifier))) as T;
  } catch (error) {
    throw explainMissing(packages, error);
  }
}

/** Checks that optional packages are installed, without loading them. */
export function assertPeers(packages: readonly string[]): void {
  try {
    for (const name of packages) resolvePeer(name);
  } catch (error) {
    throw explainMissing(packages, error);
  }
}

export function hasPeer(specifier: string): boolean {
  try {
    resolvePeer(specifier);
    return true;
  } catch {
    return false;
  }
}

/** The packages that were found. Servers ask for the same ones again and again. */
const found = new Map<string, string>();

function resolvePeer(specifier: string): string {
  const address = found.get(specifier) ?? import.meta.resolve(specifier);
  found.set(specifier, address);
  return address;
}

function explainMissing(packages: readonly string[], error: unknown): unknown {
  const missing = packages.find((name) => isMissing(error, name));
  if (missing === undefined) return error;
  // Apollo Server 5 needs graphql 16, which is not the latest release.
  const graphql = packages.includes('@apollo/server') ? 'graphql@16' : 'graphql';
  const names = packages.map((name) => (name === 'graphql' ? graphql : name));
  const install = `npm install ${names.join(' ')}`;
  const place = wholeFile(missing);
  return new PeerMissingError(diagnose('GG5004', { module: missing, install }, place), { cause: error });
}

function isMissing(error: unknown, name: string): boolean {
  return (
    error instanceof Error &&
    (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' &&
    error.message.includes(`'${name}'`)
  );
}
