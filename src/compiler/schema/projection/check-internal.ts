import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import {
  type GraphEdge,
  type GraphField,
  type GraphIR,
  type GraphNode,
  hasInternalNodes,
  internalRaces,
  isInternalEdge,
  isInternalNode,
  mirroredNode,
} from '../../graph/graph-ir.js';
import { unionNameOf } from '../../graph/names.js';
import { baseName, isSubtype, printTypeRef, type TypeRef } from '../../graph/type-ref.js';
import { argumentSources } from '../edge-rules/edge-rules.js';

/**
 * Checks that nothing public refers to an internal node or race (GG2031), and that each branch of an internal race has the fields
 * of its target, whose type it is served as.
 */
export function checkInternal(ir: GraphIR, diagnostics: Diagnostic[]): void {
  const races = internalRaces(ir.edges);
  for (const edge of ir.edges) {
    if (edge.type !== 'RACE') continue;
    for (const target of edge.targets) {
      if (races.has(target) && !isInternalNode(target)) checkBranches(edge, target, diagnostics);
    }
  }
  const unions = internalUnions(ir.edges, races);
  if (unions.size === 0 && !hasInternalNodes(ir)) return;
  const { nodes, nodesByType, edges } = ir;
  const reported = new Set<Span>();
  const visitType = (type: TypeRef, span: Span): void => {
    const name = baseName(type);
    const node = nodesByType.get(name) ?? mirroredNode(nodesByType, name);
    const internal = node === undefined ? unions.get(name) : isInternalNode(node) ? node : undefined;
    if (internal === undefined || reported.has(span)) return;
    reported.add(span);
    const subject = node === undefined ? `The race of ${name} is internal` : `“${node.id}” is internal`;
    const reason = `the API cannot have the type ${name} here`;
    const params = { subject, reason, remedy: 'Use a public type, or remove internal: true.' };
    const labels = [{ span: internal.span, message: node === undefined ? 'the race' : subject }];
    diagnostics.push(diagnose('GG2031', params, span, { labels }));
  };
  const visitFields = (fields: readonly GraphField[]): void => {
    for (const { type, arguments: args, span } of fields) {
      visitType(type, span);
      if (args !== undefined) visitFields(args);
    }
  };
  for (const node of nodes.values()) if (!isInternalNode(node)) visitFields(node.fields);
  for (const edge of edges) {
    if (isInternalEdge(edge) || edge.targets.every(isInternalNode)) continue;
    const { type, args, returns } = edge;
    if (type !== 'PROCESS' && type !== 'FOLD' && type !== 'FORK') continue;
    visitFields(args);
    if (returns !== undefined) visitType(returns.type, returns.span);
    if (type === 'FORK') continue;
    // The fields of an internal source become arguments.
    for (const source of argumentSources(edge)) if (isInternalNode(source)) visitFields(source.fields);
  }
}

/** The races that make no union, by the name that it would have, unless a public race has it. */
function internalUnions(edges: readonly GraphEdge[], races: ReadonlySet<GraphNode>): ReadonlyMap<string, GraphEdge> {
  const found = new Map<string, GraphEdge>();
  const taken = new Set<string>();
  for (const edge of edges) {
    if (edge.type !== 'RACE') continue;
    const given = edge.settings.get('union')?.value;
    for (const target of edge.targets) {
      const name = typeof given === 'string' ? given : unionNameOf(target.typeName);
      if (races.has(target)) found.set(name, edge);
      else taken.add(name);
    }
  }
  for (const name of taken) found.delete(name);
  return found;
}

function checkBranches({ sources }: GraphEdge, target: GraphNode, diagnostics: Diagnostic[]): void {
  for (const branch of sources) {
    const own = new Map(branch.fields.map((field) => [field.name, field]));
    for (const wanted of target.fields) {
      const field = own.get(wanted.name);
      const text = `${wanted.name}: ${printTypeRef(wanted.type)}`;
      const isRequired = wanted.type.kind === 'nonNull' && wanted.fallback === undefined;
      const mayLack = !isRequired || wanted.arguments !== undefined;
      if (field === undefined ? mayLack : isSubtype(field.type, wanted.type)) continue;
      const params = {
        subject: `The race to “${target.id}” is internal`,
        reason: `its branch “${branch.id}” needs the field ${text}`,
        remedy: `Every branch is served as ${target.typeName}: give it the fields of “${target.id}”.`,
      };
      const labels = [{ span: wanted.span, message: `“${target.id}” has it` }];
      diagnostics.push(diagnose('GG2031', params, field?.span ?? branch.span, { labels }));
    }
  }
}
