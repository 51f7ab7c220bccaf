import { existsSync, type Stats } from 'node:fs';
import { mkdir, open, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { describeSystemError } from '../../../base/read/read-bytes.js';
import { failure } from '../terminal/failure.js';
import type { CliIo } from '../terminal/io.js';

/**
 * Writes files into a directory and creates the directory if needed. Files with the same content are not
 * touched. All others are written and synced to temporary files first and renamed when all of them are
 * complete: a full disk or an unwritable target changes nothing, and readers never see a partial file. Temporary files
 * of runs that were killed are removed.
 *
 * @param files - The content of each file, by its path below the directory, with `/`.
 * @returns The paths of files that were written, and of those that had the same content already.
 */
export async function writeFiles(
  directory: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  io: Pick<CliIo, 'directory'>,
) {
  const location = resolve(io.directory, directory);
  /** Complete temporary files, to be renamed to their targets. */
  const prepared: { readonly temporary: string; readonly target: string; readonly shown: string }[] = [];
  const unchanged: string[] = [];
  let current = directory;
  try {
    await makeDirectory(location);
    for (const [name, content] of Object.entries(files)) {
      current = join(directory, name);
      const path = join(location, name);
      if (name.includes('/')) await makeDirectory(dirname(path));
      // Symbolic links are kept: the file they point to is written.
      const target = await realpath(path).catch(() => path);
      await removeAbandoned(dirname(target), basename(name));
      const status = await stat(target).catch(() => undefined);
      if (status !== undefined && (await hasContent(target, status, content))) {
        unchanged.push(current);
        continue;
      }
      // The name tells which process writes the file.
      const unique = `.${basename(name)}.${process.pid}-${crypto.randomUUID()}.tmp`;
      const temporary = join(dirname(target), unique);
      prepared.push({ temporary, target, shown: current });
      await writeSynced(temporary, content, status);
    }
    for (const { temporary, target, shown } of prepared) {
      current = shown;
      await rename(temporary, target);
    }
  } catch (error) {
    // A failing removal is ignored: the temporary file was never created, for example because its name is too long.
    for (const { temporary } of prepared) await rm(temporary, { force: true }).catch(() => undefined);
    throw failure('GG4006', { path: current, reason: describeSystemError(error) }, current);
  }
  return { written: prepared.map(({ shown }) => shown), unchanged };
}

/** Writes one file like `writeFiles`. Returns whether its content changed. */
export async function replaceFile(path: string, content: string | Uint8Array, io: Pick<CliIo, 'directory'>) {
  const { written } = await writeFiles(dirname(path), { [basename(path)]: content }, io);
  return written.length > 0;
}

/**
 * Creates files in a directory and creates the directory if needed. Never overwrites: when a file exists or
 * cannot be written, the files created so far are removed.
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
    throw failure('GG4006', { path: current, reason: describeSystemError(error) }, current);
  }
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
      return makeDirectory(path);
    }
    const status = await stat(path).catch(() => undefined);
    if (status?.isDirectory() === true) return;
    throw code === 'EEXIST' ? new Error('the path exists and is not a directory') : error;
  }
}

async function hasContent(path: string, status: Stats, content: string | Uint8Array): Promise<boolean> {
  // Renaming over a directory would fail too, but only after other files have been replaced.
  if (!status.isFile()) throw new Error('the path exists and is not a file');
  const bytes = Buffer.from(content);
  return status.size === bytes.length && bytes.equals(await readFile(path));
}

/** @param replaced - The file that is replaced. The new one has its permissions. */
async function writeSynced(path: string, content: string | Uint8Array, replaced?: Stats): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(content);
    if (replaced !== undefined) await file.chmod(replaced.mode & 0o777);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** After this time a temporary file is abandoned, even if some process has the id of its writer, in milliseconds. */
const maxAge = 60 * 60 * 1000;

/**
 * Removes the temporary files for the file `name` in a directory whose writers were killed. A failure is ignored: the
 * files do no harm.
 */
async function removeAbandoned(directory: string, name: string): Promise<void> {
  const entries = await readdir(directory).catch(() => []);
  const prefix = `.${name}.`;
  for (const entry of entries) {
    if (!entry.startsWith(prefix)) continue;
    // Earlier versions wrote no process id.
    const found = /^(?:(\d+)-)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/.exec(entry.slice(prefix.length));
    if (found === null) continue;
    const path = join(directory, entry);
    try {
      const { mtimeMs } = await stat(path);
      const isAbandoned =
        found[1] === undefined || mtimeMs < Date.now() - maxAge || !isWriting(Number(found[1]), mtimeMs);
      if (isAbandoned) await rm(path, { force: true });
    } catch {
      // Another process has removed or renamed it.
    }
  }
}

/** Whether the process that wrote a file at some time still runs. A container gives each run the same process id. */
function isWriting(pid: number, time: number): boolean {
  if (pid === process.pid) return time >= performance.timeOrigin;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
