import { describeEdges } from './describe-edges.js';
import type { OperationRule } from './edge-rule.js';

/** FORK → a subscription for each target. The edges' own typed properties are its filters. */
export const forkRule: OperationRule = {
  edgeType: 'FORK',
  produces: 'subscription',
  honoursReturns: false,
  defaultDescription: (group) => `Subscription (fork) from ${describeEdges(group).join(', ')}`,
  addArguments: (edges, args) => {
    for (const edge of edges) args.addOwn(edge.args);
  },
};
