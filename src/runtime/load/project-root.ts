import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export const configNames = ['gg-svc.config.ts', 'gg-svc.config.mjs', 'gg-svc.config.json'] as const;

/**
 * The root of the project that a folder belongs to: the nearest one upwards that has a project file, a `package.json` or
 * a `.git`; undefined if there is none.
 */
export function projectRootOf(directory: string): string | undefined {
  return nearestWith(resolve(directory), ...configNames, 'package.json', '.git');
}

/** The nearest folder upwards that has one of these files. */
export function nearestWith(directory: string, ...names: readonly string[]): string | undefined {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (names.some((name) => existsSync(join(folder, name)))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}
