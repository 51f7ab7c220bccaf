import type { SourceFile } from '../../source/source-file.js';
import type { Span } from '../../source/span.js';
import { diagnosticCodes } from '../codes.js';
import type { Diagnostic } from '../diagnostic.js';
import { type Reporter, regionOf, summarize } from './report.js';

/**
 * Renders one JSON object, `{ version, diagnostics, summary }`. The version increases when a member is changed or
 * removed; new members may be added at any time. Lines and columns count from 1, columns in UTF-16 code units;
 * `endLine` and `endColumn` are exclusive. All four are omitted if the text of the file is not known.
 */
export const jsonReporter: Reporter = {
  format: 'json',
  machine: true,
  render({ diagnostics, sources }) {
    const found = diagnostics.map((diagnostic) => toJson(diagnostic, sources));
    return `${stringifyForTerminal({ version: 1, diagnostics: found, summary: summarize(diagnostics) })}\n`;
  },
};

/**
 * `JSON.stringify` with two spaces, which also escapes characters that terminals would interpret. The JSON value is
 * the same.
 */
export function stringifyForTerminal(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Members that are undefined are not written. */
function toJson(diagnostic: Diagnostic, sources: readonly SourceFile[]): object {
  const { code, severity, message, hint, labels, fix, span } = diagnostic;
  return {
    code,
    name: diagnosticCodes[code].name,
    severity,
    message,
    ...place(span, sources),
    hint,
    labels: labels.map((label) => ({ ...place(label.span, sources), message: label.message })),
    fix: fix && {
      description: fix.description,
      edits: fix.edits.map((edit) => ({ ...place(edit.span, sources), text: edit.text })),
    },
  };
}

function place(span: Span, sources: readonly SourceFile[]): object {
  const { start, end } = regionOf(sources, span) ?? {};
  return { file: span.file, ...start, endLine: end?.line, endColumn: end?.column };
}
