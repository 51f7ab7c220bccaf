import { type Diagnostic, diagnose } from '../../../../base/diagnostics/diagnostic.js';
import { wholeFile } from '../../../../base/source/span.js';
import type { ImportOptions } from '../../../../runtime/load/import-reach.js';
import { UsageError } from '../../terminal/command.js';
import type { CliIo } from '../../terminal/io.js';
import type { FileTree } from './file-tree.js';
import { type PairedTopologies, pairByPaths, pairFolders, type Trees } from './pair-topologies.js';
import { type DiffRequest, readOperands, type SideRequest } from './read-operands.js';
import { Repository } from './repository.js';
import { readRevisionTree } from './revision-tree.js';
import { readWorkingTree } from './working-tree.js';

export interface OpenedTrees extends PairedTopologies {
  readonly trees: Trees;
}

/**
 * Opens both sides of a comparison.
 *
 * @param pathOperands - The operands after `--`.
 * @throws {UsageError} When the operands contradict each other.
 * @throws {CommandFailure} When a revision cannot be read.
 */
export async function openTrees(
  operands: readonly string[],
  pathOperands: readonly string[],
  io: CliIo,
  imports?: ImportOptions,
): Promise<OpenedTrees> {
  let opened: Promise<Repository> | undefined;
  const repository = () => {
    opened ??= Repository.open(io);
    return opened;
  };
  const request = await readOperands(operands, pathOperands, repository, io);
  if (request.kind === 'places') return await openPlaces(request, repository, io, imports);
  const { before, after, paths } = request;
  const open = async ({ revision }: SideRequest) =>
    revision === undefined
      ? readWorkingTree('the working tree', await repository(), io, imports)
      : await readRevisionTree(await repository(), revision, paths, imports);
  const trees = { before: await open(before), after: await open(after) };
  return { trees, ...(await pairByPaths(trees, paths)) };
}

async function openPlaces(
  { before, after }: Extract<DiffRequest, { readonly kind: 'places' }>,
  repository: () => Promise<Repository>,
  io: CliIo,
  imports: ImportOptions | undefined,
): Promise<OpenedTrees> {
  const open = async ({ revision, path }: typeof before): Promise<FileTree> => {
    if (revision === undefined) return readWorkingTree(path, undefined, io, imports);
    const tree = await readRevisionTree(await repository(), revision, [path], imports);
    return { ...tree, name: tree.displayName(path) };
  };
  const trees = { before: await open(before), after: await open(after) };
  const places = [trees.before.kindOf(before.path), trees.after.kindOf(after.path)];
  if (places.includes('directory') && places.includes('file')) {
    throw new UsageError('Cannot compare a file with a directory.');
  }
  if (places.includes('directory')) {
    const pairs = await pairFolders(trees, before.path, after.path);
    const place = `${trees.before.name} and ${trees.after.name}`;
    const empty = diagnose('GG5024', { place }, wholeFile(after.path));
    return { trees, pairs, diagnostics: pairs.length === 0 ? [empty] : [] };
  }
  const diagnostics: Diagnostic[] = [];
  for (const [tree, { path, revision }] of [
    [trees.before, before],
    [trees.after, after],
  ] as const) {
    // In the working tree readOperands has checked that the file exists.
    if (revision === undefined || tree.kindOf(path) !== undefined) continue;
    const file = tree.displayName(path);
    diagnostics.push(diagnose('GG4001', { path: file }, wholeFile(file)));
  }
  const pair = { name: after.path, before: [before.path], after: [after.path] };
  return { trees, pairs: diagnostics.length > 0 ? [] : [pair], diagnostics };
}
