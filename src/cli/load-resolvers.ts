import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js';
import type { Resolvers } from '../runtime/options.js';

/** What came of loading a resolvers module. */
export type LoadedResolvers =
  | { readonly ok: true; readonly resolvers: Resolvers }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/**
 * Looks for a resolvers module that goes with a topology file: `service.resolvers.mjs` or `.js` beside
 * `service.gg`. Undefined when there is none.
 */
export function findResolvers(topology: string, directory: string): string | undefined {
  if (!topology.endsWith('.gg')) return undefined;
  const base = topology.slice(0, -'.gg'.length);
  return ['mjs', 'js']
    .map((ending) => `${base}.resolvers.${ending}`)
    .find((path) => existsSync(resolve(directory, path)));
}

/**
 * Loads a resolvers module: its default export, or its named exports (`Query`, `Mutation` …) as one
 * object. Whatever goes wrong in it is the finding GG5001.
 *
 * @param version - 0 for the first time; another number reads the module anew, but not what it imports.
 */
export async function loadResolvers(
  path: string,
  directory: string,
  version: number,
): Promise<LoadedResolvers> {
  try {
    const url = pathToFileURL(resolve(directory, path));
    // A module is kept by its address; with another one it is read anew.
    if (version > 0) url.searchParams.set('version', String(version));
    const module: Record<string, unknown> = await import(url.href);
    const resolvers = 'default' in module ? module.default : objectsOf(module);
    if (typeof resolvers !== 'object' || resolvers === null || Array.isArray(resolvers)) {
      return failure(path, 'it exports something that is not an object');
    }
    if (Object.keys(resolvers).length === 0) return failure(path, 'it exports no resolvers');
    return { ok: true, resolvers: resolvers as Resolvers };
  } catch (error) {
    return failure(path, existsSync(resolve(directory, path)) ? reasonOf(error) : 'there is no such file');
  }
}

/** A module that exports its types one by one may export other things, such as functions, beside them. */
function objectsOf(module: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(module).filter(([, value]) => typeof value === 'object' && value !== null),
  );
}

function failure(path: string, reason: string): LoadedResolvers {
  const span = { file: path, start: 0, end: 0 };
  return { ok: false, diagnostic: diagnose('GG5001', { path, reason }, span) };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [first = ''] = error.message.split('\n', 1);
  const message = first.replace(/\.$/, '');
  return error.name === 'Error' ? message : `${error.name}: ${message}`;
}
