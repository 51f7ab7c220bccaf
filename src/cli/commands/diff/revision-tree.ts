import { posix } from 'node:path';
import type { SourceInput } from '../../../analyze.js';
import { type Diagnostic, diagnose } from '../../../diagnostics/diagnostic.js';
import { normalizePath } from '../../../graph/import-path.js';
import { analyzeLoaded } from '../../../load/analyze-topologies.js';
import { createTopologyLoader, type TopologyLoader } from '../../../load/load-topologies.js';
import { decodeTopology, maxTopologyBytes, type Reading, tooLarge } from '../../../load/reading.js';
import type { CliIo } from '../../terminal/io.js';
import type { FileTree } from './file-tree.js';
import type { Repository, TreeEntry } from './repository.js';

/** How many symbolic links may lead to one file. */
const maxLinks = 8;

/**
 * The files of a commit. Those that end in `.gg` are read at once, in one go; nothing is checked out.
 *
 * @param name what the user calls the commit
 * @param others files with other names that will be asked for
 */
export async function readRevisionTree(
  repository: Repository,
  { name, commit }: { readonly name: string; readonly commit: string },
  others: readonly string[],
  io: CliIo,
): Promise<FileTree> {
  const entries = await repository.filesAt(commit);
  const wanted = [...entries].filter(
    ([path, { isLink }]) => isTopology(path) || isLink || others.includes(path),
  );
  const blobs = await repository.read(
    wanted.flatMap(([, { object, size }]) => (size > maxTopologyBytes ? [] : [object])),
  );
  const folders = new Set([...entries.keys()].flatMap(foldersOf));
  const loader = createRevisionLoader(entries, blobs, io.directory);
  return {
    name,
    revision: name,
    // As git writes it: from the top of the repository, wherever the command was given.
    describe: (path) => (isUrl(path) ? path : `${name}:${normalizePath(repository.prefix + path)}`),
    listTopologies: async (folder) => {
      const start = folder === '.' ? '' : `${folder}/`;
      const isBelow = (path: string) => path.startsWith(start) && !path.slice(start.length).startsWith('../');
      return [...entries.keys()].filter((path) => isTopology(path) && isBelow(path)).sort();
    },
    kindOf: (path) =>
      entries.has(path) ? 'file' : path === '.' || folders.has(path) ? 'directory' : undefined,
    match: async (pattern) => (await repository.match(commit, pattern)).filter((path) => entries.has(path)),
    loader,
    analyze: async (files) => await analyzeLoaded(files, loader),
  };
}

/** Reads as the loader of the disk does; what is behind a URL has no revisions and is left to that one. */
function createRevisionLoader(
  entries: ReadonlyMap<string, TreeEntry>,
  blobs: ReadonlyMap<string, Buffer>,
  directory: string,
): TopologyLoader {
  const outside = createTopologyLoader(directory);
  const read = (path: string, links = 0): Reading | undefined => {
    const entry = entries.get(path);
    if (entry === undefined) return undefined;
    if (entry.size > maxTopologyBytes) return tooLarge(path, entry.size);
    const bytes = blobs.get(entry.object);
    if (bytes === undefined) return undefined;
    if (!entry.isLink) return decodeTopology(path, bytes);
    const target = normalizePath(posix.join(posix.dirname(path), bytes.toString('utf8')));
    return links === maxLinks ? undefined : read(target, links + 1);
  };
  return {
    missing: outside.missing,
    fetchMissing: () => outside.fetchMissing(),
    load(inputs) {
      const sources: SourceInput[] = [];
      const diagnostics: Diagnostic[] = [];
      for (const input of inputs) {
        const path = String(input);
        const reading = read(path);
        if (reading?.ok === true) sources.push({ name: path, source: reading.text });
        else diagnostics.push(reading?.problem(placeOf(path)) ?? diagnose('GG4001', { path }, placeOf(path)));
      }
      return { value: sources, diagnostics };
    },
    readImport(path) {
      if (isUrl(path)) return outside.readImport(path);
      const reading = read(path);
      return reading?.ok === true ? reading.text : undefined;
    },
    importProblem(path, place) {
      if (isUrl(path)) return outside.importProblem(path, place);
      const reading = read(path);
      return reading === undefined || reading.ok ? undefined : reading.problem(place);
    },
  };
}

/** Whether a file is a topology by its name. */
export function isTopology(path: string): boolean {
  return path.endsWith('.gg');
}

function isUrl(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/** `a/b/c.gg` → `a`, `a/b` */
function foldersOf(path: string): string[] {
  const steps = path.split('/').slice(0, -1);
  return steps.map((_, at) => steps.slice(0, at + 1).join('/'));
}

function placeOf(file: string): Diagnostic['span'] {
  return { file, start: 0, end: 0 };
}
