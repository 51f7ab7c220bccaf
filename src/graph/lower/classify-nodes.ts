import { diagnose } from '../../diagnostics/diagnostic.js';
import type { Span } from '../../source/span.js';
import type { GraphNode } from '../graph-ir.js';
import { type GraphDraft, type NodeDraft, spanOf } from './graph-draft.js';

/** The labels that make a node something else than an object type. */
const kindsByLabel: ReadonlyMap<string, GraphNode['kind']> = new Map([
  ['Enum', 'enum'],
  ['Scalar', 'scalar'],
]);

/**
 * Decides by the labels what each node becomes: an enum, a custom scalar, else an object type. A node
 * with both labels is reported (GG2016) and read by the one it has first.
 */
export function classifyNodes(draft: GraphDraft): void {
  for (const node of draft.nodes.values()) {
    const deciding = node.labels.filter((label) => kindsByLabel.has(label));
    const [first, second] = deciding;
    if (first === undefined) continue;
    node.kind = kindsByLabel.get(first) as GraphNode['kind'];
    if (second === undefined) continue;
    draft.diagnostics.push(
      diagnose('GG2016', { node: node.id, one: first, other: second }, placeOfLabel(node, second), {
        labels: [{ span: placeOfLabel(node, first), message: `${first} here` }],
      }),
    );
  }
}

function placeOfLabel(node: NodeDraft, label: string): Span {
  const places = node.declarations.flatMap(({ file, term }) =>
    term.labels.filter(({ name }) => name === label).map((name) => spanOf(file, name)),
  );
  return places[0] as Span;
}
