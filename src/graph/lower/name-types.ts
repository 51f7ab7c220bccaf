import { diagnose } from '../../diagnostics/diagnostic.js';
import { beginsWithDigit, typeNameOf, unionNameOf } from '../names.js';
import type { GraphDraft } from './graph-draft.js';

/**
 * Gives every node its type name and notes which types properties may name: those of the nodes, and
 * the unions that RACE edges make. Where two claim one name the first has it; the schema reports the
 * clash, because only there all names are known. A name that had to be changed is reported (GG3009).
 */
export function nameTypes(draft: GraphDraft): void {
  for (const node of draft.nodes.values()) {
    node.typeName = typeNameOf(node.id);
    if (!draft.types.has(node.typeName)) draft.types.set(node.typeName, node);
    if (beginsWithDigit(node.id)) {
      draft.diagnostics.push(diagnose('GG3009', { node: node.id, type: node.typeName }, node.span));
    }
  }
  for (const race of draft.races) {
    const given = race.properties.find(({ key }) => key === 'union')?.value;
    for (const { id } of race.target.nodes) {
      const name = given?.kind === 'String' ? given.value : unionNameOf(typeNameOf(id));
      if (!draft.types.has(name)) draft.types.set(name, 'union');
    }
  }
}
