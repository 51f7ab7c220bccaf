import type { GraphEdge, GraphIR, GraphNode } from './graph-ir.js';

/** Whether a node is absent from the API: `internal: true`. */
export function isInternalNode({ settings }: GraphNode): boolean {
  return settings?.get('internal')?.value === true;
}

/** Whether any node of a topology is internal. */
export function hasInternalNodes({ nodes }: GraphIR): boolean {
  for (const node of nodes.values()) if (isInternalNode(node)) return true;
  return false;
}

/** Whether an edge is absent from the API by its own setting: `internal: true`. */
export function isInternalEdge({ settings }: GraphEdge): boolean {
  return settings.get('internal')?.value === true;
}

/**
 * The targets of the races that make no union, because one of their edges or branches is internal. Such a race returns the
 * type of its target.
 */
export function internalRaces(edges: readonly GraphEdge[]): ReadonlySet<GraphNode> {
  const targets = new Set<GraphNode>();
  for (const edge of edges) {
    if (edge.type !== 'RACE') continue;
    const isInternal = isInternalEdge(edge) || edge.sources.some(isInternalNode);
    for (const target of edge.targets) if (isInternal || isInternalNode(target)) targets.add(target);
  }
  return targets;
}
