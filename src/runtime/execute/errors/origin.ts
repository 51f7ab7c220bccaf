import { describePlace } from '../../../base/source/span.js';
import type { GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';

// A file of its own: what loads it need not load graphql-js.

export function edgesOf(schema: GqlSchema, operation: Pick<GqlOperation, 'edges'>) {
  return operation.edges.map(({ edge, from, to, span }) => ({
    /** `root -[:PROCESS]-> read_user` */
    edge: `${from.join(' | ')} -[:${edge}]-> ${to}`,
    /** `service.gg:45:1` */
    source: describePlace(schema.sources, span),
  }));
}
