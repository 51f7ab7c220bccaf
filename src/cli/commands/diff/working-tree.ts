import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createTopologyLoader, diskFiles } from '../../../load/load-topologies.js';
import { readTopology } from '../../files/read-topology.js';
import type { CliIo } from '../../terminal/io.js';
import type { FileTree } from './file-tree.js';
import type { Repository } from './repository.js';
import { isTopology } from './revision-tree.js';

/**
 * The files as they are now. In a repository those that git ignores are left out; elsewhere what begins
 * with a dot, and installed packages.
 *
 * @param name what messages call it
 * @param repository undefined outside of one
 */
export function readWorkingTree(name: string, repository: Repository | undefined, io: CliIo): FileTree {
  const loader = createTopologyLoader(diskFiles(io.directory));
  const kindOf: FileTree['kindOf'] = (path) => {
    if (path === '-' || /^https?:\/\//i.test(path)) return 'file';
    const status = statSync(resolve(io.directory, path), { throwIfNoEntry: false });
    if (status === undefined) return undefined;
    return status.isDirectory() ? 'directory' : 'file';
  };
  return {
    name,
    revision: undefined,
    describe: (path) => path,
    async listTopologies(folder) {
      const files = (await repository?.workingFiles(folder)) ?? listBelow(io.directory, folder);
      return files.filter((path) => isTopology(path) && kindOf(path) === 'file').sort();
    },
    kindOf,
    match: (pattern) => Promise.resolve(loader.load([pattern]).value.map((source) => source.name)),
    loader,
    analyze: (files) => readTopology(files, io),
  };
}

function listBelow(directory: string, folder: string): string[] {
  return readdirSync(join(directory, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return entry.name.startsWith('.') || entry.name === 'node_modules' ? [] : listBelow(directory, path);
  });
}
