import type { CliCommand } from '../../terminal/command.js';
import { exitCodes } from '../../terminal/io.js';
import { noSuchRun, withRuns } from './open-runs.js';

export const command: CliCommand = {
  project: 'options',
  async run([id = ''], options, io) {
    if (!(await withRuns({ options, io }, (runs) => runs.cancel(id)))) throw noSuchRun(id, 'open ');
    io.stdout(`The run ${id} is cancelled.\n`);
    return exitCodes.fine;
  },
};
