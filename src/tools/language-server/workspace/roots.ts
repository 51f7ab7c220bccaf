import { appendTo } from '../../../compiler/graph/maps.js';
/** The import graph of a workspace: by path, the paths that a file imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** The files without importers among a file and its importers, sorted; of a cycle, the first by name. */
export function rootsOf(path: string, imports: ImportGraph): string[] {
  const importers = invert(imports);
  const reached = new Set([path]);
  // A Set is iterated in the order of insertion, so items added during the iteration are visited, too.
  for (const one of reached) for (const importer of importers.get(one) ?? []) reached.add(importer);
  const all = [...reached].sort();
  const roots = all.filter((one) => !importers.has(one));
  return roots.length > 0 ? roots : all.slice(0, 1);
}

function invert(imports: ImportGraph): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const [importer, paths] of imports) {
    for (const path of paths) {
      if (path === importer) continue;
      appendTo(importers, path, importer);
    }
  }
  return importers;
}
