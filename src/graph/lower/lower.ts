import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import type { Outcome } from '../../diagnostics/outcome.js';
import { lineMapOf } from '../../source/source-file.js';
import type { GraphAST } from '../../syntax/ast.js';
import { withSvcSpan } from '../../tracing/svc-tracing.js';
import type { GraphIR } from '../graph-ir.js';
import { createDraft, type NodeDraft } from './graph-draft.js';
import { passes } from './passes.js';

/**
 * Makes the topology out of the tree: all files merged, every name resolved, every property read. What
 * is wrong with it is told in the diagnostics, one for each mistake; the topology is as complete as it
 * could be made without what is wrong.
 *
 * @param unreadable - Why imported files cannot be read, by path.
 */
export function lowerGraph(
  ast: GraphAST,
  unreadable: ReadonlyMap<string, Diagnostic> = new Map(),
): Outcome<GraphIR> {
  const draft = createDraft(ast, unreadable);
  for (const pass of passes) withSvcSpan(`gg.pass ${pass.name}`, () => pass(draft));
  for (const node of draft.nodes.values()) forgetTree(node);
  const sources = ast.documents.map(({ file }) => lineMapOf(file));
  const { nodes, edges, diagnostics } = draft;
  return { value: { sources, nodes, edges }, diagnostics };
}

/** Lets go of what only the passes need, so that the topology does not keep the tree alive. */
function forgetTree(node: NodeDraft): void {
  node.declarations = none;
  node.valueNames = undefined;
}

const none: readonly never[] = [];
