import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, resolve } from 'node:path';
import { normalizePath } from '../../compiler/graph/import-path.js';

/** Some of these characters are in every glob. */
export const globCharacters = /[*?[\]{}()!]/;

/** Whether a text has the syntax of a glob: `topologies/*.gg`, `service.g[g]`, `{a,b}.gg`, but not `HEAD@{1}`. */
export function isPattern(text: string): boolean {
  return globCharacters.test(text) && tinyglobby().isDynamicPattern(text);
}

/** Whether an operand is a glob. The name of an existing file is not one, even `a[1].gg`. */
export function isGlob(operand: string, directory: string): boolean {
  return isPattern(operand) && !existsSync(resolve(directory, operand));
}

/** The paths that match a glob, sorted: those of `paths`, or of the disk. */
export function expandGlob(pattern: string, directory: string, paths?: Iterable<string>): readonly string[] {
  const fs = paths && { fs: treeOf(paths, directory) };
  const options = { cwd: directory, expandDirectories: false, ...fs };
  return tinyglobby().globSync(pattern, options).map(normalizePath).sort();
}

/** Loaded here, because most topologies are named without a glob. */
function tinyglobby(): typeof import('tinyglobby') {
  return createRequire(import.meta.url)('tinyglobby') as typeof import('tinyglobby');
}

/** The part of a file system that globs read, of files that are not on disk. */
function treeOf(paths: Iterable<string>, directory: string) {
  const folders = new Map<string, Map<string, 'file' | 'folder'>>();
  const add = (path: string, kind: 'file' | 'folder'): void => {
    const folder = dirname(path);
    if (folder === path) return;
    const entries = folders.get(folder);
    if (entries !== undefined) entries.set(basename(path), kind);
    else {
      folders.set(folder, new Map([[basename(path), kind]]));
      add(folder, 'folder');
    }
  };
  for (const path of paths) add(resolve(directory, path), 'file');
  const readdirSync = (path: string) =>
    [...(folders.get(resolve(path)) ?? [])].map(([name, kind]) => ({
      name,
      parentPath: path,
      isFile: () => kind === 'file',
      isDirectory: () => kind === 'folder',
      isSymbolicLink: () => false,
    }));
  return { readdirSync } as unknown as typeof import('node:fs');
}
