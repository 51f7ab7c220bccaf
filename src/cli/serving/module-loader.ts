import { resolve } from 'node:path';
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';
import { loadModule } from '../../load/user-module.js';

/** What a module of the user gives, or why it cannot be used, and the files that this depends on. */
export type Loaded<Value> = (
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly diagnostic: Diagnostic }
) & { readonly files: readonly string[] };

/** Loads modules of one kind and caches the last one. */
export interface ModuleLoader<Value> {
  load(path: string): Promise<Loaded<Value>>;
  /** Drops the cached module if it depends on one of these files, given by absolute paths. */
  invalidate(files: readonly string[]): void;
}

/**
 * Creates a loader.
 *
 * @param directory - The directory that paths are relative to.
 * @param isWatched - Whether an invalidated module is loaded again, with its imports.
 * @param code - The code of the finding about a module that cannot be used.
 * @param read - Reads the exports; returns why they cannot be used, if so.
 */
export function createModuleLoader<Value extends object>(
  directory: string,
  isWatched: boolean,
  code: 'GG5001' | 'GG5051',
  read: (exports: Readonly<Record<string, unknown>>) => Value | string,
): ModuleLoader<Value> {
  let last: { readonly path: string; readonly loaded: Loaded<Value> } | undefined;
  return {
    async load(path) {
      if (last?.path === path) return last.loaded;
      const module = await loadModule(resolve(directory, path), directory, isWatched);
      const { files } = module;
      const fail = (reason: string, advice?: string): Loaded<Value> => {
        const diagnostic = diagnose(code, { path, reason, advice }, { file: path, start: 0, end: 0 });
        return { ok: false, diagnostic, files };
      };
      if (!module.ok) return fail(module.reason, module.advice);
      const value = read(module.exports);
      if (typeof value === 'string') return fail(value);
      const loaded = { ok: true, value, files } as const;
      last = { path, loaded };
      return loaded;
    },
    invalidate(files) {
      if (last?.loaded.files.some((file) => files.includes(file))) last = undefined;
    },
  };
}
