import { diagnose } from '../../diagnostics/diagnostic.js';
import type { Span } from '../../source/span.js';
import type { GraphNode } from '../graph-ir.js';
import { type GraphDraft, type NodeDraft, spanOf } from './graph-draft.js';

/** The labels that make a node something other than an object type. */
const kindsByLabel: ReadonlyMap<string, GraphNode['kind']> = new Map([
  ['Enum', 'enum'],
  ['Scalar', 'scalar'],
  ['Input', 'input'],
  ['Interface', 'interface'],
  ['Problem', 'problem'],
]);

/**
 * Sets the kind of each node by its labels, else it is an object type. A node with two of these labels is an error
 * (GG2016); the first of them counts.
 */
export function classifyNodes(draft: GraphDraft): void {
  for (const node of draft.nodes.values()) {
    let first: string | undefined;
    for (const label of node.labels) {
      const kind = kindsByLabel.get(label);
      if (kind === undefined) continue;
      if (first === undefined) {
        first = label;
        node.kind = kind;
        if (kind === 'enum' || kind === 'scalar') draft.leaves.push(node);
      } else reportClash(draft, node, first, label);
    }
  }
}

function reportClash(draft: GraphDraft, node: NodeDraft, one: string, other: string): void {
  draft.diagnostics.push(
    diagnose('GG2016', { node: node.id, one, other }, placeOfLabel(node, other), {
      labels: [{ span: placeOfLabel(node, one), message: `${one} here` }],
    }),
  );
}

/** The first place of a label that the node has. */
function placeOfLabel(node: NodeDraft, label: string): Span {
  const [first] = node.declarations.flatMap(({ file, term }) =>
    term.labels.filter(({ name }) => name === label).map((found) => spanOf(file, found)),
  );
  return first as Span;
}
