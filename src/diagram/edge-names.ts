import type { GraphEdge } from '../graph/graph-ir.js';
import { allOperations, type GqlSchema } from '../schema/gql-schema.js';
import type { Span } from '../source/span.js';

/** The name of the operation or union that an edge became for one of its targets. */
export type EdgeNames = (edge: GraphEdge, target: string) => string | undefined;

/** Finds the operation or union of each edge; the name is undefined for an edge without one. */
export function namesOfEdges(schema: GqlSchema): EdgeNames {
  const names = new Map<string, string>();
  for (const { name, edges } of [...allOperations(schema), ...schema.unions]) {
    for (const { edge, to, span } of edges) names.set(placeOf(edge, to, span), name);
  }
  return ({ type, span }, target) => names.get(placeOf(type, target, span));
}

function placeOf(type: string, target: string, { file, start, end }: Span): string {
  return `${type} ${target} ${start} ${end} ${file}`;
}
