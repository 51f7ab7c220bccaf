import { diagnose } from '../diagnostics/diagnostic.js';

/** Thrown when an optional package is needed and not installed. The message names the command that does it. */
export class PeerMissingError extends Error {
  override readonly name = 'PeerMissingError';
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
    const { message, hint } = diagnose(
      'GG5004',
      { module: missing, install },
      { file: missing, start: 0, end: 0 },
    );
    throw new PeerMissingError([message, hint].join(' '), { cause: error });
  }
}

function isMissing(error: unknown, name: string): boolean {
  return (
    error instanceof Error &&
    (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' &&
    error.message.includes(`'${name}'`)
  );
}
