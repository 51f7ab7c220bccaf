import pc from 'picocolors';
import type { SourceFile } from '../../source/source-file.js';
import type { Span } from '../../source/span.js';
import type { Diagnostic } from '../diagnostic.js';
import { displayText, displayWidth } from './display-text.js';
import { type FramePaint, renderFrame } from './frame.js';
import { type Reporter, regionOf, severityWords, summarize } from './report.js';

type Colors = ReturnType<typeof pc.createColors>;

/**
 * Renders text for terminals: each finding with its code, place, source frame, related frames, hint and fix, then a
 * summary. Empty without findings.
 */
export const textReporter: Reporter = {
  format: 'text',
  machine: false,
  render({ diagnostics, sources }, { color, columns = Number.POSITIVE_INFINITY, most = diagnostics.length }) {
    if (diagnostics.length === 0) return '';
    const colors = pc.createColors(color);
    const totals = new Map<string, number>();
    for (const { code } of diagnostics) totals.set(code, (totals.get(code) ?? 0) + 1);
    const met = new Map<string, number>();
    const blocks = diagnostics.flatMap((diagnostic) => {
      const { code } = diagnostic;
      const left = (totals.get(code) ?? 0) - most;
      const rank = (met.get(code) ?? 0) + 1;
      met.set(code, rank);
      // Counting a single finding would take as many lines as naming its place.
      if (rank > most && left > 1) return [];
      const block = renderDiagnostic(diagnostic, sources, colors, columns);
      if (rank !== most || left <= 1) return [block];
      return [block, colors.gray(`… and ${left} more of ${code} (gg-svc check --all shows them)\n`)];
    });
    const isCut = [...totals.values()].some((total) => total > most + 1);
    const counts = isCut ? `: ${[...totals].map(([code, total]) => `${total} × ${code}`).join(', ')}` : '';
    return `${blocks.join('\n')}\n${wrap(renderSummary(diagnostics) + counts, columns)}\n`;
  },
};

/** Breaks a text between words where its line would be wider than the terminal; `used` columns precede it. */
function wrap(text: string, columns: number, used = 0): string {
  let column = used;
  const pieces = text.split(' ').map((word, at) => {
    const width = displayWidth(word);
    const breaks = at > 0 && column + 1 + width > columns;
    column = breaks ? 2 + width : column + (at > 0 ? 1 : 0) + width;
    return `${breaks ? '\n  ' : at > 0 ? ' ' : ''}${word}`;
  });
  return pieces.join('');
}

/** Summarizes findings: `2 errors, 1 warning in 3 files`; `no findings` when there are none. */
export function renderSummary(diagnostics: readonly Diagnostic[]): string {
  const { errors, warnings, information, files } = summarize(diagnostics);
  const counts = [count(errors, 'error'), count(warnings, 'warning'), count(information, 'note')];
  const parts = counts.filter((part) => part !== undefined);
  return parts.length === 0 ? 'no findings' : `${parts.join(', ')} in ${count(files, 'file')}`;
}

function count(many: number, word: string): string | undefined {
  return many === 0 ? undefined : `${many} ${word}${many === 1 ? '' : 's'}`;
}

function renderDiagnostic(
  diagnostic: Diagnostic,
  sources: readonly SourceFile[],
  colors: Colors,
  columns: number,
): string {
  const color = { error: colors.red, warning: colors.yellow, information: colors.blue }[diagnostic.severity];
  const paint = (text: string) => colors.bold(color(text));
  const headed = (head: string, style: typeof paint, text: string, of = (wrapped: string) => wrapped) =>
    `${style(head)} ${of(wrap(displayText(text), columns, head.length + 1))}`;
  const renderPlace = (arrow: string, span: Span, marker: FramePaint['marker'], message?: string): string[] => {
    const region = regionOf(sources, span);
    const words = message === undefined ? undefined : displayText(message);
    const start = `${colors.gray(arrow)} ${displayText(span.file)}`;
    if (region === undefined) return [`${start}${words === undefined ? '' : `: ${words}`}`];
    const frame = renderFrame(region.source, span, { gutter: colors.gray, marker }, words, columns);
    return [`${start}:${region.start.line}:${region.start.column}`, frame];
  };
  const head = `${severityWords[diagnostic.severity]}[${diagnostic.code}]`;
  const lines = [headed(head, paint, diagnostic.message, colors.bold)];
  lines.push(...renderPlace(' -->', diagnostic.span, paint));
  for (const { span, message } of diagnostic.labels) lines.push(...renderPlace(' :::', span, colors.cyan, message));
  if (diagnostic.hint !== undefined) lines.push(headed('hint:', colors.cyan, diagnostic.hint));
  if (diagnostic.fix !== undefined) lines.push(headed('fix:', colors.green, diagnostic.fix.description));
  return `${lines.join('\n')}\n`;
}
