import { eachEdge } from './describe-edges.js';
import type { OperationRule } from './edge-rule.js';

/** FORK → for each target a subscription to it. The edges' own typed properties are its filters. */
export const forkRule: OperationRule = {
  edgeType: 'FORK',
  produces: 'subscription',
  honoursReturns: false,
  describe: (group) => `Subscription (fork) from ${eachEdge(group).join(', ')}`,
  addArguments: ({ edges }, args) => {
    for (const edge of edges) for (const arg of edge.args) args.addOwn(arg);
  },
};
