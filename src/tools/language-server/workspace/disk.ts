import { type Dirent, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic } from '../../../base/diagnostics/diagnostic.js';
import { isUri } from '../../../base/source/parse-url.js';
import { importsIn } from '../../../compiler/analyze.js';
import { normalizePath } from '../../../compiler/graph/import-path.js';
import { type ImportOptions, ImportReach } from '../../../runtime/load/import-reach.js';
import { type Reading, readTopologyFile } from '../../../runtime/load/read-topology.js';
import { uriOf } from './locations.js';
import type { FolderEntry, StoredFiles } from './stored-files.js';
import { TopologyFile } from './topology-file.js';

/** The files on disk, cached until their modification time, size or inode changes. */
export class Disk implements StoredFiles {
  readonly #files = new Map<string, Kept<TopologyFile | Reading>>();
  readonly #imports = new Map<string, Kept<readonly string[]>>();

  file(path: string): TopologyFile | undefined {
    const found = this.#read(path);
    return found instanceof TopologyFile ? found : undefined;
  }

  problem(path: string): Diagnostic | undefined {
    const found = this.#read(path);
    if (found === undefined || found instanceof TopologyFile || found.ok || found.absent) return undefined;
    return found.problem;
  }

  refusal(path: string, importer: string, root: string, imports: ImportOptions): Diagnostic | undefined {
    if (isUri(root)) return undefined;
    const reach = new ImportReach(dirname(root), imports);
    reach.add(root);
    return reach.refusal(path, importer);
  }

  /** The text is not kept. */
  imports(path: string): readonly string[] {
    return kept(this.#imports, path, (exists) => {
      const reading = exists ? readTopologyFile(path, path) : undefined;
      return reading?.ok === true ? importsIn({ name: path, source: reading.text }) : [];
    });
  }

  readonly below = findTopologyFiles;

  entries(folder: string): readonly FolderEntry[] {
    return entriesOf(folder).map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
  }

  #read(path: string): TopologyFile | Reading | undefined {
    if (isUri(path)) return undefined;
    return kept(this.#files, path, () => {
      const reading = readTopologyFile(path, path);
      if (!reading.ok) return reading;
      return new TopologyFile(path, TextDocument.create(uriOf(path), 'gg', 0, reading.text));
    });
  }
}

interface Kept<T> {
  readonly state: string | undefined;
  readonly value: T;
}

/** The kept value of a path, made again when the state of its file has changed. */
function kept<T>(values: Map<string, Kept<T>>, path: string, make: (exists: boolean) => T): T {
  const known = values.get(path);
  const state = stateOf(path);
  if (known !== undefined && known.state === state) return known.value;
  const value = make(state !== undefined);
  values.set(path, { state, value });
  return value;
}

function stateOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats && `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
  } catch {
    // A directory of the path cannot be entered, or the name is too long.
    return undefined;
  }
}

/** Topology files below a folder, sorted; of at most 100 000 entries, as it may be a home directory. */
export function findTopologyFiles(folder: string): string[] {
  const found: string[] = [];
  const folders = [folder];
  let seen = 0;
  for (let next = folders.pop(); next !== undefined && seen < maxEntries; next = folders.pop()) {
    for (const entry of entriesOf(next)) {
      seen += 1;
      const path = join(next, entry.name);
      if (entry.isDirectory()) {
        if (!entry.name.startsWith('.') && entry.name !== 'node_modules') folders.push(path);
      } else if (entry.name.endsWith('.gg')) {
        found.push(normalizePath(path));
      }
    }
  }
  return found.sort();
}

const maxEntries = 100_000;

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
