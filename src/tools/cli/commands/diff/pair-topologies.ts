import { type Diagnostic, diagnose } from '../../../../base/diagnostics/diagnostic.js';
import { wholeFile } from '../../../../base/source/span.js';
import { importsIn } from '../../../../compiler/analyze.js';
import { importRoots } from '../../../../compiler/graph/import-path.js';
import { isPattern } from '../../../../runtime/load/globs.js';
import { type FileTree, filesFor } from '../../files/trees.js';

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

/**
 * Files and globs together form one topology; a folder stands for each topology in it. Paths without any are
 * diagnostics.
 */
export async function pairByPaths(trees: Trees, paths: readonly string[]) {
  const diagnostics: Diagnostic[] = [];
  const folders: TopologyPair[] = [];
  const named = { before: new Set<string>(), after: new Set<string>() };
  for (const path of paths) {
    const kinds = [trees.before.kindOf(path), trees.after.kindOf(path)];
    if (kinds.includes('directory')) {
      const found = await pairFolders(trees, path, path);
      const place = path === '.' ? 'this directory' : path;
      if (found.length === 0) diagnostics.push(diagnose('GG5024', { place }, wholeFile(path)));
      folders.push(...found);
      continue;
    }
    const [before, after] = [filesFor(trees.before, path), filesFor(trees.after, path)];
    for (const file of before) named.before.add(file);
    for (const file of after) named.after.add(file);
    if (before.length + after.length > 0) continue;
    const span = wholeFile(path);
    diagnostics.push(
      isPattern(path) ? diagnose('GG4005', { pattern: path }, span) : diagnose('GG4001', { path }, span),
    );
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
  const old = await findTopologies(trees.before, before);
  const now = await findTopologies(trees.after, after);
  const pairs: TopologyPair[] = [];
  const lone: string[] = [];
  const fresh = [...now];
  for (const path of old) {
    const same = now.find((other) => within(after, other) === within(before, path));
    if (same === undefined) lone.push(path);
    else {
      fresh.splice(fresh.indexOf(same), 1);
      pairs.push({ name: same, before: [path], after: [same] });
    }
  }
  for (const path of lone) {
    const heir = fresh.find((root) => textsOf(trees.after, [root]).has(path));
    const renamed = heir ?? (lone.length === 1 && fresh.length === 1 ? fresh[0] : undefined);
    if (renamed !== undefined) fresh.splice(fresh.indexOf(renamed), 1);
    pairs.push({ name: renamed ?? path, before: [path], after: renamed === undefined ? [] : [renamed] });
  }
  for (const path of fresh) pairs.push({ name: path, before: [], after: [path] });
  return pairs.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function within(folder: string, path: string): string {
  return folder === '.' ? path : path.slice(folder.length + 1);
}

/** The `.gg` files below a folder that no other one imports; of an import cycle, the first by name. */
async function findTopologies(tree: FileTree, folder: string): Promise<readonly string[]> {
  const files = await tree.listTopologies(folder);
  const importsOf = (path: string): readonly string[] => {
    const reading = tree.loader.read(path);
    return reading?.ok ? importsIn({ name: path, source: reading.text }, tree.loader.parse) : [];
  };
  return importRoots(new Map(files.map((path) => [path, importsOf(path)])));
}

/** Every file of a topology with its text, or with the error that prevents reading it. */
export function textsOf(tree: FileTree, roots: readonly string[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const queue: (readonly [path: string, importer?: string])[] = roots.map((root) => [root]);
  for (const [path, importer] of queue) {
    if (texts.has(path)) continue;
    const reading = tree.loader.read(path, importer);
    texts.set(path, reading?.ok ? reading.text : `unreadable: ${reading?.problem.message}`);
    if (!reading?.ok) continue;
    for (const imported of importsIn({ name: path, source: reading.text }, tree.loader.parse))
      queue.push([imported, path]);
  }
  return texts;
}
