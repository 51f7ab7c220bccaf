import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { describeSystemError } from '../../../base/read/read-bytes.js';
import { isWebUrl } from '../../../base/source/parse-url.js';
import { wholeFile } from '../../../base/source/span.js';
import { createTopologyLoader, diskFiles } from '../../../runtime/load/load-topologies.js';
import { UsageError } from '../terminal/command.js';

/**
 * Reads topology files for commands that write them back: paths, globs, and directories with all `.gg` files
 * below them. Imports are not followed. Files that cannot be read are diagnostics.
 *
 * @throws {UsageError} For a URL, which cannot be written.
 */
export function readTopologyFiles(operands: readonly string[], directory: string) {
  const diagnostics: Diagnostic[] = [];
  const inputs = operands.flatMap((operand) => {
    if (isWebUrl(operand)) throw new UsageError(`Cannot write to ${operand}: expected a file.`);
    if (!isDirectory(resolve(directory, operand))) return [operand];
    const { length } = diagnostics;
    const listed = topologiesBelow(operand, directory, diagnostics);
    if (listed.length === 0 && diagnostics.length === length)
      diagnostics.push(diagnose('GG4005', { pattern: `${operand}/**/*.gg` }, wholeFile(operand)));
    return listed;
  });
  const { value, diagnostics: problems } = createTopologyLoader(diskFiles(directory)).load(inputs);
  return { value, diagnostics: [...diagnostics, ...problems] };
}

/**
 * The `.gg` files below a directory, sorted by name. `node_modules`, hidden directories and symbolic links are
 * skipped.
 *
 * @param path - As the user wrote it; the results start with it.
 * @param diagnostics - Gets a diagnostic for each directory that cannot be read.
 */
export function topologiesBelow(path: string, directory: string, diagnostics: Diagnostic[] = []): readonly string[] {
  let entries: Dirent[] = [];
  try {
    entries = readdirSync(resolve(directory, path), { withFileTypes: true });
  } catch (error) {
    const reason = describeSystemError(error);
    diagnostics.push(diagnose('GG4002', { path, reason }, wholeFile(path)));
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const inside = join(path, entry.name);
      if (entry.isFile()) return entry.name.endsWith('.gg') ? [inside] : [];
      const isSkipped = !entry.isDirectory() || entry.name === 'node_modules' || entry.name.startsWith('.');
      return isSkipped ? [] : topologiesBelow(inside, directory, diagnostics);
    });
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
