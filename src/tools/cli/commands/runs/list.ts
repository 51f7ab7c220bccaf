import { type CliCommand, withDefault } from '../../terminal/command.js';
import { exitCodes } from '../../terminal/io.js';
import { readNumber } from '../../terminal/option-values.js';
import { withRuns } from './open-runs.js';

export const command: CliCommand = {
  project: 'options',
  options: { '-n, --limit <number>': withDefault('the number of runs, the newest first', '20') },
  async run(_, options, io) {
    const limit = readNumber(options.limit, '--limit', 1_000);
    for (const { id, createdAt, state, chain, step } of await withRuns({ options, io }, (runs) =>
      runs.list(limit),
    ))
      io.stdout(`${[id, createdAt, state.padEnd(9), chain, step].filter(Boolean).join('  ')}\n`);
    return exitCodes.fine;
  },
};
