import { runServer } from '../serving/run-server.js';
import { serverOptions } from '../serving/server-options.js';
import type { CliCommand } from '../terminal/command.js';

export const command: CliCommand = {
  project: 'files',
  options: {
    ...serverOptions,
    '-w, --watch': 'reload when files change',
    '--studio': 'serve the studio at /_gg/, for users who know the token in GG_SVC_STUDIO_TOKEN',
  },
  async run(operands, options, io) {
    return runServer({ operands, options, io }, { isDev: false, isWatching: options.watch === true });
  },
};
