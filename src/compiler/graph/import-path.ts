import { isUri, parseUrl } from '../../base/source/parse-url.js';
import type { Document } from '../syntax/ast.js';
import { appendTo } from './maps.js';

/** The paths of the files that a file imports. */
export function importsOf({ file, statements }: Document): readonly string[] {
  return statements.flatMap((statement) =>
    statement.kind === 'Import' ? [resolveImportPath(file.name, statement.specifier)] : [],
  );
}

/**
 * The file that an import names: its specifier, resolved against the importing file. Paths are written with `/` and are
 * normalized: `.` and `..` steps are resolved (`a/main.gg` with `../b.gg` is `b.gg`); URLs are read as URLs. Nothing is
 * looked up: the answer is a name, and two names are the same file when they are equal.
 *
 * @param from the name of the importing file: a path, a URL, or a made-up name without a folder
 * @param specifier what the import says: relative, absolute, or a URL
 */
export function resolveImportPath(from: string, specifier: string): string {
  const absolute = parseAbsolute(specifier);
  if (absolute !== undefined) return absolute.href;
  const base = parseAbsolute(from);
  if (base !== undefined) return parseUrl(specifier, base.href)?.href ?? specifier;
  const path = normalizePath(specifier);
  if (path.startsWith('/')) return path;
  const folder = normalizePath(from).replace(/[^/]*$/, '');
  return normalizePath(folder + path);
}

/**
 * The normalized form of a path (`./a//b/../c.gg` is `a/c.gg`), so that names can be compared. URLs are normalized as
 * URLs.
 */
export function normalizePath(path: string): string {
  const url = parseAbsolute(path);
  if (url !== undefined) return url.href;
  const steps: string[] = [];
  const absolute = /^[/\\]/.test(path);
  for (const step of path.split(/[/\\]/)) {
    if (step === '' || step === '.') continue;
    if (step !== '..') steps.push(step);
    else if (steps.length > 0 && steps[steps.length - 1] !== '..') steps.pop();
    else if (!absolute) steps.push(step);
  }
  return (absolute ? '/' : '') + steps.join('/');
}

function parseAbsolute(text: string): URL | undefined {
  return isUri(text) ? parseUrl(text) : undefined;
}

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
  return [...files].sort().filter((file) => [...above(file)].every((other) => other >= file && above(other).has(file)));
}
