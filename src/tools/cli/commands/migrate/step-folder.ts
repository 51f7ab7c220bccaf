import { readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { filePrefix, printStep, statementsOf, stepFiles } from '../../../../analysis/store/migrations/print-steps.js';
import type { Migration } from '../../../../runtime/store/store.js';
import { writeFiles } from '../../files/write-files.js';
import type { CliIo } from '../../terminal/io.js';

/** Writes the steps of a plan into a folder, a file each, and removes those of an earlier plan for the same version. */
export async function writeSteps(folder: string, { steps, version }: Migration, io: CliIo): Promise<readonly string[]> {
  const files = stepFiles(steps, version + 1);
  const { written } = await writeFiles(folder, files, io);
  for (const name of await sqlFilesIn(folder, io))
    if (name.startsWith(filePrefix(version + 1)) && !Object.hasOwn(files, name))
      await rm(resolve(io.directory, folder, name));
  return written;
}

/** The steps whose statements no file of a folder has. */
export async function unreviewed(
  folder: string,
  { steps }: Pick<Migration, 'steps'>,
  io: CliIo,
): Promise<readonly string[]> {
  const known = new Set<string>();
  for (const name of await sqlFilesIn(folder, io))
    known.add(statementsOf(await readFile(join(resolve(io.directory, folder), name), 'utf8')));
  return steps
    .filter((step) => !known.has(statementsOf(printStep(step))))
    .map(
      ({ summary }) =>
        `“${summary}” is not among the files of ${folder}: write them with “gg-svc migrate plan --out”, and review them`,
    );
}

async function sqlFilesIn(folder: string, io: CliIo): Promise<readonly string[]> {
  const names = await readdir(resolve(io.directory, folder)).catch(() => []);
  return names.filter((name) => name.endsWith('.sql'));
}
