import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import type { GraphIR, GraphNode } from '../../graph/graph-ir.js';
import type { TypeProjection } from './type-projection.js';

/** What the parts of the projection share. */
export interface ProjectionContext {
  readonly types: TypeProjection;
  /** The node of an id that an edge names. */
  readonly nodeOf: (id: string) => GraphNode;
  /** Where findings are told. */
  readonly diagnostics: Diagnostic[];
}

/** The node of an id that an edge names: lowering has made one for every mention. */
export function nodeIn(ir: GraphIR, id: string): GraphNode {
  const node = ir.nodes.get(id);
  if (node === undefined) throw new Error(`invariant: an edge names the node ${id}, which the graph lacks`);
  return node;
}
