import type { CliCommand } from '../../terminal/command.js';
import { exitCodes } from '../../terminal/io.js';
import { noSuchRun, withRuns } from './open-runs.js';

export const command: CliCommand = {
  project: 'options',
  async run([id = ''], options, io) {
    const begun = await withRuns({ options, io }, (runs) => runs.retry(id));
    if (begun === undefined) throw noSuchRun(id, 'failed or cancelled ');
    io.stdout(`The run ${begun} continues ${id}.\n`);
    return exitCodes.fine;
  },
};
