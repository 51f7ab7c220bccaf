import { statSync } from 'node:fs';
import { isAbsolute, posix, relative, resolve, sep } from 'node:path';
import type { TopologySide } from '../../../analysis/diff/model/diff-report.js';
import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import { isWebUrl } from '../../../base/source/parse-url.js';
import { wholeFile } from '../../../base/source/span.js';
import { normalizePath } from '../../../compiler/graph/import-path.js';
import type { ProjectConfig } from '../../../runtime/config/project-config.js';
import { findConfigMistakes } from '../../../runtime/config/read-config.js';
import { expandGlob, isPattern } from '../../../runtime/load/globs.js';
import type { ImportOptions } from '../../../runtime/load/import-reach.js';
import {
  createTopologyLoader,
  diskFiles,
  type FileStore,
  type TopologyLoader,
} from '../../../runtime/load/load-topologies.js';
import { decodeTopology, topologyLimit } from '../../../runtime/load/read-topology.js';
import type { CliIo } from '../terminal/io.js';
import type { Repository, Revision, TreeEntry } from './repository.js';
import { topologiesBelow } from './topology-files.js';

type Kind = 'file' | 'directory' | undefined;

/** The files of one side: a revision or the working tree. All paths are relative to the directory. */
export interface FileTree extends Pick<TopologySide, 'revision' | 'displayName'> {
  /** Its name in messages: `HEAD`, `the working tree`. */
  readonly name: string;
  /** The `.gg` files below a folder, sorted; `.` is the directory itself. */
  readonly listTopologies: (folder: string) => Promise<readonly string[]>;
  readonly kindOf: (path: string) => Kind;
  readonly files: FileStore;
  readonly loader: TopologyLoader;
  /** The settings of the server in the project file; undefined if there is none that can be read. */
  readonly server: ProjectConfig['server'] | undefined;
}

/** The project of the command. */
export interface TreeProject {
  /** The URLs that topologies may import beyond the project or, at a revision, beyond the repository. */
  readonly imports?: ImportOptions | undefined;
  /** The path of its file. */
  readonly path?: string | undefined;
}

/** The files that a path or a glob names; none if there are none. */
export function filesFor({ kindOf, files }: FileTree, path: string): readonly string[] {
  if (kindOf(path) === 'file') return [path];
  return isPattern(path) ? files.expand(path) : [];
}

/** A path relative to the directory, as the paths of trees are. */
export function toLocal(path: string, directory: string): string {
  if (path === '-' || isWebUrl(path)) return path;
  const local = relative(directory, resolve(directory, path));
  if (local === '') return '.';
  return isAbsolute(local) ? local : local.split(sep).join('/');
}

export function kindOnDisk(path: string, directory: string): Kind {
  if (path === '-' || isWebUrl(path)) return 'file';
  const status = statSync(resolve(directory, path), { throwIfNoEntry: false });
  if (status === undefined) return undefined;
  return status.isDirectory() ? 'directory' : 'file';
}

/** The current files. Skips ignored files in a repository, and hidden directories and `node_modules` elsewhere. */
export async function readWorkingTree(
  name: string,
  repository: Repository | undefined,
  { directory }: CliIo,
  { imports, path: projectPath }: TreeProject,
): Promise<FileTree> {
  const kindOf = (path: string) => kindOnDisk(path, directory);
  const files = diskFiles(directory);
  return {
    name,
    revision: undefined,
    displayName: (path) => path,
    async listTopologies(folder) {
      const found = (await repository?.workingFiles(folder)) ?? topologiesBelow(folder, directory);
      return found.filter((path) => isTopology(path) && kindOf(path) === 'file').sort();
    },
    kindOf,
    files,
    loader: createTopologyLoader(files, imports),
    server: projectPath === undefined ? undefined : await readServer(files, projectPath),
  };
}

/** Opens the files of a commit, without a checkout. Reads all `.gg` files with one git process. */
export async function readRevisionTree(
  repository: Repository,
  { name, commit }: Revision,
  others: readonly string[],
  { imports, path: projectPath = configName }: TreeProject,
): Promise<FileTree> {
  const entries = await repository.filesAt(commit);
  const wanted = [...entries].filter(
    ([path, { isLink }]) => isTopology(path) || isLink || path === projectPath || others.includes(path),
  );
  const blobs = await repository.read(
    wanted.flatMap(([, { object, size }]) => (size > topologyLimit.bytes ? [] : [object])),
  );
  const paths = [...entries.keys()];
  const files = revisionFiles(repository, entries, blobs);
  return {
    name,
    revision: name,
    // gitrevisions(7): relative to the root of the repository.
    displayName: (path) => (isWebUrl(path) ? path : `${name}:${normalizePath(repository.prefix + path)}`),
    listTopologies: async (folder) => {
      const start = folder === '.' ? '' : `${folder}/`;
      const isBelow = (path: string) => path.startsWith(start) && !path.slice(start.length).startsWith('../');
      return paths.filter((path) => isTopology(path) && isBelow(path)).sort();
    },
    kindOf: (path) => {
      if (entries.has(path)) return 'file';
      return path === '.' || paths.some((one) => one.startsWith(`${path}/`)) ? 'directory' : undefined;
    },
    files,
    loader: createTopologyLoader(files, imports),
    server: await readServer(files, projectPath),
  };
}

const configName = 'gg-svc.config.json';

/** The settings of the server in a project file. One that is a module would have to be run. */
async function readServer(files: FileStore, path: string): Promise<FileTree['server']> {
  const reading = path.endsWith('.json') ? files.read(path) : undefined;
  if (reading?.ok !== true) return undefined;
  try {
    const config: unknown = JSON.parse(reading.text);
    const mistakes = await findConfigMistakes(config);
    return mistakes.length === 0 ? ((config as ProjectConfig).server ?? {}) : undefined;
  } catch {
    return undefined;
  }
}

const maxLinks = 8;

function revisionFiles(
  { prefix }: Repository,
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
  return {
    read(path) {
      const entry = follow(path, 0);
      if (entry !== undefined && entry.size > topologyLimit.bytes)
        return { ok: false, absent: false, problem: topologyLimit.exceeded(path, entry.size) };
      const bytes = entry && blobs.get(entry.object);
      if (bytes !== undefined) return decodeTopology(path, bytes);
      if (entry !== undefined && isTopology(path)) {
        const reason = `the object ${entry.object} of ${path} is missing or damaged`;
        return { ok: false, absent: false, problem: diagnose('GG5021', { reason }, wholeFile(path)) };
      }
      return { ok: false, absent: true, problem: diagnose('GG4001', { path }, wholeFile(path)) };
    },
    expand: (path) => (isPattern(path) && !entries.has(path) ? expandGlob(path, `/${prefix}`, entries.keys()) : [path]),
    identify: (path) => path,
  };
}

function isTopology(path: string): boolean {
  return path.endsWith('.gg');
}
