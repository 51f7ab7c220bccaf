import { argumentSources } from './argument-sources.js';
import { describeEdges } from './describe-edges.js';
import type { OperationRule } from './edge-rule.js';

/** PROCESS → a query for each target, with the edge's own typed properties and the fields of its argument sources. */
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
      args.addOwn(edge.args);
      for (const source of argumentSources(edge)) args.addFields(source.fields);
    }
  },
};
