import { resolve } from 'node:path';
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';
import type { Resolvers } from '../../execute/resolvers/contract.js';
import { loadModule } from '../../load/user-module.js';

/** The resolvers of a module or why there are none, and the files that this depends on. */
export type LoadedResolvers = (
  | { readonly ok: true; readonly resolvers: Resolvers }
  | { readonly ok: false; readonly diagnostic: Diagnostic }
) & { readonly files: readonly string[] };

/** Loads resolvers modules and caches the last one. */
export interface ResolversLoader {
  load(path: string): Promise<LoadedResolvers>;
  /** Drops the cached module if it depends on one of these files, given by absolute paths. */
  invalidate(files: readonly string[]): void;
}

/**
 * Creates a loader. The resolvers of a module are its default export, or its named exports (`Query`,
 * `Mutation` …) together. A module that cannot be used is GG5001.
 *
 * @param directory - The directory that paths are relative to.
 * @param isWatched - Whether an invalidated module is loaded again, with its imports.
 */
export function createResolversLoader(directory: string, isWatched: boolean): ResolversLoader {
  let last: { readonly path: string; readonly loaded: LoadedResolvers } | undefined;
  return {
    async load(path) {
      if (last?.path === path) return last.loaded;
      const module = await loadModule(resolve(directory, path), directory, isWatched);
      const { files } = module;
      if (!module.ok) return { ok: false, diagnostic: cannotUse(path, module.reason, module.advice), files };
      const resolvers = 'default' in module.exports ? module.exports.default : objectsOf(module.exports);
      if (typeof resolvers !== 'object' || resolvers === null || Array.isArray(resolvers)) {
        return { ok: false, diagnostic: cannotUse(path, 'it must export an object'), files };
      }
      const reason = whyNoResolvers(resolvers, module.exports);
      if (reason !== undefined) return { ok: false, diagnostic: cannotUse(path, reason), files };
      const loaded = { ok: true, resolvers: resolvers as Resolvers, files } as const;
      last = { path, loaded };
      return loaded;
    },
    invalidate(files) {
      if (last?.loaded.files.some((file) => files.includes(file))) last = undefined;
    },
  };
}

/** Named exports that are not objects, such as functions, are not resolvers. */
function objectsOf(module: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(module).filter(([, value]) => typeof value === 'object' && value !== null),
  );
}

/** Why a module has no resolvers, or some that would have no effect. */
function whyNoResolvers(resolvers: object, exports: Readonly<Record<string, unknown>>): string | undefined {
  const unused = ['Query', 'Mutation', 'Subscription'].filter(
    (root) => root in exports && 'default' in exports && !(root in resolvers),
  );
  if (unused.length > 0) {
    return `it has a default export, so its export ${unused.join(' and ')} has no effect; put it into the default export`;
  }
  if (Object.keys(resolvers).length > 0) return undefined;
  const [name] = Object.keys(exports).filter((key) => typeof exports[key] === 'function');
  return name === undefined
    ? 'it exports no resolvers'
    : `it exports the function ${name}, but no object Query, Mutation or Subscription with such functions`;
}

function cannotUse(path: string, reason: string, advice?: string): Diagnostic {
  return diagnose('GG5001', { path, reason, advice }, { file: path, start: 0, end: 0 });
}
