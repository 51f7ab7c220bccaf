import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isWebUrl } from '../../../../base/source/parse-url.js';
import type { ImportOptions } from '../../../../runtime/load/import-reach.js';
import { createTopologyLoader, diskFiles } from '../../../../runtime/load/load-topologies.js';
import { readTopology } from '../../files/read-topology.js';
import { topologiesBelow } from '../../files/topology-files.js';
import type { CliIo } from '../../terminal/io.js';
import type { FileTree } from './file-tree.js';
import type { Repository } from './repository.js';
import { isTopology } from './revision-tree.js';

/**
 * The current files. Skips ignored files in a repository, and hidden directories and `node_modules` elsewhere.
 *
 * @param name - Its name in messages.
 * @param repository - Undefined outside of a repository.
 * @param imports - What topologies may import beyond their project.
 */
export function readWorkingTree(
  name: string,
  repository: Repository | undefined,
  io: CliIo,
  imports?: ImportOptions,
): FileTree {
  const loader = createTopologyLoader(diskFiles(io.directory), imports);
  const kindOf: FileTree['kindOf'] = (path) => {
    if (path === '-' || isWebUrl(path)) return 'file';
    const status = statSync(resolve(io.directory, path), { throwIfNoEntry: false });
    if (status === undefined) return undefined;
    return status.isDirectory() ? 'directory' : 'file';
  };
  return {
    name,
    revision: undefined,
    displayName: (path) => path,
    async listTopologies(folder) {
      const files = (await repository?.workingFiles(folder)) ?? topologiesBelow(folder, io.directory);
      return files.filter((path) => isTopology(path) && kindOf(path) === 'file').sort();
    },
    kindOf,
    match: (pattern) => Promise.resolve(loader.load([pattern]).value.map((source) => source.name)),
    loader,
    analyze: (files) => readTopology(files, io, {}, loader),
  };
}
