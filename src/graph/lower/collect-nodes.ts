import type { SourceFile } from '../../source/source-file.js';
import type { NodeGroup, NodeTerm } from '../../syntax/ast.js';
import type { Declaration, GraphDraft, NodeDraft } from './graph-draft.js';

/**
 * Finds every node that is mentioned anywhere and unites its mentions: all labels, all declarations
 * with properties, all doc comments. Its place is its first declaration, else its first mention.
 */
export function collectNodes(draft: GraphDraft): void {
  for (const { file, statements } of draft.ast.documents) {
    for (const statement of statements) {
      if (statement.kind === 'Pipeline') {
        // The doc comment of a statement with edges belongs to its first edge.
        collectGroup(draft, file, statement.head, statement.hops.length === 0 ? statement.doc : undefined);
        for (const hop of statement.hops) {
          collectGroup(draft, file, hop.target, undefined);
          if (hop.type === 'RACE') draft.races.push(hop);
        }
      } else if (statement.kind === 'CallChain') {
        for (const { name, start } of statement.steps) nodeAt(draft, file, name, start);
      }
    }
  }
}

function collectGroup(draft: GraphDraft, file: SourceFile, group: NodeGroup, doc: string | undefined): void {
  for (const term of group.nodes) {
    const node = nodeAt(draft, file, term.id, term.start);
    if (term.labels.length > 0 || term.properties.length > 0) declare(node, file, term);
    const text = term.doc ?? doc;
    if (text !== undefined) node.description = uniteTexts(node.description, text);
  }
}

function nodeAt(draft: GraphDraft, file: SourceFile, id: string, start: number): NodeDraft {
  let node = draft.nodes.get(id);
  if (node === undefined) {
    node = {
      id,
      typeName: '',
      kind: 'object',
      labels: none,
      description: undefined,
      span: { file: file.name, start, end: start + id.length },
      fields: none,
      values: none,
      specifiedBy: undefined,
      declarations: none,
      valueNames: undefined,
    };
    draft.nodes.set(id, node);
  }
  return node;
}

function declare(node: NodeDraft, file: SourceFile, term: NodeTerm): void {
  const labels = term.labels.map(({ name }) => name);
  if (node.declarations.length === 0) {
    node.span = { file: file.name, start: term.start, end: term.start + term.id.length };
    node.declarations = [{ file, term }];
    node.labels = labels.length > 1 ? [...new Set(labels)] : labels;
    return;
  }
  (node.declarations as Declaration[]).push({ file, term });
  if (labels.some((label) => !node.labels.includes(label)))
    node.labels = [...new Set([...node.labels, ...labels])];
}

/** Two doc comments of one thing become two paragraphs; a repeated one stays one. */
function uniteTexts(one: string | undefined, other: string): string {
  return one === undefined || one === other ? other : `${one}\n\n${other}`;
}

const none: readonly never[] = [];
