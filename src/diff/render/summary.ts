import { type DiffReport, summarizeChanges } from '../model/diff-report.js';

/** The summary line of a report: `1 breaking, 2 safe changes between HEAD and the working tree`. */
export function summaryLine(report: DiffReport): string {
  const { breaking, dangerous, safe, waived } = summarizeChanges(report);
  const parts = [
    ...(breaking > 0 ? [`${breaking} breaking`] : []),
    ...(dangerous > 0 ? [`${dangerous} dangerous`] : []),
    ...(safe > 0 ? [`${safe} safe`] : []),
    ...(waived > 0 ? [`${waived} waived`] : []),
  ];
  const total = breaking + dangerous + safe + waived;
  const what = total === 0 ? 'no changes' : `${parts.join(', ')} ${total === 1 ? 'change' : 'changes'}`;
  const failed = report.failed.length === 0 ? '' : `; not compared: ${report.failed.join(', ')}`;
  return `${what} between ${report.before} and ${report.after}${failed}`;
}
