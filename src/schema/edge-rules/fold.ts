import type { GraphNode } from '../../graph/graph-ir.js';
import { camelCaseOf } from '../../graph/names.js';
import { eachEdge } from './describe-edges.js';
import type { OperationRule } from './edge-rule.js';

/**
 * FOLD → for each target a mutation. Its arguments are the edges' own typed properties; edges that have
 * none give their sources instead: `input` when there is one source in all, else one argument for each,
 * named after it. So `(a | b)-[:FOLD]->(c)` is the same as one edge from `a` and one from `b`.
 */
export const foldRule: OperationRule = {
  edgeType: 'FOLD',
  produces: 'mutation',
  honoursReturns: true,
  describe: (group) => `Mutation (fold) from ${eachEdge(group).join(', ')}`,
  addArguments: ({ edges }, args, nodeOf) => {
    const sources = new Map<string, GraphNode>();
    for (const edge of edges) {
      for (const arg of edge.args) args.addOwn(arg);
      if (edge.args.length > 0) continue;
      for (const source of edge.sources) sources.set(source, nodeOf(source));
    }
    for (const node of sources.values()) {
      args.addNode(sources.size === 1 ? 'input' : camelCaseOf(node.typeName), node);
    }
  },
};
