import { describeEdges } from './describe-edges.js';
import type { OperationRule } from './edge-rule.js';

/**
 * PROCESS → a query for each target. Its arguments are the edge's own typed properties if it has any, else the
 * declared fields of its sources.
 */
export const processRule: OperationRule = {
  edgeType: 'PROCESS',
  produces: 'query',
  honoursReturns: true,
  describe: (group) => {
    const each = describeEdges(group);
    return `Query from topology ${each.length === 1 ? 'edge' : 'edges'} ${each.join(', ')}`;
  },
  addArguments: (edges, args) => {
    for (const edge of edges) {
      for (const arg of edge.args) args.addOwn(arg);
      if (edge.args.length > 0) continue;
      for (const source of edge.sources) for (const field of source.fields) args.addField(field);
    }
  },
};
