import type { CliCommand } from '../../terminal/command.js';
import { count } from '../../terminal/count.js';
import { exitCodes } from '../../terminal/io.js';
import { migrateDatabase, refusalsOf } from './open-database.js';

export const command: CliCommand = {
  project: 'files',
  options: { '--allow-loss': 'take steps that delete values' },
  async run(operands, options, io) {
    const allowLoss = options.allowLoss === true;
    const migration = await migrateDatabase({ operands, options, io }, { apply: true, allowLoss });
    if (!migration.isApplied) {
      for (const line of refusalsOf(migration, allowLoss)) io.stderr(line);
      return exitCodes.findings;
    }
    const { steps, version } = migration;
    io.stdout(steps.map(({ summary }) => `${summary}\n`).join(''));
    io.stdout(`${count(steps.length, 'step')} taken; the database has version ${version}.\n`);
    return exitCodes.fine;
  },
};
