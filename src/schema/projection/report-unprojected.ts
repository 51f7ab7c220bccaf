import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';
import type { GraphEdge, GraphIR } from '../../graph/graph-ir.js';
import type { Span } from '../../source/span.js';
import { edgeRules } from '../edge-rules/edge-rules.js';

/**
 * Reports each edge type without a rule once: its edges do not become part of the API (GG2010).
 */
export function reportUnprojected(ir: GraphIR, diagnostics: Diagnostic[]): void {
  const counts = new Map<string, { readonly first: GraphEdge; count: number }>();
  for (const edge of ir.edges) {
    if (edgeRules.has(edge.type)) continue;
    const seen = counts.get(edge.type);
    if (seen === undefined) counts.set(edge.type, { first: edge, count: 1 });
    else seen.count += 1;
  }
  for (const [type, { first, count }] of counts) {
    diagnostics.push(diagnose('GG2010', { type, count }, placeOfType(first)));
  }
}

function placeOfType({ type, span, typeStart }: GraphEdge): Span {
  return typeStart === undefined ? span : { file: span.file, start: typeStart, end: typeStart + type.length };
}
