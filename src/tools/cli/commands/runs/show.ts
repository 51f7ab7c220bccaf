import type { CliCommand } from '../../terminal/command.js';
import { exitCodes } from '../../terminal/io.js';
import { noSuchRun, withRuns } from './open-runs.js';

export const command: CliCommand = {
  project: 'options',
  async run([id = ''], options, io) {
    const run = await withRuns({ options, io }, (runs) => runs.read(id));
    if (run === undefined) throw noSuchRun(id);
    io.stdout(`${JSON.stringify(run, null, 2)}\n`);
    return exitCodes.fine;
  },
};
