import type { ChangeLevel } from '../../src/analysis/diff/model/change-level.js';

/** What the last save has changed at a part of the graph. */
export interface ChangeMark {
  /** `reached`: unchanged itself, but a change reaches it. */
  readonly level: ChangeLevel | 'reached';
  /** `2 changes, breaking` */
  readonly title: string;
}
