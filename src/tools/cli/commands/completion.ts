import { readFileSync } from 'node:fs';
import type { CliCommand } from '../terminal/command.js';
import { exitCodes } from '../terminal/io.js';

export const command: CliCommand = {
  define: (parser) => void parser.registeredArguments[0]?.choices(['bash', 'zsh', 'fish']),
  async run([shell], _options, io) {
    io.stdout(readFileSync(new URL(`docs/completion/gg-svc.${shell}`, io.packageRoot), 'utf8'));
    return exitCodes.fine;
  },
};
