import { writeInstead } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import { type GraphNode, oneOfLabel } from '../graph-ir.js';
import { nearWord } from '../suggest.js';
import type { Declaration, GraphDraft, NodeDraft } from './graph-draft.js';

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
 * (GG2016); the first of them counts. A node that can only be meant as an enum is one in spite of the error (GG2043), so
 * that its uses are not errors, too. `OneOf` says more about an input, and is an error on anything else (GG2030).
 */
export function classifyNodes(draft: GraphDraft): void {
  const nearLabels = new Map<string, string | undefined>();
  /** The labels without a meaning that were seen before: most. */
  const ordinary = new Set<string>();
  for (const node of draft.nodes.values()) {
    let first: string | undefined;
    for (const label of node.labels) {
      if (ordinary.has(label)) continue;
      const kind = kindsByLabel.get(label) ?? kindOfMisspelt(draft, node, label, nearLabels);
      if (!knownLabels.has(label) && nearLabels.get(label) === undefined) ordinary.add(label);
      if (kind === undefined) continue;
      if (first === undefined) {
        first = label;
        node.kind = kind;
        if (kind === 'enum' || kind === 'scalar') draft.leaves.push(node);
      } else reportClash(draft, node, first, label);
    }
    if (first === undefined && isEnumWithoutLabel(node)) {
      const place = { ...node.span, start: node.span.end };
      const fix = { description: 'Add the label Enum', edits: [{ span: place, text: ': Enum' }] };
      draft.report('GG2043', { node: node.id }, node.span, { fix });
      node.kind = 'enum';
      draft.leaves.push(node);
    }
    if (node.kind !== 'input' && node.labels.includes(oneOfLabel)) {
      const params = { node: node.id, reason: 'it does not have the label Input' };
      draft.report('GG2030', params, placesOfLabel(node, oneOfLabel)[0] as Span);
    }
  }
}

const knownLabels: ReadonlySet<string> = new Set([...kindsByLabel.keys(), oneOfLabel]);

/**
 * Reports a label that is nearly one with a meaning (GG2042). The node becomes an object type as with any other label,
 * except that a list of names as its `values`, which no field can have, makes it an enum.
 *
 * @param nearLabels - The known label that each unknown one is near to, as far as it was looked for.
 */
function kindOfMisspelt(
  draft: GraphDraft,
  node: NodeDraft,
  label: string,
  nearLabels: Map<string, string | undefined>,
): GraphNode['kind'] | undefined {
  if (knownLabels.has(label)) return undefined;
  if (!nearLabels.has(label)) nearLabels.set(label, nearWord(label, knownLabels));
  const suggestion = nearLabels.get(label);
  if (suggestion === undefined) return undefined;
  const places = placesOfLabel(node, label);
  const fix = writeInstead(suggestion, ...places);
  draft.report('GG2042', { label, suggestion }, places[0] as Span, fix);
  return suggestion === 'Enum' && node.declarations.some(hasNamesAsValues) ? 'enum' : undefined;
}

/** Whether a node says nothing but `values: [ACTIVE, …]`, a list of names that no field can have. */
function isEnumWithoutLabel({ declarations }: NodeDraft): boolean {
  // Few nodes have names as values, so that the properties are rarely counted.
  if (!declarations.some(hasNamesAsValues)) return false;
  return declarations.flatMap(({ term }) => term.properties).length === 1;
}

function hasNamesAsValues({ term }: Declaration): boolean {
  return term.properties.some(
    ({ key, value }) => key === 'values' && value.kind === 'List' && value.items.some(({ kind }) => kind === 'Word'),
  );
}

function reportClash(draft: GraphDraft, node: NodeDraft, one: string, other: string): void {
  const labels = [{ span: placesOfLabel(node, one)[0] as Span, message: `${one} here` }];
  draft.report('GG2016', { node: node.id, one, other }, placesOfLabel(node, other)[0] as Span, { labels });
}

/** The places of a label that the node has; at least one. */
function placesOfLabel(node: NodeDraft, label: string): readonly Span[] {
  return node.declarations.flatMap(({ file, term }) =>
    term.labels.filter(({ name }) => name === label).map((found) => file.spanOf(found)),
  );
}
