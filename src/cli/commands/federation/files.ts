import { open } from 'node:fs/promises';
import { getSystemErrorMap } from 'node:util';
import { type Diagnostic, diagnose } from '../../../diagnostics/diagnostic.js';

/**
 * Writes a file that is not there yet and that its owner alone may read. A file that is there stays as it is: it may
 * be the only copy of a key.
 *
 * @returns What kept it from being written.
 */
export async function writeNewFile(
  location: string,
  name: string,
  text: string,
): Promise<Diagnostic | undefined> {
  try {
    const file = await open(location, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    return undefined;
  } catch (error) {
    const { code, errno, message } = error as NodeJS.ErrnoException;
    const known = errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1];
    const reason = code === 'EEXIST' ? 'it is there already, and a key is not replaced' : (known ?? message);
    return diagnose('GG4006', { path: name, reason }, { file: name, start: 0, end: 0 });
  }
}
