import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import type { GraphIR } from '../../graph/graph-ir.js';
import type { GqlSchema } from '../gql-schema.js';

/**
 * One question about how things flow through a topology, asked when it has no errors. Its findings are
 * warnings and information: the API is sound, but perhaps not what its author means.
 *
 * To add a rule: one file in `flow-rules/`, one line in `flow-rules.ts`. A rule must cost no more than the
 * length of the topology.
 */
export type FlowRule = (topology: ProjectedTopology) => readonly Diagnostic[];

/** A topology without errors, with what it projects to. */
export interface ProjectedTopology {
  readonly ir: GraphIR;
  readonly schema: GqlSchema;
}
