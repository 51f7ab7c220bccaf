import { diagnose } from '../../diagnostics/diagnostic.js';
import type { Value } from '../../syntax/ast.js';
import { type GraphDraft, type NodeDraft, spanOf } from './graph-draft.js';
import { type PropertyPlace, reportPropertyClash } from './property-clash.js';

/**
 * The one property that has a meaning on a node that is no object type, at its first place; undefined
 * when the node does not have it. It must say the same wherever it is said again (GG2006), and every
 * other property is warned of once (GG2017).
 */
export function findOwnProperty(
  draft: GraphDraft,
  node: NodeDraft,
  label: 'Enum' | 'Scalar',
  key: string,
): PropertyPlace | undefined {
  let found: PropertyPlace | undefined;
  const warnedOf = new Set<string>();
  for (const { file, term } of node.declarations) {
    for (const property of term.properties) {
      if (property.key === key) {
        if (found === undefined) found = { file, property };
        else if (!saysTheSame(found, { file, property })) {
          reportPropertyClash(draft, `Node “${node.id}”`, found, { file, property });
        }
      } else if (!warnedOf.has(property.key)) {
        warnedOf.add(property.key);
        const params = { property: property.key, node: node.id, label };
        draft.diagnostics.push(diagnose('GG2017', params, spanOf(file, property)));
      }
    }
  }
  return found;
}

function saysTheSame(one: PropertyPlace, other: PropertyPlace): boolean {
  return canonical(one.property.value) === canonical(other.property.value);
}

/** A value without its places, so that white space and the kind of quotes make no difference. */
function canonical(value: Value): string {
  switch (value.kind) {
    case 'List':
      return `[${value.items.map(canonical).join(',')}]${value.nonNull ? '!' : ''}`;
    case 'Word':
      return value.name + (value.nonNull ? '!' : '');
    case 'Null':
      return 'null';
    default:
      return JSON.stringify(value.value);
  }
}
