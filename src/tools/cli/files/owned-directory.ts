import { createHash } from 'node:crypto';
import { readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { failure } from '../terminal/failure.js';
import type { CliIo } from '../terminal/io.js';
import { writeFiles } from './write-files.js';

/** The list of the files that a command wrote into a directory, in that directory. */
const manifest = '.gg-svc-files.json';

/**
 * Writes files like `writeFiles`, and removes the files of the former run that are not written any more. Files that
 * another program wrote or changed are neither replaced nor removed: a list in the directory has the hash of each file.
 *
 * @throws {CommandFailure} GG5064 for a file of another program, and GG4006 when a file cannot be written.
 */
export async function replaceFiles(
  directory: string,
  files: Readonly<Record<string, string>>,
  io: Pick<CliIo, 'directory'>,
) {
  const location = resolve(io.directory, directory);
  const former = await readManifest(location);
  for (const [name, text] of Object.entries(files)) {
    const found = await hashOfFile(join(location, name));
    if (found === undefined || found === hashOf(text) || former.has(name)) continue;
    const path = join(directory, name);
    throw failure('GG5064', { path }, path);
  }
  const hashes = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, hashOf(text)]));
  const list = `${JSON.stringify({ files: hashes }, null, 2)}\n`;
  const written = await writeFiles(directory, { ...files, [manifest]: list }, io);
  const removed: string[] = [];
  for (const [name, hash] of former) {
    const path = join(location, name);
    if (Object.hasOwn(files, name) || (await hashOfFile(path)) !== hash) continue;
    await rm(path, { force: true });
    // Only an empty directory can be removed.
    if (dirname(path) !== location) await rmdir(dirname(path)).catch(() => undefined);
    removed.push(join(directory, name));
  }
  const isListed = (path: string) => path !== join(directory, manifest);
  return {
    written: written.written.filter(isListed),
    unchanged: written.unchanged.filter(isListed),
    removed,
  };
}

/** The hashes of the files of the former run, by name. Entries outside the directory are ignored. */
async function readManifest(location: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(location, manifest), 'utf8').catch(() => '{}');
  let files: unknown;
  try {
    files = (JSON.parse(text) as { readonly files?: unknown }).files;
  } catch {
    return new Map();
  }
  const entries = typeof files === 'object' && files !== null ? Object.entries(files) : [];
  return new Map(entries.filter(([name, hash]) => isBelow(name) && typeof hash === 'string'));
}

function isBelow(name: string): boolean {
  return name
    .split('/')
    .every((part) => part !== '' && part !== '.' && part !== '..' && !part.includes('\\'));
}

async function hashOfFile(path: string): Promise<string | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  return bytes && createHash('sha256').update(bytes).digest('hex');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
