import type { Span } from '../../base/source/span.js';
import type { GraphEdge } from '../../compiler/graph/graph-ir.js';
import { allOperations, type GqlSchema } from '../../compiler/schema/gql-schema.js';

/** The name of the operation or union that an edge became for one of its targets. */
export type EdgeNames = (edge: GraphEdge, target: string) => string | undefined;

/** Finds the operation or union of each edge; the name is undefined for an edge without one. */
export function namesOfEdges(schema: GqlSchema): EdgeNames {
  const names = new Map<string, string>();
  for (const { name, edges } of [...allOperations(schema), ...schema.unions]) {
    for (const { edge, to, span } of edges) names.set(strokeKey(edge, to, span), name);
  }
  return ({ type, span }, target) => names.get(strokeKey(type, target, span));
}

function strokeKey(type: string, target: string, { file, start, end }: Span): string {
  return `${type} ${target} ${start} ${end} ${file}`;
}
