import { importsIn } from '../../../../compiler/analyze.js';
import type { FileTree } from './file-tree.js';

/** The `.gg` files below a folder that no other one imports; of an import cycle, the first by name. */
export async function findTopologies(tree: FileTree, folder: string): Promise<readonly string[]> {
  const files = await tree.listTopologies(folder);
  const importsOf = (path: string): readonly string[] => {
    const reading = tree.loader.read(path);
    return reading?.ok ? importsIn({ name: path, source: reading.text }, tree.loader.parse) : [];
  };
  const imports = new Map(files.map((path) => [path, importsOf(path)]));
  const imported = new Set(
    [...imports].flatMap(([path, targets]) => targets.filter((target) => target !== path)),
  );
  const roots = files.filter((path) => !imported.has(path));
  const reached = new Set<string>();
  const reach = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const target of imports.get(path) ?? []) reach(target);
  };
  for (const root of roots) reach(root);
  for (const path of files) {
    if (reached.has(path)) continue;
    roots.push(path);
    reach(path);
  }
  return roots.sort();
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
