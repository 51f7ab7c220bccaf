import { lineMapOf, positionAt, type SourceFile } from '../../source/source-file.js';
import type { Span } from '../../source/span.js';
import type { Severity } from '../codes/define.js';
import type { DiagnosticCode } from '../codes.js';
import type { Diagnostic } from '../diagnostic.js';

export interface Report {
  readonly diagnostics: readonly Diagnostic[];
  /** The files whose text is known; for other files only the name is shown. */
  readonly sources: readonly SourceFile[];
}

/** The environment of a reporter; this floor is pure and reads none of it. */
export interface ReportOptions {
  /** Whether terminal colours may be used; only the text reporter has any. */
  readonly color: boolean;
  /** The columns of the terminal, where only the text reporter breaks lines; absent for lines of any length. */
  readonly columns?: number | undefined;
  /** How many findings of each code the text reporter shows; the others are counted. Absent for all. */
  readonly most?: number | undefined;
  /** The version of the tool, for the formats that name their producer. */
  readonly toolVersion: string;
  /** The Markdown page of a code, for formats that include help; undefined when there is none. */
  readonly helpPage: (code: DiagnosticCode) => string | undefined;
}

export interface Reporter {
  /** The value of `--format`. */
  readonly format: string;
  /** Whether the format is machine-readable: it is then written to standard output, and never empty. */
  readonly machine: boolean;
  /** Renders the report, with a final line break unless it is empty. */
  readonly render: (report: Report, options: ReportOptions) => string;
}

/** The number of findings of each severity, and of files with findings. */
export function summarize(diagnostics: readonly Diagnostic[]) {
  const count = (severity: Severity): number =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  return {
    errors: count('error'),
    warnings: count('warning'),
    information: count('information'),
    files: new Set(diagnostics.map((diagnostic) => diagnostic.span.file)).size,
  };
}

/** The words of severities in texts and in SARIF. */
export const severityWords: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  information: 'note',
};

/** The file of a span, and its lines and columns, whose end is exclusive; undefined when the text of its file is not known. */
export function regionOf(sources: readonly SourceFile[], span: Span) {
  const source = sources.find(({ name }) => name === span.file);
  if (source === undefined) return undefined;
  const map = lineMapOf(source);
  const limit = source.text.length;
  return {
    source,
    start: positionAt(map, Math.min(span.start, limit)),
    end: positionAt(map, Math.min(Math.max(span.start, span.end), limit)),
  };
}
