import { extname } from 'node:path';
import { Option } from 'commander';
import { startLanguageServer } from '../../language-server/node-server.js';
import type { CliCommand } from '../terminal/command.js';
import { readVersion } from '../terminal/io.js';

export const command: CliCommand = {
  options: {
    // vscode-languageclient always passes a transport option, and the id of its process, which `initialize` repeats.
    '--stdio': 'use standard input and output (the default)',
    '--clientProcessId <id>': (flags) => new Option(flags, 'the process of the editor').hideHelp(),
  },
  async run(_operands, _options, io) {
    if (process.stdin.isTTY === true)
      io.stderr('Waiting for an editor on standard input. See gg-svc lsp --help. Press Ctrl+C to stop.\n');
    const { stdin: input, stdout: output } = process;
    // The bundler puts the module of the analysis thread next to this one.
    const analysisWorker = new URL(`./analysis-worker${extname(import.meta.url)}`, import.meta.url);
    const version = readVersion(io.packageRoot);
    const pages = `${new URL('dist/diagnostics.md', io.packageRoot)}#{code}`;
    return startLanguageServer({ input, output, version, pages, analysisWorker });
  },
};
