import type { Comparison } from './measure.js';
import type { RowId } from './targets.js';

/** One line of the report: a row at one size. Plain data, so that it can cross between processes. */
export interface Measurement extends Comparison {
  readonly row: RowId;
  /** What was measured, for people: `1k edges`, `docs/examples/parcel`. */
  readonly size: string;
  readonly unit: Unit;
  /** Whether the target speaks of this size; the others are shown for orientation. */
  readonly judged: boolean;
}

/** How the absolute figures are written. Times are kept in nanoseconds and memory in bytes. */
export type Unit = 'ns/edge' | 'B/edge' | 'B' | 'ms' | 'MiB' | 'files';

/** Measures the rows of a group that are wanted, and hands each result over as soon as it is known. */
export type Group = (context: BenchContext) => void | Promise<void>;

/** What a group works with. */
export interface BenchContext {
  /** The folder of the package. */
  readonly root: string;
  /** A folder for files of this run; it can resolve the packages of the project. */
  readonly scratch: string;
  readonly isQuick: boolean;
  /** Whether a row was asked for. */
  readonly wants: (row: RowId) => boolean;
  readonly report: (measurement: Measurement) => void;
}

/** How a number of edges, types or operations is written: `100`, `1k`. */
export function sizeLabel(count: number): string {
  return count >= 1000 ? `${count / 1000}k` : String(count);
}
