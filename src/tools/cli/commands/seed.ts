import { seedStore } from '../../../runtime/store/write/seed-store.js';
import { withDatabase } from '../files/open-database.js';
import { listCallers } from '../terminal/callers.js';
import { type CliCommand, UsageError, withDefault } from '../terminal/command.js';
import { count } from '../terminal/count.js';
import { exitCodes } from '../terminal/io.js';
import { readNumber } from '../terminal/option-values.js';
import { requireValid } from '../terminal/report-findings.js';

export const command: CliCommand = {
  doing: 'Filling the tables',
  project: 'files',
  options: {
    '--rows <number>': withDefault('rows of each table', '20'),
    '--seed <number>': withDefault('equal numbers make equal rows', '1'),
    '--force': 'also with NODE_ENV=production',
  },
  async run(operands, options, io) {
    const rows = readNumber(options.rows, '--rows', 1_000_000);
    const seed = readNumber(options.seed, '--seed');
    if (io.env.NODE_ENV === 'production' && options.force !== true)
      throw new UsageError('seed does not write into a database of production: --force permits it.');
    const owners = listCallers(options).map(({ id }) => id);
    const { seeded, ...findings } = await withDatabase(
      { operands, options, io },
      'seed',
      async (store, model, { schema, sources }) => ({
        ...(await seedStore(store, schema, model, { rows, seed, owners })),
        sources,
      }),
    );
    requireValid(findings, io);
    for (const { table, inserted } of seeded)
      io.stdout(`${table}: ${inserted === undefined ? 'has rows already' : count(inserted, 'row')}\n`);
    return exitCodes.fine;
  },
};
