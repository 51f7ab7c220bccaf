import { describePlace } from '../../../base/source/span.js';
import type { GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';

// A file of its own: what loads it need not load graphql-js.

export interface EdgeReference {
  /** `root -[:PROCESS]-> read_user` */
  readonly edge: string;
  /** `service.gg:45:1` */
  readonly source: string;
}

export function edgesOf(schema: GqlSchema, operation: Pick<GqlOperation, 'edges'>): readonly EdgeReference[] {
  return operation.edges.map(({ edge, from, to, span }) => ({
    edge: `${from.join(' | ')} -[:${edge}]-> ${to}`,
    source: describePlace(schema.sources, span),
  }));
}
