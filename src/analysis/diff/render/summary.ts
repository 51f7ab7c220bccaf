import { type DiffReport, summarizeChanges } from '../model/diff-report.js';

/** The summary line of a report: `1 breaking, 2 safe changes between HEAD and the working tree`. */
export function summaryLine(report: DiffReport): string {
  const counts = Object.entries(summarizeChanges(report)).filter(([, count]) => count > 0);
  const parts = counts.map(([name, count]) => `${count} ${name}`);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const what = total === 0 ? 'no changes' : `${parts.join(', ')} ${total === 1 ? 'change' : 'changes'}`;
  const failed = report.failed.length === 0 ? '' : `; not compared: ${report.failed.join(', ')}`;
  return `${what} between ${report.before} and ${report.after}${failed}`;
}
