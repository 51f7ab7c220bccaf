import { diagnose } from '../../../../base/diagnostics/diagnostic.js';
import { wholeFile } from '../../../../base/source/span.js';
import type { ImportOptions } from '../../../../runtime/load/import-reach.js';
import { UsageError } from '../../terminal/command.js';
import type { CliIo } from '../../terminal/io.js';
import { type PairedTopologies, pairByPaths, pairFolders, type Trees } from './pair-topologies.js';
import { type Place, readOperands } from './read-operands.js';
import { Repository, type Revision } from './repository.js';
import { type FileTree, readRevisionTree, readWorkingTree } from './trees.js';

/** Opens both sides of a comparison, and pairs their topologies. */
export async function openTrees(
  operands: readonly string[],
  pathOperands: readonly string[],
  io: CliIo,
  imports?: ImportOptions,
): Promise<PairedTopologies & { readonly trees: Trees }> {
  let opened: Promise<Repository> | undefined;
  const repository = () => {
    opened ??= Repository.open(io);
    return opened;
  };
  const request = await readOperands(operands, pathOperands, repository, io.directory);
  if (request.kind === 'paths') {
    const { before, after, paths } = request;
    const open = async (revision: Revision | undefined) =>
      revision === undefined
        ? readWorkingTree('the working tree', await repository(), io, imports)
        : await readRevisionTree(await repository(), revision, paths, imports);
    const trees = { before: await open(before), after: await open(after) };
    return { trees, ...(await pairByPaths(trees, paths)) };
  }
  const open = async ({ revision, path }: Place): Promise<FileTree> => {
    if (revision === undefined) return readWorkingTree(path, undefined, io, imports);
    const tree = await readRevisionTree(await repository(), revision, [path], imports);
    return { ...tree, name: tree.displayName(path) };
  };
  const { before, after } = request;
  const trees = { before: await open(before), after: await open(after) };
  return { trees, ...(await pairPlaces(trees, before, after)) };
}

async function pairPlaces(trees: Trees, before: Place, after: Place): Promise<PairedTopologies> {
  const kinds = [trees.before.kindOf(before.path), trees.after.kindOf(after.path)];
  if (kinds.includes('directory') && kinds.includes('file')) {
    throw new UsageError('Cannot compare a file with a directory.');
  }
  if (kinds.includes('directory')) {
    const pairs = await pairFolders(trees, before.path, after.path);
    const place = `${trees.before.name} and ${trees.after.name}`;
    const empty = diagnose('GG5024', { place }, wholeFile(after.path));
    return { pairs, diagnostics: pairs.length === 0 ? [empty] : [] };
  }
  const sides: [FileTree, Place][] = [
    [trees.before, before],
    [trees.after, after],
  ];
  // In the working tree readOperands has checked that the file exists.
  const diagnostics = sides
    .filter(([tree, { path, revision }]) => revision !== undefined && tree.kindOf(path) === undefined)
    .map(([tree, { path }]) => tree.displayName(path))
    .map((file) => diagnose('GG4001', { path: file }, wholeFile(file)));
  const pair = { name: after.path, before: [before.path], after: [after.path] };
  return { pairs: diagnostics.length > 0 ? [] : [pair], diagnostics };
}
