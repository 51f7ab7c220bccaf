import { type Diagnostic, diagnose } from '../../../../base/diagnostics/diagnostic.js';
import { wholeFile } from '../../../../base/source/span.js';
import { isPattern } from '../../../../runtime/load/globs.js';
import type { FileTree } from './file-tree.js';
import { findTopologies, textsOf } from './find-topologies.js';

/** One topology with its root files on both sides; a side without the topology has none. */
export interface TopologyPair {
  readonly name: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface Trees {
  readonly before: FileTree;
  readonly after: FileTree;
}

/** Pairs of topologies, and diagnostics for paths without any. */
export interface PairedTopologies {
  readonly pairs: readonly TopologyPair[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Files and globs together form one topology; a folder stands for each topology in it. */
export async function pairByPaths(trees: Trees, paths: readonly string[]): Promise<PairedTopologies> {
  const diagnostics: Diagnostic[] = [];
  const folders: TopologyPair[] = [];
  const named = { before: new Set<string>(), after: new Set<string>() };
  for (const path of paths) {
    const kinds = [trees.before.kindOf(path), trees.after.kindOf(path)];
    if (kinds.includes('directory')) {
      const found = await pairFolders(trees, path, path);
      if (found.length === 0) diagnostics.push(diagnose('GG5024', { place: nameOf(path) }, wholeFile(path)));
      folders.push(...found);
      continue;
    }
    const [before, after] = [await filesFor(trees.before, path), await filesFor(trees.after, path)];
    for (const file of before) named.before.add(file);
    for (const file of after) named.after.add(file);
    if (before.length + after.length === 0) {
      const code = isPattern(path) ? diagnose('GG4005', { pattern: path }, wholeFile(path)) : undefined;
      diagnostics.push(code ?? diagnose('GG4001', { path }, wholeFile(path)));
    }
  }
  const [before, after] = [[...named.before], [...named.after]];
  const name = [...new Set([...after, ...before])].join(', ');
  return { pairs: [...(name === '' ? [] : [{ name, before, after }]), ...folders], diagnostics };
}

/**
 * Pairs the topologies of two folders: by path; a topology that another one imports now with that one; and if
 * one is left on each side, these two, because the file was renamed.
 */
export async function pairFolders(trees: Trees, before: string, after: string): Promise<TopologyPair[]> {
  const old = new Map(
    (await findTopologies(trees.before, before)).map((path) => [within(before, path), path]),
  );
  const now = new Map((await findTopologies(trees.after, after)).map((path) => [within(after, path), path]));
  const pairs: TopologyPair[] = [];
  const lone: string[] = [];
  const taken = new Set<string>();
  for (const [key, path] of old) {
    const same = now.get(key);
    if (same === undefined) {
      lone.push(path);
      continue;
    }
    taken.add(same);
    pairs.push({ name: same, before: [path], after: [same] });
  }
  const fresh = [...now.values()].filter((path) => !taken.has(path));
  for (const path of lone) {
    const heir = fresh.find((root) => textsOf(trees.after, [root]).has(path));
    const renamed = heir ?? (lone.length === 1 && fresh.length === 1 ? fresh[0] : undefined);
    if (renamed !== undefined) fresh.splice(fresh.indexOf(renamed), 1);
    pairs.push({ name: renamed ?? path, before: [path], after: renamed === undefined ? [] : [renamed] });
  }
  for (const path of fresh) pairs.push({ name: path, before: [], after: [path] });
  return pairs.sort((a, b) => (a.name < b.name ? -1 : 1));
}

export async function filesFor(tree: FileTree, path: string): Promise<readonly string[]> {
  if (tree.kindOf(path) === 'file') return [path];
  return isPattern(path) ? await tree.match(path) : [];
}

function within(folder: string, path: string): string {
  return folder === '.' ? path : path.slice(folder.length + 1);
}

function nameOf(folder: string): string {
  return folder === '.' ? 'this directory' : folder;
}
