import type { CliCommand } from '../../terminal/command.js';
import { count } from '../../terminal/count.js';
import { exitCodes } from '../../terminal/io.js';
import { migrateDatabase } from './open-database.js';

export const command: CliCommand = {
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
};
