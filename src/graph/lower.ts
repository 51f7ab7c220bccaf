import type { Outcome } from '../diagnostics/outcome.js';
import { lineMapOf } from '../source/source-file.js';
import type { GraphAST } from '../syntax/ast.js';
import { createDraft, type NodeDraft } from './graph-draft.js';
import type { GraphIR, GraphNode } from './graph-ir.js';
import { passes } from './passes.js';

/**
 * Makes the topology out of the tree: all files merged, every name resolved, every property read. What
 * is wrong with it is told in the diagnostics, one for each mistake; the topology is as complete as it
 * could be made without what is wrong.
 */
export function lowerGraph(ast: GraphAST): Outcome<GraphIR> {
  const draft = createDraft(ast);
  for (const pass of passes) pass(draft);
  const nodes = new Map<string, GraphNode>();
  for (const node of draft.nodes.values()) nodes.set(node.id, finishNode(node));
  return {
    value: { sources: ast.documents.map(({ file }) => lineMapOf(file)), nodes, edges: draft.edges },
    diagnostics: draft.diagnostics,
  };
}

/** The node without what only the passes need. */
function finishNode(node: NodeDraft): GraphNode {
  return {
    id: node.id,
    kind: node.kind,
    typeName: node.typeName,
    labels: node.labels,
    fields: node.fields,
    values: node.values,
    specifiedBy: node.specifiedBy,
    description: node.description,
    span: node.span,
  };
}
