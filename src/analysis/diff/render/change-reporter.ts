import type { DiffReport } from '../model/diff-report.js';

/** The environment of a reporter of changes. */
export interface ChangeReportOptions {
  /** Whether terminal colours may be used; only the text reporter has any. */
  readonly color: boolean;
  /** Whether safe changes also have frames; only the text reporter uses it. */
  readonly verbose: boolean;
  /** The version of the tool, for the formats that name their producer. */
  readonly toolVersion: string;
}

export interface ChangeReporter {
  readonly format: string;
  /** The whole report as text, with a final line break unless it is empty. */
  readonly render: (report: DiffReport, options: ChangeReportOptions) => string;
}
