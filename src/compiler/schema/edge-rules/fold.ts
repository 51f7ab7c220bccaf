import { type GraphNode, isInternalNode } from '../../graph/graph-ir.js';
import { camelCaseOf } from '../../graph/names.js';
import { argumentSources } from './argument-sources.js';
import { describeEdges } from './describe-edges.js';
import type { OperationRule } from './edge-rule.js';

/**
 * FOLD → a mutation for each target. Its arguments are the edges' own typed properties and their argument sources:
 * `input` when there is one source in all, else one argument for each source, named after it; an internal source, which
 * has no input, gives its fields. So `(a | b)-[:FOLD]->(c)` equals one edge from `a` and one from `b`.
 */
export const foldRule: OperationRule = {
  edgeType: 'FOLD',
  produces: 'mutation',
  honoursReturns: true,
  defaultDescription: (group) => `Mutation (fold) from ${describeEdges(group).join(', ')}`,
  addArguments: (edges, args) => {
    const sources = new Set<GraphNode>();
    for (const edge of edges) {
      args.addOwn(edge.args);
      for (const source of argumentSources(edge)) {
        if (isInternalNode(source)) args.addFields(source.fields);
        else sources.add(source);
      }
    }
    for (const node of sources) {
      args.addNode(sources.size === 1 ? 'input' : camelCaseOf(node.typeName), node);
    }
  },
};
