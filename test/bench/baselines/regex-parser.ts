/**
 * A parser of the kind that public tools for this language have: comment lines are dropped, then two
 * global regular expressions go over the whole text, one for the nodes and one for the edges. It has
 * no spans and no diagnostics, keeps no comments, and cuts strings that hold brackets or pipes in the
 * wrong place. On the generated topologies, which have no such strings, it finds the same nodes and
 * edges as the real parser; it is the stand-in that parsing speed is compared with.
 */

/** What the sweeps find. */
export interface RegexTopology {
  readonly nodes: ReadonlyMap<string, RegexNode>;
  readonly edges: readonly RegexEdge[];
}

/** A node, all its mentions united. */
export interface RegexNode {
  readonly id: string;
  readonly labels: string[];
  /** Each value as its text, without quotes. */
  readonly properties: Record<string, string>;
}

/** An edge with the ids at its ends. */
export interface RegexEdge {
  readonly type: string;
  readonly sources: readonly string[];
  readonly targets: readonly string[];
  readonly properties: Record<string, string>;
}

// One match for each member of a group: what stands between `(`, `|` and `)`.
const nodePattern = /[(|]\s*(\w+)\s*(?::\s*(\w+(?::\w+)*)\s*)?(?:\{([^}]*)\}\s*)?(?=[|)])/g;
// The target is only looked at, not consumed, so that it can be the source of the next hop of a chain.
const edgePattern = /\(([^()]+)\)\s*-\[:([A-Z_]+)\s*(?:\{([^}]*)\})?\s*\]->\s*(?=\(([^()]+)\))/g;
// A comma ends a property when another one follows; the commas of lists and texts have no key after them.
const propertyEnd = /,(?=\s*\w+\s*[:=])/;

/** Reads the nodes in one sweep and the edges in another. */
export function parseWithRegexes(source: string): RegexTopology {
  const text = withoutCommentLines(source);
  const nodes = new Map<string, RegexNode>();
  nodePattern.lastIndex = 0;
  for (let match = nodePattern.exec(text); match !== null; match = nodePattern.exec(text)) {
    const labels = match[2] === undefined ? [] : match[2].split(':');
    addNode(nodes, match[1] as string, labels, readProperties(match[3]));
  }
  const edges: RegexEdge[] = [];
  edgePattern.lastIndex = 0;
  for (let match = edgePattern.exec(text); match !== null; match = edgePattern.exec(text)) {
    const sources = idsOf(match[1] as string);
    const targets = idsOf(match[4] as string);
    edges.push({ type: match[2] as string, sources, targets, properties: readProperties(match[3]) });
    for (const id of [...sources, ...targets]) if (!nodes.has(id)) addNode(nodes, id, [], {});
  }
  return { nodes, edges };
}

function withoutCommentLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))
    .join('\n');
}

function addNode(
  nodes: Map<string, RegexNode>,
  id: string,
  labels: string[],
  properties: Record<string, string>,
): void {
  const known = nodes.get(id);
  if (known === undefined) {
    nodes.set(id, { id, labels, properties });
    return;
  }
  for (const label of labels) if (!known.labels.includes(label)) known.labels.push(label);
  Object.assign(known.properties, properties);
}

function readProperties(text: string | undefined): Record<string, string> {
  const properties: Record<string, string> = {};
  if (text === undefined) return properties;
  for (const property of text.trim().split(propertyEnd)) {
    const sign = property.search(/[:=]/);
    if (sign === -1) continue;
    const value = property.slice(sign + 1).trim();
    properties[property.slice(0, sign).trim()] = value.replace(/^['"]|['"]$/g, '');
  }
  return properties;
}

function idsOf(group: string): string[] {
  return group.split('|').map((member) => /\w+/.exec(member)?.[0] ?? '');
}
