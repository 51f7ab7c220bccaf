import type { NodeGroup, Statement } from '../../../compiler/syntax/ast.js';
import type { Segment } from '../document/segmented-text.js';

export function groupsOf(statement: Statement): readonly NodeGroup[] {
  return statement.kind === 'Pipeline' ? [statement.head, ...statement.hops.map(({ target }) => target)] : [];
}

/** One edge as written: a hop with its source group. */
export type WrittenEdge = ReturnType<typeof edgesIn>[number];

/** The edges of a segment in order; offsets are relative to the segment. */
export function edgesIn({ statements }: Segment) {
  return statements.flatMap((statement) => {
    if (statement.kind !== 'Pipeline') return [];
    const groups = groupsOf(statement);
    return statement.hops.map(({ type, typeStart, target }, at) => ({
      type,
      typeStart,
      source: groups[at] as NodeGroup,
      target,
    }));
  });
}
