import { readFile } from 'node:fs/promises';
import type { CliCommand } from '../command.js';
import { exitCodes, usesColor } from '../io.js';

const help = `
Examples:
  $ gg-svc explain GG3001
  $ gg-svc explain type-name-collision    the name of a diagnostic does as well`;

/** `gg-svc explain`: prints the page of a diagnostic code. */
export const explainCommand: CliCommand = {
  usage: 'explain <code>',
  summary: 'say what a diagnostic means and what to do about it',
  define: (command) => {
    command.addHelpText('after', help);
  },
  async run(operands, _options, io) {
    const { diagnosticCodes } = await import('../../diagnostics/codes.js');
    const { renderPage } = await import('../render-page.js');
    const wanted = operands[0] ?? '';
    const known = Object.entries(diagnosticCodes);
    const found = known.find(
      ([code, { name }]) => code === wanted.toUpperCase() || name === wanted.toLowerCase(),
    );
    if (found === undefined) {
      const { createSuggester } = await import('../../graph/suggest.js');
      const names = known.flatMap(([code, { name }]) => [code, name]);
      const suggestion = createSuggester(names).nearest(wanted);
      const advice = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
      io.stderr(`error: there is no diagnostic ${wanted}.${advice}\n`);
      return exitCodes.usage;
    }
    const page = await readFile(new URL(`docs/diagnostics/${found[0]}.md`, io.packageRoot), 'utf8');
    io.stdout(renderPage(page, usesColor(io.env, io.stdoutIsTerminal)));
    return exitCodes.fine;
  },
};
