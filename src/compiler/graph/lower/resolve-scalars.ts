import { type GraphDraft, report } from './graph-draft.js';
import { findOwnProperty } from './own-property.js';

/**
 * Reads the `specifiedBy` URL of custom scalars (GraphQL October 2021, section 3.13.4). Other properties have no
 * meaning on them (GG2017).
 */
export function resolveScalars(draft: GraphDraft): void {
  for (const node of draft.leaves) {
    if (node.kind !== 'scalar') continue;
    const declared = findOwnProperty(node, 'Scalar', 'specifiedBy');
    if (declared === undefined) continue;
    const { value, fallback } = declared.property;
    if (value.kind === 'String' && fallback === undefined) {
      node.specifiedBy = value.value;
      continue;
    }
    const params = { property: 'specifiedBy', expected: 'a URL in quotes' };
    report(declared.file, 'GG2018', params, value);
  }
}
