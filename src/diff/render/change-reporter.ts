import type { DiffReport } from '../model/diff-report.js';

/** What a reporter of changes needs to know of its surroundings. */
export interface ChangeReportOptions {
  /** Whether terminal colours may be used; only the text reporter has any. */
  readonly color: boolean;
  /** Whether safe changes are shown with frames, too; only the text reporter makes a difference. */
  readonly verbose: boolean;
  /** The version of the tool, for the formats that name their producer. */
  readonly toolVersion: string;
}

/** One way to write changes down. */
export interface ChangeReporter {
  /** What `--format` calls it. */
  readonly format: string;
  /** The whole report as text, with a final line break unless it is empty. */
  readonly render: (report: DiffReport, options: ChangeReportOptions) => string;
}
