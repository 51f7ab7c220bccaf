import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import { beginsWithDigit, typeNameOf, unionNameOf } from '../names.js';
import type { GraphDraft } from './graph-draft.js';

/**
 * Gives every node its type name, and records which types a property may name: the nodes, and the unions of RACE
 * edges. Where two nodes have one name the first keeps it; the projection reports the clash. A name that had to be
 * changed is a warning (GG3009).
 */
export function nameTypes(draft: GraphDraft): void {
  const { nodes, nodesByType, unionNames } = draft;
  for (const node of nodes.values()) {
    const typeName = typeNameOf(node.id);
    node.typeName = typeName;
    if (!nodesByType.has(typeName)) nodesByType.set(typeName, node);
    if (beginsWithDigit(node.id)) {
      draft.diagnostics.push(diagnose('GG3009', { node: node.id, type: typeName }, node.span));
    }
  }
  for (const race of draft.races) {
    const given = race.properties.find(({ key }) => key === 'union')?.value;
    for (const { id } of race.target.nodes) {
      unionNames.add(given?.kind === 'String' ? given.value : unionNameOf(typeNameOf(id)));
    }
  }
}
