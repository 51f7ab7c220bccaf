import type { GraphIR, GraphNode } from '../../graph/graph-ir.js';
import { inputNameOf } from '../../graph/names.js';
import { edgeRules } from '../edge-rules/edge-rules.js';

/**
 * Makes a test for the nodes that are more than sources of arguments: edges make object types of them (targets, and the
 * sources of RACE and FORK edges), or a field, an argument or a result has their type or its input.
 */
export function usedElsewhere({ edges, typesInUse }: GraphIR): (node: GraphNode) => boolean {
  const projected = new Set<GraphNode>();
  for (const { type, sources, targets } of edges) {
    if (!edgeRules.has(type)) continue;
    for (const node of targets) projected.add(node);
    if (type === 'RACE' || type === 'FORK') for (const node of sources) projected.add(node);
  }
  return (node) =>
    projected.has(node) || typesInUse.has(node.typeName) || typesInUse.has(inputNameOf(node.typeName));
}
