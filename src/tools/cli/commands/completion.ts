import { readFileSync } from 'node:fs';
import type { CliCommand } from '../terminal/command.js';
import { exitCodes } from '../terminal/io.js';

export const command: CliCommand = {
  help: `
Completes commands, options, their values, and .gg files.

Examples:
  $ gg-svc completion bash > ~/.local/share/bash-completion/completions/gg-svc
  $ gg-svc completion zsh > "\${fpath[1]}/_gg-svc"
  $ gg-svc completion fish > ~/.config/fish/completions/gg-svc.fish`,
  define: (parser) => void parser.registeredArguments[0]?.choices(['bash', 'zsh', 'fish']),
  async run([shell], _options, io) {
    io.stdout(readFileSync(new URL(`docs/completion/gg-svc.${shell}`, io.packageRoot), 'utf8'));
    return exitCodes.fine;
  },
};
