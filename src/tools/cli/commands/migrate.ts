import { readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { filePrefix, printStep, statementsOf, stepFiles } from '../../../analysis/store/migrations/print-steps.js';
import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import { wholeFile } from '../../../base/source/span.js';
import type { MigrateOptions, Migration } from '../../../runtime/store/store.js';
import { withDatabase } from '../files/open-database.js';
import { writeFiles } from '../files/write-files.js';
import type { CliCommand, CliOptions, Invocation } from '../terminal/command.js';
import { count } from '../terminal/count.js';
import { type CliIo, exitCodes } from '../terminal/io.js';
import { readText } from '../terminal/option-values.js';
import { reportFindings } from '../terminal/report-findings.js';

/** The commands of `gg-svc migrate`. */
export const commands = {
  plan: {
    doing: 'Finding the steps',
    project: 'files',
    options: { '-o, --out <folder>': 'write a file for each step, for review' },
    async run(operands, options, io) {
      const migration = await migrateDatabase({ operands, options, io });
      const { steps, refusals, adopts } = migration;
      const out = readText(options, 'out');
      if (out !== undefined) {
        for (const path of await writeSteps(out, migration, io)) io.stdout(`wrote ${path}\n`);
        io.stdout(
          `${count(steps.length, 'step')} in ${out}, for review; “gg-svc migrate apply --reviewed ${out}” takes no others.\n`,
        );
      } else {
        if (adopts) io.stdout(`-- Adopts ${adopts.join(', ')}, which no topology made.\n\n`);
        for (const step of steps) io.stdout(`${printStep(step)}\n`);
        if (steps.length + refusals.length === 0 && adopts === undefined)
          io.stdout('-- The database is in step with the topology.\n');
      }
      reportRefusals(migration, true, options, io);
      return refusals.length > 0 ? exitCodes.findings : exitCodes.fine;
    },
  },
  apply: {
    doing: 'Taking the steps',
    project: 'files',
    options: {
      '--allow-loss': 'take steps that delete values',
      '--expand': 'take only the steps that programs with the old topology can run with (PostgreSQL)',
      '--reviewed <folder>': 'take the steps only if migrate plan --out wrote them into this folder',
    },
    async run(operands, options, io) {
      const started = { operands, options, io };
      const [allowLoss, expand] = [options.allowLoss === true, options.expand === true];
      const reviewed = readText(options, 'reviewed');
      if (reviewed !== undefined) {
        const planned = await migrateDatabase(started);
        const refusals = await unreviewed(reviewed, planned, io);
        if (refusals.length > 0) {
          reportRefusals({ steps: [], refusals }, true, options, io);
          return exitCodes.findings;
        }
      }
      const migration = await migrateDatabase(started, { apply: true, allowLoss, expand });
      const { steps, version, isApplied } = migration;
      if (!isApplied) {
        reportRefusals(migration, allowLoss, options, io);
        return exitCodes.findings;
      }
      io.stdout(steps.map(({ summary }) => `${summary}\n`).join(''));
      const state = expand
        ? 'programs with the old and the new topology can run. “gg-svc migrate apply” takes the rest'
        : `the database has version ${version}`;
      io.stdout(`${count(steps.length, 'step')} taken; ${state}.\n`);
      return exitCodes.fine;
    },
  },
  status: {
    project: 'files',
    async run(operands, options, io) {
      const { version, steps, refusals, adopts = [] } = await migrateDatabase({ operands, options, io });
      const open = steps.length + refusals.length + adopts.length;
      io.stdout(
        open === 0
          ? `The database is in step with the topology: version ${version}.\n`
          : `The database has version ${version}; ${count(open, 'step')} to the topology.\n`,
      );
      return open === 0 ? exitCodes.fine : exitCodes.findings;
    },
  },
} satisfies Readonly<Record<string, CliCommand>>;

/** Finds the steps from the database of the project to a topology, and takes them with `apply`. */
function migrateDatabase(started: Invocation, how: MigrateOptions = {}): Promise<Migration> {
  return withDatabase(started, 'migrate', (store, model) => store.migrate(model, how));
}

/** Reports why steps are not taken. */
function reportRefusals(
  { refusals, steps }: Pick<Migration, 'refusals' | 'steps'>,
  allowLoss: boolean,
  { projectPath = '' }: CliOptions,
  io: CliIo,
): void {
  const losses = allowLoss ? [] : steps.filter(({ isLoss }) => isLoss);
  const place = wholeFile(projectPath);
  const found = [
    ...refusals.map((reason) => diagnose('GG7003', { reason }, place)),
    ...losses.map(({ summary }) => diagnose('GG7004', { step: summary }, place)),
  ];
  if (found.length > 0) reportFindings(found, [], io);
}

/** Writes the steps of a plan into a folder, a file each, and removes those of an earlier plan for the same version. */
async function writeSteps(folder: string, { steps, version }: Migration, io: CliIo): Promise<readonly string[]> {
  const files = stepFiles(steps, version + 1);
  const { written } = await writeFiles(folder, files, io);
  for (const name of await sqlFilesIn(folder, io))
    if (name.startsWith(filePrefix(version + 1)) && !Object.hasOwn(files, name))
      await rm(resolve(io.directory, folder, name));
  return written;
}

/** The steps whose statements no file of a folder has. */
async function unreviewed(folder: string, { steps }: Pick<Migration, 'steps'>, io: CliIo) {
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
