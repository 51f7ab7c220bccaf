import { describePlace } from '../../../base/source/span.js';
import type { GqlEdgeOrigin, GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';

export interface EdgeReference {
  /** `root -[:PROCESS]-> read_user` */
  readonly edge: string;
  /** `service.gg:45:1` */
  readonly source: string;
}

export function edgesOf(schema: GqlSchema, operation: Pick<GqlOperation, 'edges'>): readonly EdgeReference[] {
  return operation.edges.map((origin) => ({
    edge: describeEdge(origin),
    source: describePlace(schema.sources, origin.span),
  }));
}

function describeEdge({ edge, from, to }: GqlEdgeOrigin): string {
  return `${from.join(' | ')} -[:${edge}]-> ${to}`;
}
