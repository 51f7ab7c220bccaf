import type { CliCommand } from '../../terminal/command.js';
import { count } from '../../terminal/count.js';
import { exitCodes } from '../../terminal/io.js';
import { readText } from '../../terminal/option-values.js';
import { migrateDatabase, reportRefusals } from './open-database.js';
import { unreviewed } from './step-folder.js';

export const command: CliCommand = {
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
};
