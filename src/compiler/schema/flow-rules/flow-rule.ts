import type { Diagnostic } from '../../../base/diagnostics/diagnostic.js';
import type { GraphIR } from '../../graph/graph-ir.js';
import type { GqlSchema } from '../gql-schema.js';

/**
 * One check of a topology without errors. Its findings are warnings and information: the API works, but is perhaps not
 * what its author wants.
 *
 * To add a rule: one file in this folder, one line in `analyze-flow.ts`. The cost of a rule must be linear in the length
 * of the topology.
 */
export type FlowRule = (topology: ProjectedTopology) => readonly Diagnostic[];

export interface ProjectedTopology {
  readonly ir: GraphIR;
  readonly schema: GqlSchema;
}
