import type { CliCommand } from '../../terminal/command.js';
import { exitCodes } from '../../terminal/io.js';
import { migrateDatabase, refusalsOf } from './open-database.js';

export const command: CliCommand = {
  project: 'files',
  async run(operands, options, io) {
    const migration = await migrateDatabase({ operands, options, io });
    const { steps, refusals, adopts } = migration;
    if (adopts) io.stdout(`-- Adopts ${adopts.join(', ')}, which no topology made.\n\n`);
    for (const { summary, sql, isLoss, isLater } of steps) {
      const notes = `${isLoss ? ' (deletes values)' : ''}${isLater ? ' (outside of the transaction)' : ''}`;
      io.stdout(`-- ${summary}${notes}\n${sql.map((statement) => `${statement};\n`).join('')}\n`);
    }
    if (steps.length + refusals.length === 0 && adopts === undefined)
      io.stdout('-- The database is in step with the topology.\n');
    for (const line of refusalsOf(migration, false)) io.stderr(line);
    return refusals.length > 0 ? exitCodes.findings : exitCodes.fine;
  },
};
