import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';
import type { GraphField, GraphIR, GraphNode } from '../../graph/graph-ir.js';
import { isInternalNode } from '../../graph/internal.js';
import { inputNameOf } from '../../graph/names.js';
import { baseName, type TypeRef } from '../../graph/type-ref.js';
import { edgeRules } from '../edge-rules/edge-rules.js';
import type { FlowRule } from './flow-rule.js';

/**
 * GG3032: a FOLD from an object type with required fields. Its mutation takes the input of the object type, in which
 * every field is optional; the label `Input` makes an input with the `!` of the fields. Each source is reported once.
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
  const shared = namesInUse(ir);
  return [...sources].map(([node, required]): Diagnostic => {
    const isShared = shared.has(node.typeName) || shared.has(inputNameOf(node.typeName));
    const params = { source: node.id, fields: required.map(({ name }) => name), isShared };
    if (isShared) return diagnose('GG3032', params, node.span);
    const behindId = { ...node.span, start: node.span.end };
    const fix = { description: 'Add the label Input', edits: [{ span: behindId, text: ': Input' }] };
    return diagnose('GG3032', params, node.span, { fix });
  });
};

/** The names of the types that the label `Input` would break: those of fields, arguments, results, targets and races. */
function namesInUse({ nodes, edges }: GraphIR): ReadonlySet<string> {
  const names = new Set<string>();
  // Equal references are one object, so each is read once.
  const types = new Set<TypeRef>();
  const useTypes = (fields: readonly GraphField[]): void => {
    for (const { type, arguments: args } of fields) {
      types.add(type);
      if (args !== undefined) useTypes(args);
    }
  };
  for (const { fields } of nodes.values()) useTypes(fields);
  for (const { type, args, returns, sources, targets } of edges) {
    useTypes(args);
    if (returns !== undefined) types.add(returns.type);
    if (!edgeRules.has(type)) continue;
    for (const { typeName } of targets) names.add(typeName);
    if (type === 'RACE' || type === 'FORK') for (const { typeName } of sources) names.add(typeName);
  }
  for (const type of types) names.add(baseName(type));
  return names;
}
