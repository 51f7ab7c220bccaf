import pc from 'picocolors';
import { diagnosticCodes } from '../../../base/diagnostics/codes.js';
import { didYouMean } from '../../../compiler/graph/suggest.js';
import { type CliCommand, choice, UsageError } from '../terminal/command.js';
import { type CliIo, exitCodes, readPage, usesColor } from '../terminal/io.js';
import { reflow } from '../terminal/reflow.js';

export const command: CliCommand = {
  doing: 'Explaining',
  project: 'options',
  options: { '--engine <name>': choice('database whose statements are shown', ['sqlite', 'postgres']) },
  async run(operands, options, io) {
    const { subject, files: named } = splitOperands(operands);
    const code = codeOf(subject);
    const isCode = code !== undefined || /^GG\d{4}$/i.test(subject);
    const files = named.length > 0 || isCode ? named : (options.project?.sources ?? []);
    if (files.length === 0) return explainCode(subject, code, io);
    if (isCode) throw new UsageError(`${subject} is a diagnostic; pass it without files.`);
    const { explainPart } = await import('./explain-part.js');
    return explainPart(subject, files, options, io);
  },
};

/** `GET /api/a x.gg` and `'GET /api/a' x.gg` are the same. */
function splitOperands(operands: readonly string[]): { subject: string; files: readonly string[] } {
  const [first = '', second, ...rest] = operands;
  if (/^(?:get|head|post|put|patch|delete)$/i.test(first) && second?.startsWith('/') === true)
    return { subject: `${first} ${second}`, files: rest };
  return { subject: first, files: operands.slice(1) };
}

/** The code of a diagnostic that is named by its code or its name. */
function codeOf(wanted: string): string | undefined {
  const isNamed = (code: string, { name }: { readonly name: string }) =>
    code === wanted.toUpperCase() || name === wanted.toLowerCase();
  return Object.entries(diagnosticCodes).find(([code, entry]) => isNamed(code, entry))?.[0];
}

function explainCode(wanted: string, code: string | undefined, io: CliIo): number {
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
  const page = readPage('diagnostics.md', code, io.packageRoot);
  io.stdout(renderPage(page, usesColor(io.env, io.stdoutIsTerminal), io.stdoutColumns));
  return exitCodes.fine;
}

/**
 * Renders a Markdown page for a terminal: bold headings, indented code blocks, no link targets. Line breaks stay, unless
 * there is a width.
 */
export function renderPage(markdown: string, color: boolean, columns?: number): string {
  const colors = pc.createColors(color);
  // Every second part is in a fence.
  const parts = markdown.trimEnd().split(/^[^\S\n]*```.*\n?/m);
  const renderCode = (code: string) => code.replace(/^.+$/gm, (line) => `    ${colors.cyan(line)}`);
  const rendered = parts.map((part, at) => (at % 2 === 1 ? renderCode(part) : renderProse(part, colors, columns)));
  return `${rendered.join('').trimEnd()}\n`;
}

function renderProse(text: string, colors: Colors, columns: number | undefined): string {
  const whole = columns === undefined ? text : reflow(text, Number.POSITIVE_INFINITY);
  const lines = whole.split('\n').map((line) => {
    const heading = /^#+\s+(.*)$/.exec(line);
    return heading === null ? renderInline(line, colors) : colors.bold((heading[1] as string).replaceAll('`', ''));
  });
  return reflow(lines.join('\n'), columns);
}

type Colors = ReturnType<typeof pc.createColors>;

function renderInline(line: string, colors: Colors): string {
  return line
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/\*\*([^*]+)\*\*/g, (_, words: string) => colors.bold(words))
    .replace(/`([^`]+)`/g, (code, inner: string) => (colors.isColorSupported ? colors.cyan(inner) : code));
}
