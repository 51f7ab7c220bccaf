import { extname } from 'node:path';
import type { CliCommand } from '../terminal/command.js';
import { readVersion } from '../terminal/package-version.js';

const help = `
It speaks the Language Server Protocol on standard input and output, and is started by an
editor, not by hand: docs/editors.md says how Visual Studio Code, Neovim and Helix are told of it.

Examples:
  $ gg-svc lsp --stdio    the option is for editors that insist on it`;

/** `gg-svc lsp`: the language server. */
export const lspCommand: CliCommand = {
  usage: 'lsp',
  summary: 'help an editor with topologies, over the Language Server Protocol',
  define: (command) => {
    command
      // Clients that can talk in several ways say which one they mean; this is the one there is.
      .option('--stdio', 'talk over standard input and output, as it always does')
      .addHelpText('after', help);
  },
  async run(_operands, _options, io) {
    if (process.stdin.isTTY === true)
      io.stderr('Waiting for an editor. See gg-svc lsp --help; Ctrl+C ends it.\n');
    const { startLanguageServer } = await import('../../language-server/server.js');
    const { stdin: input, stdout: output } = process;
    const { packageRoot } = io;
    // The bundler puts the module of the analysis thread beside this one.
    const analysisWorker = new URL(`./analysis-worker${extname(import.meta.url)}`, import.meta.url);
    const version = readVersion(packageRoot);
    return startLanguageServer({ input, output, version, packageRoot, analysisWorker });
  },
};
