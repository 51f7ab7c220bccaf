import type { Span } from '../../source/span.js';
import type { ChangeKind } from './change-kinds.js';

/** A decision to let changes pass, until a day. */
export interface Waiver {
  readonly kind: ChangeKind;
  /** The coordinates of the changes, at least one. */
  readonly coordinates: readonly string[];
  /** The topology that it is for, as the report names it; undefined for any. */
  readonly topology: string | undefined;
  /** Why the changes are waived. */
  readonly reason: string;
  /** The last day on which it holds: `2026-12-31`. */
  readonly expires: string;
  /** Where it stands in the file of waivers. */
  readonly span: Span;
}
