import { readFile } from 'node:fs/promises';
import pc from 'picocolors';
import { diagnosticCodes } from '../../../base/diagnostics/codes.js';
import { didYouMean } from '../../../compiler/graph/suggest.js';
import { type CliCommand, choice, UsageError } from '../terminal/command.js';
import { type CliIo, exitCodes, usesColor } from '../terminal/io.js';

export const command: CliCommand = {
  project: 'options',
  options: { '--engine <name>': choice('database whose statements are shown', ['sqlite', 'postgres']) },
  async run(operands, options, io) {
    const { subject, files: named } = splitOperands(operands);
    const code = codeOf(subject);
    const files = named.length > 0 || code !== undefined ? named : (options.project?.sources ?? []);
    if (files.length === 0) return explainCode(subject, code, io);
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

/** The code of a diagnostic that is named by its code or its name. */
function codeOf(wanted: string): string | undefined {
  const isNamed = (code: string, { name }: { readonly name: string }) =>
    code === wanted.toUpperCase() || name === wanted.toLowerCase();
  return Object.entries(diagnosticCodes).find(([code, entry]) => isNamed(code, entry))?.[0];
}

async function explainCode(wanted: string, code: string | undefined, io: CliIo): Promise<number> {
  if (code === undefined) {
    if (/[./(]/.test(wanted)) {
      const quoted = /[\s()]/.test(wanted) ? `'${wanted}'` : wanted;
      throw new UsageError(
        `Missing the files of the topology: pass them too, as in gg-svc explain ${quoted} service.gg`,
      );
    }
    const names = Object.entries(diagnosticCodes).flatMap(([known, { name }]) => [known, name]);
    throw new UsageError(`Unknown diagnostic ${wanted}.${didYouMean(wanted, names)}`);
  }
  const page = await readFile(new URL(`docs/diagnostics/${code}.md`, io.packageRoot), 'utf8');
  io.stdout(renderPage(page, usesColor(io.env, io.stdoutIsTerminal)));
  return exitCodes.fine;
}

/** Renders a Markdown page for a terminal: bold headings, indented code blocks, no link targets. Line breaks stay. */
export function renderPage(markdown: string, color: boolean): string {
  const colors = pc.createColors(color);
  const lines: string[] = [];
  let fenced = false;
  for (const line of markdown.trimEnd().split('\n')) {
    if (/^\s*```/.test(line)) {
      fenced = !fenced;
      continue;
    }
    if (fenced) {
      lines.push(line === '' ? '' : `    ${colors.cyan(line)}`);
      continue;
    }
    const heading = /^#+\s+(.*)$/.exec(line);
    lines.push(
      heading === null ? renderInline(line, colors) : colors.bold((heading[1] as string).replaceAll('`', '')),
    );
  }
  return `${lines.join('\n')}\n`;
}

function renderInline(line: string, colors: ReturnType<typeof pc.createColors>): string {
  return line
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/\*\*([^*]+)\*\*/g, (_, words: string) => colors.bold(words))
    .replace(/`([^`]+)`/g, (code, inner: string) => (colors.isColorSupported ? colors.cyan(inner) : code));
}
