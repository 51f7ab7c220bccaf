import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export const configNames = ['gg-svc.config.ts', 'gg-svc.config.mjs', 'gg-svc.config.json'] as const;

/**
 * The root of the project that a folder belongs to: the nearest one upwards that has a project file, a `package.json` or
 * a `.git`; undefined if there is none.
 */
export function projectRootOf(directory: string): string | undefined {
  for (let folder = resolve(directory); ; folder = dirname(folder)) {
    const marks = [...configNames, 'package.json', '.git'];
    if (marks.some((name) => existsSync(join(folder, name)))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}
