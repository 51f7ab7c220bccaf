import { readFile } from 'node:fs/promises';
import { diagnosticCodes } from '../../diagnostics/codes.js';
import { type CliCommand, UsageError } from '../terminal/command.js';
import { type CliIo, exitCodes, usesColor } from '../terminal/io.js';
import { didYouMean } from '../terminal/option-values.js';
import { renderPage } from '../terminal/render-page.js';

const help = `
Without files and project file: prints the page of a diagnostic, by code or by name. With files: prints where
in the topology a part of the API is defined, the mapping rule, and everything else that is
generated from it. Name the part by its coordinate, its route, its operation or its node.

Examples:
  $ gg-svc explain GG3001
  $ gg-svc explain type-name-collision
  $ gg-svc explain Query.readUser service.gg
  $ gg-svc explain GET /api/readUser service.gg
  $ gg-svc explain User.email 'topologies/*.gg'`;

/** `gg-svc explain`: prints the page of a diagnostic, or the origin of a part of the API. */
export const explainCommand: CliCommand = {
  project: 'options',
  define: (command) => {
    command.addHelpText('after', help);
  },
  async run(operands, options, io) {
    const { subject, files: named } = splitOperands(operands);
    const isCode = Object.entries(diagnosticCodes).some(
      ([code, { name }]) => code === subject.toUpperCase() || name === subject.toLowerCase(),
    );
    const files = named.length > 0 || isCode ? named : (options.project?.sources ?? []);
    if (files.length === 0) return explainCode(subject, io);
    if (/^GG\d{4}$/i.test(subject))
      throw new UsageError(`${subject} is a diagnostic; pass it without files.`);
    const { explainPart } = await import('./explain-part.js');
    return explainPart(subject, files, options, io);
  },
};

/** `GET /api/a x.gg` and `'GET /api/a' x.gg` are the same. */
function splitOperands(operands: readonly string[]): { subject: string; files: readonly string[] } {
  const [first = '', second, ...rest] = operands;
  if (/^(?:get|head|post|put|patch|delete)$/i.test(first) && second?.startsWith('/') === true) {
    return { subject: `${first} ${second}`, files: rest };
  }
  return { subject: first, files: operands.slice(1) };
}

async function explainCode(wanted: string, io: CliIo): Promise<number> {
  const known = Object.entries(diagnosticCodes);
  const found = known.find(
    ([code, { name }]) => code === wanted.toUpperCase() || name === wanted.toLowerCase(),
  );
  if (found === undefined) {
    if (/[./(]/.test(wanted)) {
      const quoted = /[\s()]/.test(wanted) ? `'${wanted}'` : wanted;
      throw new UsageError(
        `Missing the files of the topology: pass them too, as in gg-svc explain ${quoted} service.gg`,
      );
    }
    const names = known.flatMap(([code, { name }]) => [code, name]);
    throw new UsageError(`Unknown diagnostic ${wanted}.${didYouMean(wanted, names)}`);
  }
  const page = await readFile(new URL(`docs/diagnostics/${found[0]}.md`, io.packageRoot), 'utf8');
  io.stdout(renderPage(page, usesColor(io.env, io.stdoutIsTerminal)));
  return exitCodes.fine;
}
