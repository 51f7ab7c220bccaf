import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';
import type { Resolvers } from '../../execute/resolvers/contract.js';
import type { FreshModule } from './fresh-modules.js';

/** What came of loading a resolvers module, and the files that this depends on. */
export type LoadedResolvers = (
  | { readonly ok: true; readonly resolvers: Resolvers }
  | { readonly ok: false; readonly diagnostic: Diagnostic }
) & { readonly files: readonly string[] };

/** Loads resolvers modules, and remembers the last one. */
export interface ResolversLoader {
  /** Loads the module at a path. One that was loaded well is not loaded again before it is forgotten. */
  load(path: string): Promise<LoadedResolvers>;
  /** Forgets what was loaded, if it depends on one of these files, given by their absolute paths. */
  forget(files: readonly string[]): void;
}

/** Where a resolvers module may lie that goes with a topology file: beside `service.gg`, with its name. */
export function resolversBeside(topology: string): readonly string[] {
  if (!topology.endsWith('.gg')) return [];
  const base = topology.slice(0, -'.gg'.length);
  return ['mjs', 'js'].map((ending) => `${base}.resolvers.${ending}`);
}

/**
 * Looks for a resolvers module that goes with a topology file: `service.resolvers.mjs` or `.js` beside
 * `service.gg`. Undefined when there is none.
 */
export function findResolvers(topology: string, directory: string): string | undefined {
  return resolversBeside(topology).find((path) => existsSync(resolve(directory, path)));
}

/**
 * Makes a loader of resolvers modules. What they give is their default export, or their named exports
 * (`Query`, `Mutation` …) as one object. Whatever goes wrong in them is the finding GG5001.
 *
 * @param directory - What paths are relative to.
 * @param isWatched - Whether modules may change, so that what is forgotten is read anew, with its imports.
 */
export function createResolversLoader(directory: string, isWatched: boolean): ResolversLoader {
  let last: { readonly path: string; readonly loaded: LoadedResolvers } | undefined;
  return {
    async load(path) {
      if (last?.path === path) return last.loaded;
      const absolute = resolve(directory, path);
      const importModule = isWatched ? (await import('./fresh-modules.js')).importFresh : importOnce;
      const { exports, error, files } = await importModule(absolute);
      if (exports === undefined) {
        const reason = existsSync(absolute)
          ? `${reasonOf(error)}${await placeOf(error, files, directory)}`
          : 'there is no such file';
        return { ...failure(path, reason), files };
      }
      const loaded = { ...readExports(path, exports), files };
      if (loaded.ok) last = { path, loaded };
      return loaded;
    },
    forget(files) {
      if (last?.loaded.files.some((file) => files.includes(file))) last = undefined;
    },
  };
}

async function importOnce(path: string): Promise<FreshModule> {
  try {
    return { exports: await import(pathToFileURL(path).href), error: undefined, files: [path] };
  } catch (error) {
    return { exports: undefined, error, files: [path] };
  }
}

type Loaded =
  | { readonly ok: true; readonly resolvers: Resolvers }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

function readExports(path: string, module: Readonly<Record<string, unknown>>): Loaded {
  const resolvers = 'default' in module ? module.default : objectsOf(module);
  if (typeof resolvers !== 'object' || resolvers === null || Array.isArray(resolvers)) {
    return failure(path, 'it exports something that is not an object');
  }
  if (Object.keys(resolvers).length === 0) return failure(path, 'it exports no resolvers');
  return { ok: true, resolvers: resolvers as Resolvers };
}

/** A module that exports its types one by one may export other things, such as functions, beside them. */
function objectsOf(module: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(module).filter(([, value]) => typeof value === 'object' && value !== null),
  );
}

function failure(path: string, reason: string): { readonly ok: false; readonly diagnostic: Diagnostic } {
  const span = { file: path, start: 0, end: 0 };
  return { ok: false, diagnostic: diagnose('GG5001', { path, reason }, span) };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [first = ''] = error.message.split('\n', 1);
  const message = first.replace(/\.$/, '');
  return error.name === 'Error' ? message : `${error.name}: ${message}`;
}

/** Where in the user's files a mistake is, as far as that can be found out: ` (lib/db.mjs, line 3)`. */
async function placeOf(error: unknown, files: readonly string[], directory: string): Promise<string> {
  if (!(error instanceof Error)) return '';
  const place = error instanceof SyntaxError ? await findSyntaxError(files) : findThrow(error, files);
  return place === undefined ? '' : ` (${relative(directory, place.file)}, line ${place.line})`;
}

/** The innermost line of one of these files in the stack of an error. */
function findThrow({ stack = '' }: Error, files: readonly string[]) {
  for (const [, url = '', line] of stack.matchAll(/(file:[^\n()]+?):(\d+):\d+\)?$/gm)) {
    const file = fileURLToPath(url.replace(/\?.*$/, ''));
    if (files.includes(file)) return { file, line };
  }
  return undefined;
}

/** The error of a text that does not parse tells no place; a Node that only checks the file does. */
async function findSyntaxError(files: readonly string[]) {
  for (const file of files) {
    const said = await new Promise<string>((done) => {
      execFile(process.execPath, ['--check', file], (_error, _stdout, stderr) => done(stderr));
    });
    const line = /^[^\n]*:(\d+)\r?\n/.exec(said)?.[1];
    if (line !== undefined) return { file, line };
  }
  return undefined;
}
