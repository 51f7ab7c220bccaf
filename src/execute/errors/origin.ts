import type { GqlEdgeOrigin, GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { describePlace } from '../../source/span.js';

/** One edge, as errors show it. */
export interface EdgeReference {
  /** `root -[:PROCESS]-> read_user` */
  readonly edge: string;
  /** `service.gg:45:1` */
  readonly source: string;
}

/** The edges of an operation, as errors and pages show them. */
export function edgesOf(schema: GqlSchema, operation: Pick<GqlOperation, 'edges'>): readonly EdgeReference[] {
  return operation.edges.map((origin) => ({
    edge: describeEdge(origin),
    source: describePlace(schema.sources, origin.span),
  }));
}

function describeEdge({ edge, from, to }: GqlEdgeOrigin): string {
  return `${from.join(' | ')} -[:${edge}]-> ${to}`;
}
