import { appendTo } from '../../../compiler/graph/maps.js';
import type { ChangePlace, ChangeReach } from '../model/change.js';
import { type ComparedTopology, type DiffReport, type JudgedChange, summarizeChanges } from '../model/diff-report.js';

export interface ChangeReportOptions {
  /** Whether terminal colours may be used; only the text reporter has any. */
  readonly color: boolean;
  /** Whether safe changes also have frames; only the text reporter uses it. */
  readonly verbose: boolean;
  readonly toolVersion: string;
}

/** Prints the whole report, with a final line break unless it is empty. */
export type ChangeReporter = (report: DiffReport, options: ChangeReportOptions) => string;

/** Changes with one level, place and waiver: a removed field is removed from its type and its input. */
export type ChangeBlock = ReturnType<typeof blocksOf>[number];

/** Groups the changes of a topology into blocks, in the order of the first change of each. */
export function blocksOf({ changes }: ComparedTopology) {
  const blocks = new Map<string, JudgedChange[]>();
  for (const change of changes) appendTo(blocks, keyOf(change), change);
  return [...blocks.values()].map((block) => {
    return { changes: block, first: block[0] as JudgedChange, reach: unite(block) };
  });
}

/** The summary line of a report: `1 breaking, 2 safe changes between HEAD and the working tree`. */
export function summaryLine(report: DiffReport): string {
  const counts = Object.entries(summarizeChanges(report)).filter(([, count]) => count > 0);
  const parts = counts.map(([name, count]) => `${count} ${name}`);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const what = total === 0 ? 'no changes' : `${parts.join(', ')} ${total === 1 ? 'change' : 'changes'}`;
  const failed = report.failed.length === 0 ? '' : `; not compared: ${report.failed.join(', ')}`;
  return `${what} between ${report.before} and ${report.after}${failed}`;
}

/** The reach of a change, a text for each kind with the first few names; empty if no operation is affected. */
export function describeReach(reach: ChangeReach): readonly string[] {
  return lists
    .filter(([several]) => reach[several].length > 0)
    .map(([several, one]) => `${reach[several].length === 1 ? one : several} ${shorten(reach[several])}`)
    .concat(reach.isComplete ? [] : ['and others that are not listed']);
}

/** The lists of a reach, and the word for one item of each. */
const lists = [
  ['queries', 'query'],
  ['mutations', 'mutation'],
  ['subscriptions', 'subscription'],
  ['routes', 'route'],
  ['requests', 'request'],
] as const;

function shorten(names: readonly string[], limit = 8): string {
  if (names.length <= limit) return names.join(', ');
  return `${names.slice(0, limit).join(', ')} and ${names.length - limit} more`;
}

/** Changes without a place are unrelated to each other. */
function keyOf({ level, waiver, before, after, kind, coordinate }: JudgedChange): string {
  const keyOfPlace = (place: ChangePlace | undefined) =>
    place === undefined ? [] : [place.span.file, place.span.start, place.span.end];
  const places = [keyOfPlace(before), keyOfPlace(after)];
  const alone = before === undefined && after === undefined ? [kind, coordinate] : [];
  return JSON.stringify([level, waiver?.span.start, places, alone]);
}

function unite(changes: readonly JudgedChange[]): ChangeReach {
  const all = lists.map(([key]) => [key, [...new Set(changes.flatMap(({ reach }) => reach[key]))]] as const);
  const isComplete = changes.every(({ reach }) => reach.isComplete);
  return { ...(Object.fromEntries(all) as Omit<ChangeReach, 'isComplete'>), isComplete };
}
