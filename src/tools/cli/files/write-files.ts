import { existsSync } from 'node:fs';
import { mkdir, open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import { describeSystemError } from '../../../base/read/read-bytes.js';
import { wholeFile } from '../../../base/source/span.js';
import { CommandFailure } from '../terminal/command.js';
import type { CliIo } from '../terminal/io.js';
import { removeAbandoned, temporaryPath } from './abandoned-files.js';

/** The paths of files that were written, and of those that had the same content already. */
export interface WrittenFiles {
  readonly written: readonly string[];
  readonly unchanged: readonly string[];
}

/** A complete temporary file, to be renamed to its target. */
interface Prepared {
  readonly temporary: string;
  readonly target: string;
  readonly shown: string;
}

/**
 * Writes files into a directory and creates the directory if needed. Files with the same content are not
 * touched. All others are written and synced to temporary files first and renamed when all of them are
 * complete: a full disk or an unwritable target changes nothing, and readers never see a partial file. Temporary files
 * of runs that were killed are removed.
 *
 * @param directory - Relative to the working directory, or absolute.
 * @param files - The content of each file, by its path below the directory, with `/`.
 * @throws {CommandFailure} GG4006 when a file cannot be written.
 */
export async function writeFiles(
  directory: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  io: Pick<CliIo, 'directory'>,
): Promise<WrittenFiles> {
  const location = resolve(io.directory, directory);
  const prepared: Prepared[] = [];
  const unchanged: string[] = [];
  let current = directory;
  try {
    await makeDirectory(location);
    for (const [name, content] of Object.entries(files)) {
      current = join(directory, name);
      const path = join(location, name);
      if (name.includes('/')) await makeDirectory(dirname(path));
      const target = await resolveTarget(path);
      await removeAbandoned(dirname(target), basename(name));
      if (await hasContent(target, content)) {
        unchanged.push(current);
        continue;
      }
      const temporary = temporaryPath(target, basename(name));
      prepared.push({ temporary, target, shown: current });
      await writeSynced(temporary, content, await modeOf(target));
    }
    for (const { temporary, target, shown } of prepared) {
      current = shown;
      await rename(temporary, target);
    }
  } catch (error) {
    // A failing removal is ignored: the temporary file was never created, for example because its name is too long.
    for (const { temporary } of prepared) await rm(temporary, { force: true }).catch(() => undefined);
    throw cannotWrite(current, describeSystemError(error));
  }
  return { written: prepared.map(({ shown }) => shown), unchanged };
}

/** Writes one file like `writeFiles`. Returns whether its content changed. */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  io: Pick<CliIo, 'directory'>,
): Promise<boolean> {
  const { written } = await writeFiles(dirname(path), { [basename(path)]: content }, io);
  return written.length > 0;
}

/**
 * Creates files in a directory and creates the directory if needed. Never overwrites: when a file exists or
 * cannot be written, the files created so far are removed.
 *
 * @param mode - The permissions of the files.
 * @throws {CommandFailure} GG4006 when a file cannot be created.
 */
export async function createFiles(
  directory: string,
  files: Readonly<Record<string, string>>,
  io: Pick<CliIo, 'directory'>,
  mode = 0o666,
): Promise<void> {
  const location = resolve(io.directory, directory);
  const created: string[] = [];
  let current = directory;
  try {
    await makeDirectory(location);
    for (const [name, text] of Object.entries(files)) {
      current = join(directory, name);
      const path = join(location, name);
      await writeFile(path, text, { flag: 'wx', mode, flush: true });
      created.push(path);
    }
  } catch (error) {
    for (const path of created) await rm(path, { force: true });
    throw cannotWrite(current, describeSystemError(error));
  }
}

/** The GG4006 failure for a path. */
export function cannotWrite(path: string, reason: string): CommandFailure {
  return new CommandFailure([diagnose('GG4006', { path, reason }, wholeFile(path))]);
}

/**
 * Creates a directory and the directories above it. Node's own `recursive` never ends where a directory exists but
 * cannot have entries, as in `/proc`.
 */
async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = dirname(path);
    if (code === 'ENOENT' && parent !== path && !existsSync(parent)) {
      await makeDirectory(parent);
      await makeDirectory(path);
    } else if (!(await isDirectory(path))) {
      throw code === 'EEXIST' ? new Error('the path exists and is not a directory') : error;
    }
  }
}

async function isDirectory(path: string): Promise<boolean> {
  const status = await stat(path).catch(() => undefined);
  return status?.isDirectory() === true;
}

/** Symbolic links are kept: the file they point to is written. */
async function resolveTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return path;
  }
}

async function hasContent(path: string, content: string | Uint8Array): Promise<boolean> {
  const status = await stat(path).catch(() => undefined);
  if (status === undefined) return false;
  // Renaming over a directory would fail too, but only after other files have been replaced.
  if (!status.isFile()) throw new Error('the path exists and is not a file');
  const bytes = Buffer.from(content);
  return status.size === bytes.length && bytes.equals(await readFile(path));
}

/** A replaced file keeps its permissions. */
async function modeOf(path: string): Promise<number | undefined> {
  const status = await stat(path).catch(() => undefined);
  return status === undefined ? undefined : status.mode & 0o777;
}

async function writeSynced(
  path: string,
  content: string | Uint8Array,
  mode: number | undefined,
): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(content);
    if (mode !== undefined) await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}
