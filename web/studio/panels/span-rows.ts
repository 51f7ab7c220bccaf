import { appendTo } from '../../../src/compiler/graph/maps.js';
import type { CallSpan } from '../../../src/tools/studio/protocol.js';

/** A row of a waterfall. */
export interface SpanRow {
  readonly span: CallSpan;
  readonly depth: number;
  /** Where its bar begins and how long it is, in percent of the call. */
  readonly left: number;
  readonly width: number;
}

/** The shortest time without a span that is a row, as a share of the call. */
const shortestGap = 0.01;

/**
 * The times of a call in which no span was open, as spans: reading and checking the request, printing and sending the
 * answer. With them, the rows explain the whole call.
 */
export function withGaps(spans: readonly CallSpan[], duration: number): readonly CallSpan[] {
  if (spans.length === 0) return spans;
  const all: CallSpan[] = [];
  let covered = 0;
  const add = (until: number, name: string) => {
    if (until - covered > duration * shortestGap)
      all.push({ id: `gap ${all.length}`, name, start: covered, duration: until - covered, attributes: {} });
  };
  for (const span of [...spans].sort((one, other) => one.start - other.start)) {
    add(span.start, covered === 0 ? 'read and check the request' : 'between spans');
    all.push(span);
    covered = Math.max(covered, span.start + span.duration);
  }
  add(duration, 'print and send the answer');
  return all;
}

/** The spans of a call as rows: each below its parent, by its start. A span whose parent is unknown is at the top. */
export function spanRows(spans: readonly CallSpan[], duration: number): readonly SpanRow[] {
  const known = new Set(spans.map(({ id }) => id));
  const below = new Map<string | undefined, CallSpan[]>();
  for (const span of spans) {
    const parent = span.parent !== undefined && known.has(span.parent) ? span.parent : undefined;
    appendTo(below, parent, span);
  }
  const whole = Math.max(duration, ...spans.map(({ start, duration: length }) => start + length), 0.001);
  const rows: SpanRow[] = [];
  const add = (parent: string | undefined, depth: number) => {
    const own = below.get(parent) ?? [];
    // Each list is taken once, so a circle of parents ends.
    below.delete(parent);
    for (const span of own.sort((one, other) => one.start - other.start)) {
      const left = percent(Math.max(0, span.start), whole);
      const width = Math.max(0.5, Math.min(percent(span.duration, whole), 100 - left));
      rows.push({ span, depth, left, width });
      add(span.id, depth + 1);
    }
  };
  add(undefined, 0);
  return rows;
}

function percent(part: number, whole: number): number {
  return Math.min(99.5, (part / whole) * 100);
}
