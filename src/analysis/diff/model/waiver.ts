import type { Span } from '../../../base/source/span.js';
import type { ChangeKind } from './change-kinds.js';

/** A decision to accept changes until a certain day. */
export interface Waiver {
  readonly kind: ChangeKind;
  /** The coordinates of the changes, at least one. */
  readonly coordinates: readonly string[];
  /** The topology it applies to, by its name in the report; undefined for all. */
  readonly topology: string | undefined;
  readonly reason: string;
  /** The last day on which it is valid: `2026-12-31`. */
  readonly expires: string;
  readonly span: Span;
}
