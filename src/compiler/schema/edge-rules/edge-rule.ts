import type { GraphEdge, GraphField, GraphNode } from '../../graph/graph-ir.js';
import type { GqlEdgeOrigin, OperationKind } from '../gql-schema.js';

/**
 * The projection of the edges of one type. A rule contains only what is specific to its edge type; the projection
 * merges the edges to one target and checks for name clashes, for all rules.
 *
 * To add a rule: one file in this folder, one line in `edge-rules.ts`.
 */
export type EdgeRule = OperationRule | UnionRule;

/** A rule whose edges become operations: one for each target. */
export interface OperationRule {
  readonly edgeType: string;
  readonly produces: OperationKind;
  /** Whether `returns` on an edge sets the result type; otherwise the result is always the target's type. */
  readonly honoursReturns: boolean;
  /** The description of an operation that has no doc comment. */
  readonly defaultDescription: (group: EdgeGroup) => string;
  /** Adds the arguments of the operation, in order. They depend on the edges alone, not on the target. */
  readonly addArguments: (edges: readonly GraphEdge[], args: OperationArguments) => void;
}

/** A rule whose edges become unions: one for each target, of all its sources. */
export interface UnionRule {
  readonly edgeType: string;
  readonly produces: 'union';
  /** The description of a union that has no doc comment. */
  readonly defaultDescription: (group: EdgeGroup) => string;
}

/** The edges of one type that become one operation or one union. */
export interface EdgeGroup {
  readonly name: string;
  readonly target: GraphNode;
  /** At least one. */
  readonly edges: readonly GraphEdge[];
  /** One for each edge. All origins of an edge share its list of source ids. */
  readonly origins: readonly GqlEdgeOrigin[];
}

/** The arguments of one operation, as a rule adds them. */
export interface OperationArguments {
  /** Adds the typed properties of an edge. */
  readonly addOwn: (properties: readonly GraphField[]) => void;
  readonly addFields: (fields: readonly GraphField[]) => void;
  /** Adds a source as a whole: its input, or the enum or scalar that it is. */
  readonly addNode: (name: string, node: GraphNode) => void;
}
