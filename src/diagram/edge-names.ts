import type { GraphEdge } from '../graph/graph-ir.js';
import type { GqlSchema } from '../schema/gql-schema.js';
import type { Span } from '../source/span.js';

/** The names of the operations and unions that an edge became, with regard to one of its targets. */
export type EdgeNames = (edge: GraphEdge, target: string) => readonly string[];

/** Finds out which operations and unions each edge became. */
export function namesOfEdges(schema: GqlSchema): EdgeNames {
  const names = new Map<string, string[]>();
  const { queries, mutations, subscriptions, unions } = schema;
  for (const { name, edges } of [...queries, ...mutations, ...subscriptions, ...unions]) {
    for (const { edge, to, span } of edges) {
      const place = placeOf(edge, to, span);
      const found = names.get(place);
      if (found === undefined) names.set(place, [name]);
      else if (!found.includes(name)) found.push(name);
    }
  }
  return ({ type, span }, target) => names.get(placeOf(type, target, span)) ?? [];
}

function placeOf(type: string, target: string, { file, start, end }: Span): string {
  return `${type} ${target} ${start} ${end} ${file}`;
}
