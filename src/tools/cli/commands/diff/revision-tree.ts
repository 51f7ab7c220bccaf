import { posix } from 'node:path';
import { diagnose } from '../../../../base/diagnostics/diagnostic.js';
import { isWebUrl } from '../../../../base/source/parse-url.js';
import { wholeFile } from '../../../../base/source/span.js';
import { normalizePath } from '../../../../compiler/graph/import-path.js';
import { analyzeTopologies } from '../../../../runtime/load/analyze-topologies.js';
import { expandGlob } from '../../../../runtime/load/globs.js';
import type { ImportOptions } from '../../../../runtime/load/import-reach.js';
import { createTopologyLoader, type FileStore } from '../../../../runtime/load/load-topologies.js';
import { decodeTopology, type Reading, topologyLimit } from '../../../../runtime/load/read-topology.js';
import type { FileTree } from './file-tree.js';
import type { Repository, TreeEntry } from './repository.js';

const maxLinks = 8;

/**
 * Opens the files of a commit, without a checkout. Reads all `.gg` files with one git process.
 *
 * @param name - The name of the commit as the user wrote it.
 * @param others - Other files to read.
 * @param imports - What topologies may import beyond the repository: URLs.
 */
export async function readRevisionTree(
  repository: Repository,
  { name, commit }: { readonly name: string; readonly commit: string },
  others: readonly string[],
  imports?: ImportOptions,
): Promise<FileTree> {
  const entries = await repository.filesAt(commit);
  const wanted = [...entries].filter(
    ([path, { isLink }]) => isTopology(path) || isLink || others.includes(path),
  );
  const blobs = await repository.read(
    wanted.flatMap(([, { object, size }]) => (size > topologyLimit.bytes ? [] : [object])),
  );
  const folders = new Set([...entries.keys()].flatMap(foldersOf));
  const loader = createTopologyLoader(revisionFiles(entries, blobs), imports);
  return {
    name,
    revision: name,
    // gitrevisions(7): relative to the root of the repository.
    displayName: (path) => (isWebUrl(path) ? path : `${name}:${normalizePath(repository.prefix + path)}`),
    listTopologies: async (folder) => {
      const start = folder === '.' ? '' : `${folder}/`;
      const isBelow = (path: string) => path.startsWith(start) && !path.slice(start.length).startsWith('../');
      return [...entries.keys()].filter((path) => isTopology(path) && isBelow(path)).sort();
    },
    kindOf: (path) =>
      entries.has(path) ? 'file' : path === '.' || folders.has(path) ? 'directory' : undefined,
    match: async (pattern) => expandGlob(pattern, `/${repository.prefix}`, entries.keys()),
    loader,
    analyze: async (files) => await analyzeTopologies(files, loader),
  };
}

/** The files of a revision. Globs have been expanded before. */
function revisionFiles(
  entries: ReadonlyMap<string, TreeEntry>,
  blobs: ReadonlyMap<string, Buffer>,
): FileStore {
  const follow = (path: string, links: number): TreeEntry | undefined => {
    const entry = entries.get(path);
    if (!entry?.isLink) return entry;
    const target = blobs.get(entry.object)?.toString('utf8');
    if (target === undefined || links === maxLinks) return undefined;
    return follow(normalizePath(posix.join(posix.dirname(path), target)), links + 1);
  };
  const read = (path: string): Reading => {
    const entry = follow(path, 0);
    if (entry !== undefined && entry.size > topologyLimit.bytes) {
      return { ok: false, absent: false, problem: topologyLimit.exceeded(path, entry.size) };
    }
    const bytes = entry && blobs.get(entry.object);
    if (bytes !== undefined) return decodeTopology(path, bytes);
    const problem = diagnose('GG4001', { path }, wholeFile(path));
    return { ok: false, absent: true, problem };
  };
  return { read, expand: (path) => [path], identify: (path) => path };
}

export function isTopology(path: string): boolean {
  return path.endsWith('.gg');
}

/** `a/b/c.gg` → `a`, `a/b` */
function foldersOf(path: string): string[] {
  const steps = path.split('/').slice(0, -1);
  return steps.map((_, at) => steps.slice(0, at + 1).join('/'));
}
