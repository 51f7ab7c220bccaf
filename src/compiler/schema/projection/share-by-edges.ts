import type { GraphEdge } from '../../graph/graph-ir.js';
import { remember } from '../../graph/maps.js';

/**
 * Makes something that depends only on the edges of a group once for all groups with the same edges. An edge from many
 * sources to many targets then costs their sum and not their product, and a mistake in it is reported once.
 *
 * @param make makes the value; it is called once for each distinct list of edges
 */
export function shareByEdges<Made, Group extends { readonly edges: readonly GraphEdge[] }>(
  make: (group: Group) => Made,
): (group: Group) => Made {
  const byEdge = new Map<GraphEdge, Made>();
  const byEdges = new Map<string, Made>();
  const numbers = new Map<GraphEdge, number>();
  const keyOf = (edges: readonly GraphEdge[]): string => {
    let key = '';
    for (const edge of edges) key += `${remember(numbers, edge, () => numbers.size)} `;
    return key;
  };
  return (group) => {
    const { edges } = group;
    // An edge with one target belongs to one group, so no other group has the same edges.
    if (edges.some(({ targets }) => targets.length === 1)) return make(group);
    return edges.length === 1
      ? remember(byEdge, edges[0] as GraphEdge, () => make(group))
      : remember(byEdges, keyOf(edges), () => make(group));
  };
}
