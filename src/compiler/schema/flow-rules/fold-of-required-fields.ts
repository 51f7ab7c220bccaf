import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { type GraphField, type GraphIR, type GraphNode, isInternalNode } from '../../graph/graph-ir.js';
import { inputNameOf } from '../../graph/names.js';
import { edgeRules } from '../edge-rules/edge-rules.js';
import type { FlowRule } from './flow-rule.js';

/**
 * GG3032: a FOLD from an object type with required fields. Its mutation takes the input of the object type, in which
 * every field is optional; the label `Input` makes an input with the `!` of the fields, but breaks every other use of
 * the type. Each source is reported once.
 */
export const foldOfRequiredFields: FlowRule = ({ ir }) => {
  const sources = new Map<GraphNode, readonly GraphField[]>();
  for (const { type, args, sources: nodes } of ir.edges) {
    if (type !== 'FOLD' || args.length > 0) continue;
    for (const node of nodes) {
      if (node.kind !== 'object' || sources.has(node) || isInternalNode(node)) continue;
      const required = node.fields.filter(
        (field) => field.type.kind === 'nonNull' && field.fallback === undefined,
      );
      if (required.length > 0) sources.set(node, required);
    }
  }
  if (sources.size === 0) return [];
  const projected = projectedNodes(ir);
  return [...sources].map(([node, required]): Diagnostic => {
    const { typesInUse } = ir;
    const isShared =
      projected.has(node) || typesInUse.has(node.typeName) || typesInUse.has(inputNameOf(node.typeName));
    const params = { source: node.id, fields: required.map(({ name }) => name), isShared };
    if (isShared) return diagnose('GG3032', params, node.span);
    const behindId = { ...node.span, start: node.span.end };
    const fix = { description: 'Add the label Input', edits: [{ span: behindId, text: ': Input' }] };
    return diagnose('GG3032', params, node.span, { fix });
  });
};

/** The nodes that edges make object types of: targets, and the sources of RACE and FORK edges. */
function projectedNodes({ edges }: GraphIR): ReadonlySet<GraphNode> {
  const nodes = new Set<GraphNode>();
  for (const { type, sources, targets } of edges) {
    if (!edgeRules.has(type)) continue;
    for (const node of targets) nodes.add(node);
    if (type === 'RACE' || type === 'FORK') for (const node of sources) nodes.add(node);
  }
  return nodes;
}
