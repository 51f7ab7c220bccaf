import { printStep } from '../../../../analysis/store/migrations/print-steps.js';
import type { CliCommand } from '../../terminal/command.js';
import { count } from '../../terminal/count.js';
import { exitCodes } from '../../terminal/io.js';
import { readText } from '../../terminal/option-values.js';
import { migrateDatabase, reportRefusals } from './open-database.js';
import { writeSteps } from './step-folder.js';

export const command: CliCommand = {
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
};
