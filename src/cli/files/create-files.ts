import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';

/** What became of new files: nothing is wrong, or one of them could not be made and none is left. */
export type CreateOutcome = { readonly ok: true } | { readonly ok: false; readonly diagnostic: Diagnostic };

/**
 * Makes files in a directory, which is made when it is not there. A file that exists is never written: when
 * there is one, or the disk is full, those that were made are taken away again.
 *
 * @param directory - The directory itself, as a path that can be opened.
 * @param shown - How messages name it.
 * @param files - The text of each file by its name.
 */
export async function createFiles(
  directory: string,
  shown: string,
  files: Readonly<Record<string, string>>,
): Promise<CreateOutcome> {
  const made: string[] = [];
  let current = shown;
  try {
    await mkdir(directory, { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      current = join(shown, name);
      const path = join(directory, name);
      await writeFile(path, text, { flag: 'wx' });
      made.push(path);
    }
    return { ok: true };
  } catch (error) {
    for (const path of made) await rm(path, { force: true });
    const { errno, message } = error as NodeJS.ErrnoException;
    const reason = getSystemErrorMap().get(errno ?? 0)?.[1] ?? message;
    const span = { file: current, start: 0, end: 0 };
    return { ok: false, diagnostic: diagnose('GG4006', { path: current, reason }, span) };
  }
}
