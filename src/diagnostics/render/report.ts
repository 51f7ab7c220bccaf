import { lineMapOf, type Position, positionAt, type SourceFile } from '../../source/source-file.js';
import type { Span } from '../../source/span.js';
import type { DiagnosticCode } from '../codes.js';
import type { Severity } from '../define.js';
import type { Diagnostic } from '../diagnostic.js';

/** Findings and the texts that they point into: what every reporter gets. */
export interface Report {
  /** In the order in which they are to be shown. */
  readonly diagnostics: readonly Diagnostic[];
  /** The files whose text is known; a finding about any other file is shown by its name alone. */
  readonly sources: readonly SourceFile[];
}

/** What a reporter needs to know of its surroundings, since this floor looks nothing up by itself. */
export interface ReportOptions {
  /** Whether terminal colours may be used; only the text reporter has any. */
  readonly color: boolean;
  /** The version of the tool, for the formats that name their producer. */
  readonly toolVersion: string;
  /** The page of a code, as Markdown, for the formats that carry help; undefined when there is none. */
  readonly helpPage: (code: DiagnosticCode) => string | undefined;
}

/** One way to write a report down. */
export interface Reporter {
  /** What `--format` calls it. */
  readonly format: string;
  /** Whether programs read it: such a report goes to standard output whole, and is never empty. */
  readonly machine: boolean;
  /** The whole report as text, with a final line break unless it is empty. */
  readonly render: (report: Report, options: ReportOptions) => string;
}

/** How many findings of each severity there are, and in how many files. */
export interface ReportSummary {
  readonly errors: number;
  readonly warnings: number;
  readonly information: number;
  /** The files that have at least one finding. */
  readonly files: number;
}

/** A span as lines and columns, both ends counted from 1; the end is the first place after it. */
export interface Region {
  readonly start: Position;
  readonly end: Position;
}

/** Counts the findings. */
export function summarize(diagnostics: readonly Diagnostic[]): ReportSummary {
  const count = (severity: Severity): number =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  return {
    errors: count('error'),
    warnings: count('warning'),
    information: count('information'),
    files: new Set(diagnostics.map((diagnostic) => diagnostic.span.file)).size,
  };
}

/** Looks sources up by name, once for a whole report. */
export function indexSources(sources: readonly SourceFile[]): ReadonlyMap<string, SourceFile> {
  return new Map(sources.map((source) => [source.name, source]));
}

/** Where a span stands, in lines and columns; undefined when the text of its file is not known. */
export function regionOf(sources: ReadonlyMap<string, SourceFile>, span: Span): Region | undefined {
  const source = sources.get(span.file);
  if (source === undefined) return undefined;
  const map = lineMapOf(source);
  const limit = source.text.length;
  return {
    start: positionAt(map, Math.min(span.start, limit)),
    end: positionAt(map, Math.min(Math.max(span.start, span.end), limit)),
  };
}
