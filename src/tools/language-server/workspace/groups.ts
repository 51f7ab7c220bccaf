import { type Pattern, readPattern } from '../../../base/pattern/pattern.js';

/** The files of one topology: a pattern, or several. */
export type FilePattern = string | readonly string[];

/**
 * The topologies that consist of several files without imports, as in `gg-svc check 'services/*.gg'`: for each folder
 * and each pattern, the matching paths, sorted.
 *
 * @param patterns relative to the folders; `*` stands for any part of a name, `**` for any folders
 */
export function groupFiles(paths: readonly string[], folders: readonly string[], patterns: readonly FilePattern[]) {
  return folders.flatMap((folder) =>
    patterns.map((pattern) => {
      const forms = [pattern].flat().map(formOf);
      return paths
        .filter(
          (path) => path.startsWith(`${folder}/`) && forms.some((form) => form.test(path.slice(folder.length + 1))),
        )
        .toSorted();
    }),
  );
}

function formOf(pattern: string): Pick<Pattern, 'test'> {
  const steps = pattern.replace(/^\.\//, '').split(/(\*\*\/|\*\*|\*|\?)/);
  const parts = steps.map((step) => wildcards.get(step) ?? step.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const reading = readPattern(`^${parts.join('')}$`);
  return reading.ok ? reading.pattern : { test: () => false };
}

const wildcards: ReadonlyMap<string, string> = new Map([
  ['**/', '(?:[^/]+/)*'],
  ['**', '.*'],
  ['*', '[^/]*'],
  ['?', '[^/]'],
]);
