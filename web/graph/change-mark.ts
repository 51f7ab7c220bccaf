import type { DrawnBox } from '../../src/analysis/diagram/drawing.js';
import type { ChangeLevel } from '../../src/analysis/diff/model/change-level.js';
import { nameOfBox, nameOfPart } from './structure.js';

/** What the last save has changed at a part of the graph. */
export interface ChangeMark {
  /** `reached`: unchanged itself, but a change reaches it. */
  readonly level: ChangeLevel | 'reached';
  /** `2 changes, breaking` */
  readonly title: string;
}

const levels = ['breaking', 'dangerous', 'safe', 'reached'] as const;

/** The mark of a box; a group has the worst one of its nodes. */
export function markOfBox(box: DrawnBox, marks: ReadonlyMap<string, ChangeMark>): ChangeMark | undefined {
  if (box.members === undefined) return marks.get(nameOfBox(box) ?? '');
  const found = box.members.flatMap((id) => marks.get(nameOfPart({ kind: 'node', id })) ?? []);
  const level = levels.find((each) => found.some((mark) => mark.level === each));
  return level && { level, title: `${found.length} of its nodes, ${level}` };
}
