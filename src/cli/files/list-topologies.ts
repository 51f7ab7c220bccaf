import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';
import type { Outcome } from '../../diagnostics/outcome.js';

/**
 * The `.gg` files below a directory, in the order of their names; undefined when there is no directory of
 * that name. Installed packages, hidden directories and symbolic links are not followed. A directory that
 * cannot be read is a finding.
 *
 * @param path - As the user wrote it; the files are named after it.
 * @param directory - What it is relative to.
 */
export function listTopologies(path: string, directory: string): Outcome<readonly string[]> | undefined {
  if (!isDirectory(resolve(directory, path))) return undefined;
  const diagnostics: Diagnostic[] = [];
  const value = filesBelow(path, directory, diagnostics);
  return { value, diagnostics };
}

function filesBelow(path: string, directory: string, diagnostics: Diagnostic[]): readonly string[] {
  let entries: Dirent[] = [];
  try {
    entries = readdirSync(resolve(directory, path), { withFileTypes: true });
  } catch (error) {
    const { errno, message } = error as NodeJS.ErrnoException;
    const reason = getSystemErrorMap().get(errno ?? 0)?.[1] ?? message;
    diagnostics.push(diagnose('GG4002', { path, reason }, { file: path, start: 0, end: 0 }));
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const inside = join(path, entry.name);
      if (entry.isFile()) return entry.name.endsWith('.gg') ? [inside] : [];
      const goesIn = entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.');
      return goesIn ? filesBelow(inside, directory, diagnostics) : [];
    });
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
