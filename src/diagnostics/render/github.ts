import type { SourceFile } from '../../source/source-file.js';
import { lineMapOf } from '../../source/source-file.js';
import { describePlace } from '../../source/span.js';
import type { Severity } from '../define.js';
import type { Diagnostic } from '../diagnostic.js';
import { displayText } from './display-text.js';
import { indexSources, type Reporter, regionOf } from './report.js';

const commands: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  information: 'notice',
};

/**
 * The report as workflow commands, one line a finding: a CI run that prints them shows each finding
 * beside the line it is about. Related places and the hint follow the message on lines of their own.
 */
export const githubReporter: Reporter = {
  format: 'github',
  machine: true,
  render({ diagnostics, sources }) {
    const index = indexSources(sources);
    return diagnostics.map((diagnostic) => `${toCommand(diagnostic, index)}\n`).join('');
  },
};

function toCommand(diagnostic: Diagnostic, sources: ReadonlyMap<string, SourceFile>): string {
  const { code, severity, message, hint, labels, span } = diagnostic;
  const region = regionOf(sources, span);
  const properties = [`file=${escapeProperty(span.file)}`];
  if (region !== undefined) {
    properties.push(`line=${region.start.line}`, `endLine=${region.end.line}`);
    // A range over several lines has no columns there; giving them makes the whole command invalid.
    if (region.start.line === region.end.line) {
      properties.push(`col=${region.start.column}`, `endColumn=${region.end.column}`);
    }
  }
  properties.push(`title=${escapeProperty(code)}`);
  const maps = [...sources.values()].map(lineMapOf);
  const lines = [
    message,
    ...labels.map((label) => `${describePlace(maps, label.span)}: ${label.message}`),
    ...(hint === undefined ? [] : [hint]),
  ];
  return `::${commands[severity]} ${properties.join(',')}::${lines.map(escapeData).join('%0A')}`;
}

/**
 * Text as the message of a workflow command. Only `%` and line breaks end or change it; what else is
 * unprintable becomes visible.
 */
export function escapeData(text: string): string {
  return displayText(text).replaceAll('%', '%25');
}

/** Text as the value of a property of a workflow command. */
export function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
