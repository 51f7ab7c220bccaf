import { diagnose } from '../../diagnostics/diagnostic.js';
import type { GraphNode } from '../graph-ir.js';
import type { GraphDraft } from './graph-draft.js';

/**
 * Checks the fields of an input with the label `OneOf` (GG2030): a required field and one with a default would always
 * have a value (GraphQL, September 2025, section 3.10.1).
 */
export function checkOneOf(draft: GraphDraft, { id: node, fields }: GraphNode): void {
  for (const { name, type, fallback, span } of fields) {
    const fault =
      fallback !== undefined ? 'has a default' : type.kind === 'nonNull' ? 'is required' : undefined;
    if (fault === undefined) continue;
    const reason = `its field “${name}” ${fault}`;
    draft.diagnostics.push(diagnose('GG2030', { node, reason }, span));
  }
}
