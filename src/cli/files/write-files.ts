import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';

/** What became of a set of files. */
export type WriteOutcome =
  | {
      readonly ok: true;
      /** The paths that were written, and those that held the same text already, in the order given. */
      readonly written: readonly string[];
      readonly unchanged: readonly string[];
    }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/** A file that lies complete beside its place and waits to be moved there. */
interface Prepared {
  readonly temporary: string;
  readonly target: string;
  readonly shown: string;
}

/**
 * Writes files into a directory, which is made when it is not there. A file that holds the same text
 * already is left alone. Every other one is written whole to a temporary file beside its place and put
 * to disk; only when all of them are there are they moved, so that a full disk or a place that cannot
 * be written leaves everything as it was, and a reader sees the old file or the new one, never a half.
 *
 * @param directory - The directory itself, as a path that can be opened.
 * @param shown - How messages name the directory.
 * @param files - The text of each file by its name.
 */
export async function writeArtifacts(
  directory: string,
  shown: string,
  files: Readonly<Record<string, string>>,
): Promise<WriteOutcome> {
  const prepared: Prepared[] = [];
  const unchanged: string[] = [];
  let current = shown;
  try {
    await mkdir(directory, { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      current = join(shown, name);
      const target = await resolveTarget(join(directory, name));
      if (await holds(target, text)) {
        unchanged.push(current);
        continue;
      }
      const temporary = join(dirname(target), `.${name}.${randomUUID()}.tmp`);
      prepared.push({ temporary, target, shown: current });
      await writeDurably(temporary, text, await modeOf(target));
    }
    for (const { temporary, target, shown: path } of prepared) {
      current = path;
      await rename(temporary, target);
    }
  } catch (error) {
    // What cannot be removed was never made: its name is too long, or its directory is not there.
    for (const { temporary } of prepared) await rm(temporary, { force: true }).catch(() => undefined);
    const span = { file: current, start: 0, end: 0 };
    return { ok: false, diagnostic: diagnose('GG4006', { path: current, reason: reasonOf(error) }, span) };
  }
  return { ok: true, written: prepared.map(({ shown: path }) => path), unchanged };
}

/** A symbolic link stays one: what it points to is what is written. */
async function resolveTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return path;
  }
}

async function holds(path: string, text: string): Promise<boolean> {
  const status = await stat(path).catch(() => undefined);
  if (status === undefined) return false;
  // A directory could not be replaced, and finding that out after other files were moved is too late.
  if (!status.isFile()) throw new Error('something that is not a file is in its place');
  const bytes = Buffer.from(text);
  return status.size === bytes.length && bytes.equals(await readFile(path));
}

/** A file that is replaced keeps its permissions. */
async function modeOf(path: string): Promise<number | undefined> {
  const status = await stat(path).catch(() => undefined);
  return status === undefined ? undefined : status.mode & 0o777;
}

async function writeDurably(path: string, text: string, mode: number | undefined): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(text);
    if (mode !== undefined) await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

function reasonOf(error: unknown): string {
  const { errno, message } = error as NodeJS.ErrnoException;
  const known = errno === undefined ? undefined : getSystemErrorMap().get(errno);
  return known?.[1] ?? message;
}
