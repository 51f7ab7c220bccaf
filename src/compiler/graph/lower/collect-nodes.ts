import type { CallChain, Located, Name, NodeGroup, NodeTerm, Pipeline } from '../../syntax/ast.js';
import { joinAccess, saysAccess } from '../access.js';
import type { Setting } from '../graph-ir.js';
import { type Declaration, DraftFile, type EdgeDraft, type GraphDraft, type NodeDraft } from './graph-draft.js';
import { mayHaveTags, type NodeDoc, readEdgeTags, readNodeDoc } from './read-doc.js';

/**
 * Reads the tree once and makes the nodes and edges: one node for each id, with all its labels, declarations and doc
 * comments; one edge for each hop of a pipeline, and a PROCESS edge for each step of a call chain. The properties of
 * nodes and edges are read by later passes, when all type names are known.
 */
export function collectNodes(draft: GraphDraft): void {
  for (const { file, statements, comments } of draft.ast.documents) {
    const collector = new Collector(new DraftFile(draft, file, comments));
    for (const statement of statements) {
      if (statement.kind === 'Pipeline') collector.addPipeline(statement);
      else if (statement.kind === 'CallChain') collector.addCalls(statement);
    }
  }
}

const none: readonly never[] = [];
const noSettings: ReadonlyMap<string, Setting> = new Map();

class Collector {
  constructor(private readonly file: DraftFile) {}

  addPipeline({ head, hops, doc }: Pipeline): void {
    const { edges, edgesWithProperties, races } = this.file.draft;
    // The doc comment of a statement with edges describes its first edge.
    let sources = this.#addGroup(head, hops.length === 0 ? this.#nodeDoc(doc, head) : undefined);
    let description = doc;
    let documented = head.start;
    let { start } = head;
    for (const hop of hops) {
      const targets = this.#addGroup(hop.target, undefined);
      const edge = this.#edge(hop.type, sources, targets, start, hop.target.end);
      if (hop.doc !== undefined) {
        description = hop.doc;
        documented = hop.start;
      }
      this.#addDoc(edge, description, documented);
      edge.typeStart = hop.typeStart;
      edges.push(edge);
      if (hop.properties.length > 0) edgesWithProperties.push({ edge, file: this.file, hop });
      if (hop.type === 'RACE') races.push(hop);
      sources = targets;
      description = undefined;
      ({ start } = hop.target);
    }
  }

  addCalls({ steps, doc, start: callStart }: CallChain): void {
    let from: Name | undefined;
    let source: readonly NodeDraft[] = none;
    for (const to of steps) {
      const target = [this.#nodeAt(to.name, to.start)];
      if (from !== undefined) {
        // In f(x) the source comes last.
        const [start, end] = [Math.min(from.start, to.start), Math.max(from.end, to.end)];
        const edge = this.#edge('PROCESS', source, target, start, end);
        if (from === steps[0]) this.#addDoc(edge, doc, callStart);
        this.file.draft.edges.push(edge);
      }
      from = to;
      source = target;
    }
  }

  #edge(
    type: string,
    sources: readonly NodeDraft[],
    targets: readonly NodeDraft[],
    start: number,
    end: number,
  ): EdgeDraft {
    return {
      type,
      sources,
      targets,
      args: none,
      returns: undefined,
      settings: noSettings,
      description: undefined,
      span: { file: this.file.name, start, end },
      typeStart: undefined,
    };
  }

  #nodeDoc(doc: string | undefined, { start, end }: Located): NodeDoc | undefined {
    if (mayHaveTags(doc)) return readNodeDoc(this.file, start, this.file.text.slice(start, end));
    return doc === undefined ? undefined : { description: doc, access: {} };
  }

  #addDoc(edge: EdgeDraft, doc: string | undefined, start: number): void {
    if (mayHaveTags(doc)) Object.assign(edge, readEdgeTags(this.file, start, edge.type));
    else edge.description = doc;
  }

  /** The nodes of a group, each once. */
  #addGroup({ nodes }: NodeGroup, doc: NodeDoc | undefined): readonly NodeDraft[] {
    return nodes.length === 1 ? [this.#addTerm(nodes[0] as NodeTerm, doc)] : this.#addTerms(nodes, doc);
  }

  /** Apart from the common case, which then allocates no context for the function. */
  #addTerms(nodes: readonly NodeTerm[], doc: NodeDoc | undefined): readonly NodeDraft[] {
    const added = nodes.map((term) => this.#addTerm(term, doc));
    if (nodes.length === 2 && added[0] !== added[1]) return added;
    const distinct = new Set(added);
    return distinct.size === added.length ? added : [...distinct];
  }

  #addTerm(term: NodeTerm, ofGroup: NodeDoc | undefined): NodeDraft {
    const node = this.#nodeAt(term.id, term.start);
    if (term.labels.length > 0 || term.properties.length > 0) this.#declare(node, term);
    if (ofGroup === undefined && term.doc === undefined) return node;
    const own = this.#nodeDoc(term.doc, { start: term.start, end: term.start + term.id.length });
    const text = own?.description ?? ofGroup?.description;
    if (text !== undefined) node.description = joinTexts(node.description, text);
    for (const doc of [ofGroup, own]) {
      if (doc === undefined) continue;
      if (saysAccess(doc.access)) Object.assign(node, joinAccess(node, doc.access));
      if (doc.store !== undefined) node.store = [...(node.store ?? []), ...doc.store];
    }
    return node;
  }

  #nodeAt(id: string, start: number): NodeDraft {
    const { nodes } = this.file.draft;
    let node = nodes.get(id);
    if (node === undefined) {
      node = {
        id,
        index: nodes.size,
        typeName: '',
        kind: 'object',
        labels: none,
        description: undefined,
        span: { file: this.file.name, start, end: start + id.length },
        fields: none,
        values: none,
        specifiedBy: undefined,
        declarations: none,
      };
      nodes.set(id, node);
    }
    return node;
  }

  #declare(node: NodeDraft, term: NodeTerm): void {
    const declaration = { file: this.file, term };
    if (node.declarations.length === 0) {
      node.span = { file: this.file.name, start: term.start, end: term.start + term.id.length };
      node.declarations = [declaration];
      node.labels = labelsOf(term);
      return;
    }
    (node.declarations as Declaration[]).push(declaration);
    this.#addLabels(node, term);
  }

  /** The labels of the nodes that have many, so that a node with a new label in each mention costs their sum. */
  readonly #manyLabels = new Map<NodeDraft, Set<string>>();

  #addLabels(node: NodeDraft, term: NodeTerm): void {
    const many = this.#manyLabels.get(node);
    for (const { name } of term.labels) {
      if (many === undefined ? node.labels.includes(name) : many.has(name)) continue;
      if (node.labels === none) node.labels = [name];
      else (node.labels as string[]).push(name);
      many?.add(name);
    }
    if (many === undefined && node.labels.length > 16) this.#manyLabels.set(node, new Set(node.labels));
  }
}

/** The labels of a term, each once, in an array that can grow. */
function labelsOf({ labels }: NodeTerm): readonly string[] {
  if (labels.length === 0) return none;
  if (labels.length === 1) return [(labels[0] as Name).name];
  return [...new Set(labels.map(({ name }) => name))];
}

/** Two doc comments of one thing become two paragraphs; a repeated one stays one. */
function joinTexts(one: string | undefined, other: string): string {
  return one === undefined || one === other ? other : `${one}\n\n${other}`;
}
