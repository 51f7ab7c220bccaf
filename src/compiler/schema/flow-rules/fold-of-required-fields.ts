import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { type GraphField, type GraphNode, isInternalNode } from '../../graph/graph-ir.js';
import { inputNameOf } from '../../graph/names.js';
import type { FlowRule } from './flow-rule.js';
import { usedElsewhere } from './source-arguments.js';

/**
 * GG3032: a FOLD from an object type with required fields. Its mutation takes the input of the object type, in which
 * every field is optional; the label `Input` makes an input with the `!` of the fields, but breaks every other use of
 * the type. Each source is reported once.
 */
export const foldOfRequiredFields: FlowRule = ({ ir }) => {
  const found: { readonly node: GraphNode; readonly required: readonly GraphField[] }[] = [];
  const isSeen = new Uint8Array(ir.nodes.size);
  for (const { type, args, sources: nodes } of ir.edges) {
    if (type !== 'FOLD' || args.length > 0) continue;
    for (const node of nodes) {
      if (node.kind !== 'object' || isSeen[node.index] === 1 || isInternalNode(node)) continue;
      isSeen[node.index] = 1;
      if (ir.nodesByType.get(inputNameOf(node.typeName))?.kind === 'input') continue;
      const required = node.fields.filter((field) => field.type.kind === 'nonNull' && field.fallback === undefined);
      if (required.length > 0) found.push({ node, required });
    }
  }
  if (found.length === 0) return [];
  const isUsed = usedElsewhere(ir);
  return found.map(({ node, required }): Diagnostic => {
    const isShared = isUsed(node);
    const params = { source: node.id, fields: required.map(({ name }) => name), isShared };
    if (isShared) return diagnose('GG3032', params, node.span);
    const behindId = { ...node.span, start: node.span.end };
    const fix = { description: 'Add the label Input', edits: [{ span: behindId, text: ': Input' }] };
    return diagnose('GG3032', params, node.span, { fix });
  });
};
