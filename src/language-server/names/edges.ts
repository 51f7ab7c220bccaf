import type { NodeGroup } from '../../syntax/ast.js';
import type { Segment } from '../document/segment.js';

/** One edge as written: a hop with its source group. */
export interface WrittenEdge {
  readonly type: string;
  readonly typeStart: number;
  readonly source: NodeGroup;
  readonly target: NodeGroup;
}

/** The edges of a segment in order; offsets are relative to the segment. */
export function edgesIn({ statements }: Segment): WrittenEdge[] {
  return statements.flatMap((statement) => {
    if (statement.kind !== 'Pipeline') return [];
    const groups = [statement.head, ...statement.hops.map(({ target }) => target)];
    return statement.hops.map(({ type, typeStart, target }, at) => ({
      type,
      typeStart,
      source: groups[at] as NodeGroup,
      target,
    }));
  });
}
