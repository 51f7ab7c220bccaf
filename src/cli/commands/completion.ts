import type { CliCommand, CliCommandEntry, CliCommandGroup } from '../terminal/command.js';
import { exitCodes } from '../terminal/io.js';
import { bashCompletion } from './completion/bash.js';
import { type CompletedProgram, describeProgram } from './completion/describe-program.js';
import { fishCompletion } from './completion/fish.js';
import { zshCompletion } from './completion/zsh.js';

const help = `
Completes commands, options, their values, and .gg files.

Examples:
  $ gg-svc completion bash > ~/.local/share/bash-completion/completions/gg-svc
  $ gg-svc completion zsh > "\${fpath[1]}/_gg-svc"
  $ gg-svc completion fish > ~/.config/fish/completions/gg-svc.fish`;

/** `gg-svc completion`: prints a completion script, made from the definitions of the commands. */
export function completionOf(commands: readonly (CliCommandEntry | CliCommandGroup)[]): CliCommand {
  return {
    define: (command) => {
      command.registeredArguments[0]?.choices(Object.keys(shells));
      command.addHelpText('after', help);
    },
    async run([shell = ''], _options, io) {
      const print = shells[shell];
      if (print === undefined) throw new Error(`invariant: no shell ${shell}`);
      io.stdout(print(await describeProgram(commands)));
      return exitCodes.fine;
    },
  };
}

/** The registry of shells. */
const shells: Readonly<Record<string, (program: CompletedProgram) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};
