import type { EdgeGroup } from '../edge-rules/edge-rule.js';
import type { GqlEdgeOrigin } from '../gql-schema.js';

/** What the operation or union of a group tells of the edges that it comes from. */
export function edgeOrigins({ edges, target }: EdgeGroup): readonly GqlEdgeOrigin[] {
  return edges.map(({ type, sources, span }) => ({ edge: type, from: sources, to: target.id, span }));
}
