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
    const missing = packages.find((name) => isMissing(error, name));
    if (missing === undefined) throw error;
    const install = `npm install ${packages.join(' ')}`;
    const place = { file: missing, start: 0, end: 0 };
    throw new PeerMissingError(diagnose('GG5004', { module: missing, install }, place), { cause: error });
  }
}

function isMissing(error: unknown, name: string): boolean {
  return (
    error instanceof Error &&
    (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' &&
    error.message.includes(`'${name}'`)
  );
}
