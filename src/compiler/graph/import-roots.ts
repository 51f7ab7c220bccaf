import { appendTo } from './maps.js';

/** By path, the paths that a file imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/**
 * The files at which topologies begin, sorted: those that no other file imports, and of an import cycle that no other
 * file imports, the first by name.
 *
 * @param part - A file: then only the topologies that contain it. Default: all.
 */
export function importRoots(imports: ImportGraph, part?: string): string[] {
  const importers = new Map<string, string[]>();
  for (const [importer, paths] of imports) for (const path of paths) appendTo(importers, path, importer);
  const above = (path: string): ReadonlySet<string> => {
    const reached = new Set([path]);
    // A Set is iterated in the order of insertion, so items added during the iteration are visited, too.
    for (const one of reached) for (const importer of importers.get(one) ?? []) reached.add(importer);
    return reached;
  };
  const files = part === undefined ? imports.keys() : above(part);
  return [...files]
    .sort()
    .filter((file) => [...above(file)].every((other) => other >= file && above(other).has(file)));
}
