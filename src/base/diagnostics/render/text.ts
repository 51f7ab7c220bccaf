import pc from 'picocolors';
import type { SourceFile } from '../../source/source-file.js';
import type { Span } from '../../source/span.js';
import type { Severity } from '../codes/define.js';
import type { Diagnostic } from '../diagnostic.js';
import { displayText } from './display-text.js';
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
  render({ diagnostics, sources }, { color }) {
    if (diagnostics.length === 0) return '';
    const colors = pc.createColors(color);
    const blocks = diagnostics.map((diagnostic) => renderDiagnostic(diagnostic, sources, colors));
    return `${blocks.join('\n')}\n${renderSummary(diagnostics)}\n`;
  },
};

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

function renderDiagnostic(diagnostic: Diagnostic, sources: readonly SourceFile[], colors: Colors): string {
  const paint = severityPaint(diagnostic.severity, colors);
  const renderPlace = (
    arrow: string,
    span: Span,
    marker: FramePaint['marker'],
    message?: string,
  ): string[] => {
    const region = regionOf(sources, span);
    const words = message === undefined ? undefined : displayText(message);
    const start = `${colors.gray(arrow)} ${displayText(span.file)}`;
    if (region === undefined) return [`${start}${words === undefined ? '' : `: ${words}`}`];
    const frame = renderFrame(region.source, span, { gutter: colors.gray, marker }, words);
    return [`${start}:${region.start.line}:${region.start.column}`, frame];
  };
  const head = paint(`${severityWords[diagnostic.severity]}[${diagnostic.code}]`);
  const lines = [`${head} ${colors.bold(displayText(diagnostic.message))}`];
  lines.push(...renderPlace(' -->', diagnostic.span, paint));
  for (const { span, message } of diagnostic.labels)
    lines.push(...renderPlace(' :::', span, colors.cyan, message));
  if (diagnostic.hint !== undefined) lines.push(`${colors.cyan('hint:')} ${displayText(diagnostic.hint)}`);
  if (diagnostic.fix !== undefined) {
    lines.push(`${colors.green('fix:')} ${displayText(diagnostic.fix.description)}`);
  }
  return `${lines.join('\n')}\n`;
}

function severityPaint(severity: Severity, colors: Colors): (text: string) => string {
  const paint = { error: colors.red, warning: colors.yellow, information: colors.blue }[severity];
  return (text) => colors.bold(paint(text));
}
