import { describeEdges } from './describe-edges.js';
import type { OperationRule } from './edge-rule.js';

/** PROCESS → a query for each target, with the edge's own typed properties, else its sources' fields. */
export const processRule: OperationRule = {
  edgeType: 'PROCESS',
  produces: 'query',
  honoursReturns: true,
  defaultDescription: (group) => {
    const each = describeEdges(group);
    return `Query from topology ${each.length === 1 ? 'edge' : 'edges'} ${each.join(', ')}`;
  },
  addArguments: (edges, args) => {
    for (const edge of edges) {
      if (edge.args.length > 0) args.addOwn(edge.args);
      else for (const source of edge.sources) args.addFields(source.fields);
    }
  },
};
