import { lineMapOf, type SourceFile } from '../../source/source-file.js';
import { describePlace, type Span } from '../../source/span.js';
import type { Severity } from '../codes/define.js';
import type { Diagnostic } from '../diagnostic.js';
import { displayText } from './display-text.js';
import { type Reporter, regionOf } from './report.js';

const commands: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', information: 'notice' };

/**
 * Renders GitHub workflow commands, one per finding: GitHub shows each finding at its line. Related places and the
 * hint follow the message on separate lines.
 */
export const githubReporter: Reporter = {
  format: 'github',
  machine: true,
  render({ diagnostics, sources }) {
    return diagnostics.map((diagnostic) => `${toCommand(diagnostic, sources)}\n`).join('');
  },
};

function toCommand(diagnostic: Diagnostic, sources: readonly SourceFile[]): string {
  const { code, severity, message, hint, labels, span } = diagnostic;
  const properties = [...placeProperties(span, sources), `title=${escapeProperty(code)}`];
  const maps = sources.map(lineMapOf);
  const related = labels.map((label) => `${describePlace(maps, label.span)}: ${label.message}`);
  const lines = [message, ...related, hint].filter((line) => line !== undefined);
  return `::${commands[severity]} ${properties.join(',')}::${lines.map(escapeData).join('%0A')}`;
}

/** The properties of a workflow command for a place. */
export function placeProperties(span: Span, sources: readonly SourceFile[]): readonly string[] {
  const file = `file=${escapeProperty(span.file)}`;
  const region = regionOf(sources, span);
  if (region === undefined) return [file];
  const { start, end } = region;
  // GitHub ignores commands that have columns and span several lines.
  const columns = start.line === end.line ? [`col=${start.column}`, `endColumn=${end.column}`] : [];
  return [file, `line=${start.line}`, `endLine=${end.line}`, ...columns];
}

/**
 * Escapes the message of a workflow command: `%` and line breaks for GitHub, other unprintable characters for
 * terminals.
 */
export function escapeData(text: string): string {
  return displayText(text).replaceAll('%', '%25');
}

/** Escapes the value of a property of a workflow command. */
export function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
