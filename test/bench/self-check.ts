import { deepStrictEqual, strictEqual } from 'node:assert';
import type { Document, NodeGroup } from '../../src/compiler/syntax/ast.js';
import { parseWithRegexes } from './baselines/regex-parser.js';

/**
 * Checks that the regex parser finds what the real parser found. A baseline that does less work than it
 * claims would make every ratio wrong.
 *
 * @throws {AssertionError} with the difference
 */
export function checkBaseline(text: string, document: Document): void {
  const found = parseWithRegexes(text);
  const { nodes, edges } = listsOf(document);
  deepStrictEqual(
    found.edges.map(({ type, sources, targets, properties }) => ({
      type,
      sources,
      targets,
      keys: Object.keys(properties),
    })),
    edges,
  );
  strictEqual(found.nodes.size, nodes.size);
  for (const [id, { labels, keys }] of nodes) {
    const node = found.nodes.get(id);
    deepStrictEqual({ labels: node?.labels, keys: Object.keys(node?.properties ?? {}) }, { labels, keys });
  }
}

/** The tree, brought down to the two lists that the regex parser makes. */
function listsOf(document: Document) {
  const nodes = new Map<string, { labels: string[]; keys: string[] }>();
  const edges: { type: string; sources: string[]; targets: string[]; keys: string[] }[] = [];
  const visit = (group: NodeGroup): string[] => {
    for (const { id, labels, properties } of group.nodes) {
      const node = nodes.get(id) ?? { labels: [], keys: [] };
      nodes.set(id, node);
      for (const { name } of labels) if (!node.labels.includes(name)) node.labels.push(name);
      for (const { key } of properties) if (!node.keys.includes(key)) node.keys.push(key);
    }
    return group.nodes.map(({ id }) => id);
  };
  for (const statement of document.statements) {
    if (statement.kind !== 'Pipeline') throw new Error(`invariant: generated text has no ${statement.kind}`);
    let sources = visit(statement.head);
    for (const { type, properties, target } of statement.hops) {
      const targets = visit(target);
      edges.push({ type, sources, targets, keys: properties.map(({ key }) => key) });
      sources = targets;
    }
  }
  return { nodes, edges };
}
