import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { declaredInterfaces, type GraphIR, type GraphNode, mirroredNode } from '../../graph/graph-ir.js';
import { appendTo } from '../../graph/maps.js';
import { createNearId } from '../../graph/suggest.js';
import { baseName, named, type TypeRef } from '../../graph/type-ref.js';
import type { FlowRule } from './flow-rule.js';

/** With more unreachable nodes than this, one finding covers all: the file is a list, or unfinished. */
const mostReported = 5;

/**
 * GG3021: a node that no edge touches, and that no field or argument within reach of an edge refers to. Its type is in
 * the schema, but no operation takes or returns it. Of nodes that refer only to each other, the first is reported. A
 * topology without edges is unfinished and has no findings.
 *
 * Where an edge names an undeclared node with nearly the same id, one of the two is misspelt (GG3024). That is a
 * warning, because the operation returns a type without its fields.
 */
export const nodeOutOfReach: FlowRule = ({ ir }) => {
  if (ir.edges.length === 0) return [];
  const reach = new Reach(ir);
  for (const { sources, targets } of ir.edges) {
    for (const node of sources) reach.touch(node);
    for (const node of targets) reach.touch(node);
  }
  if (reach.isComplete) return [];
  for (const { args, returns, settings } of ir.edges) {
    for (const { type } of args) reach.visitType(type);
    const throws = settings.get('throws')?.value;
    if (Array.isArray(throws)) for (const name of throws) reach.visitType(named(String(name)));
    if (returns !== undefined) reach.visitType(returns.type);
  }
  reach.follow([...ir.nodes.values()].filter((node) => reach.isTouched(node)));
  reach.visitUnimplemented(ir);
  if (reach.isComplete) return [];
  const islands = islandsOf(ir, reach);
  const undeclared: string[] = [];
  for (const node of ir.nodes.values()) if (reach.isTouched(node) && isUndeclared(node)) undeclared.push(node.id);
  const nearId = createNearId(undeclared);
  const findings: Diagnostic[] = [];
  const lone: GraphNode[] = [];
  for (const node of islands) {
    const meant = isUndeclared(node) ? undefined : ir.nodes.get(nearId(node.id) ?? '');
    if (meant === undefined) {
      lone.push(node);
      continue;
    }
    const labels = [{ span: meant.span, message: `“${meant.id}” is not declared` }];
    findings.push(diagnose('GG3024', { node: node.id, undeclared: meant.id }, node.span, { labels }));
  }
  return [...findings, ...reportLone(lone)];
};

function reportLone(lone: readonly GraphNode[]): Diagnostic[] {
  const [first, ...others] = lone;
  if (first === undefined || others.length < mostReported)
    return lone.map(({ id, span }) => diagnose('GG3021', { node: id, others: 0 }, span));
  const labels = others.slice(0, mostReported - 1).map(({ id, span }) => ({ span, message: `“${id}” is also unused` }));
  return [diagnose('GG3021', { node: first.id, others: others.length }, first.span, { labels })];
}

function isUndeclared({ labels, fields }: GraphNode): boolean {
  return labels.length === 0 && fields.length === 0;
}

/** One node of each unreachable group, the nodes that no other refers to first; everything behind it is reached. */
function islandsOf(ir: GraphIR, reach: Reach): readonly GraphNode[] {
  const left: GraphNode[] = [];
  for (const node of ir.nodes.values()) if (!reach.has(node)) left.push(node);
  const referred = new Set<GraphNode>();
  for (const node of left) {
    for (const { type, arguments: args = [] } of node.fields) {
      for (const used of [type, ...args.map((argument) => argument.type)]) {
        const other = reach.nodeOf(used);
        if (other !== undefined && other !== node) referred.add(other);
      }
    }
  }
  const heads = [...left.filter((node) => !referred.has(node)), ...left];
  return heads.filter((node) => reach.visit(node)).sort((a, b) => a.index - b.index);
}

const touched = 1;
const reached = 2;

/** Marks the nodes reached so far, by the index of the node; each node is visited once. */
class Reach {
  readonly #byType: ReadonlyMap<string, GraphNode>;
  readonly #marks: Uint8Array;
  readonly #followed = new Set<TypeRef>();
  /** The interfaces of each type, and the types of each interface: a value of the interface has one of them. */
  readonly #related = new Map<GraphNode, GraphNode[]>();
  #left: number;

  constructor({ nodes, nodesByType }: GraphIR) {
    this.#byType = nodesByType;
    this.#marks = new Uint8Array(nodes.size);
    this.#left = nodes.size;
    for (const node of nodes.values()) {
      for (const name of declaredInterfaces(node)) {
        const found = nodesByType.get(name);
        if (found === undefined) continue;
        appendTo(this.#related, node, found);
        appendTo(this.#related, found, node);
      }
    }
  }

  get isComplete(): boolean {
    return this.#left === 0;
  }

  has({ index }: GraphNode): boolean {
    return this.#marks[index] !== 0;
  }

  /** Reaches a node that an edge names. */
  touch(node: GraphNode): void {
    this.#mark(node, touched);
  }

  isTouched({ index }: GraphNode): boolean {
    return this.#marks[index] === touched;
  }

  nodeOf(type: TypeRef): GraphNode | undefined {
    const name = baseName(type);
    return this.#byType.get(name) ?? mirroredNode(this.#byType, name);
  }

  /** Reaches a node and everything that it refers to; false when it was reached before. */
  visit(node: GraphNode): boolean {
    if (!this.#mark(node, reached)) return false;
    this.follow([node]);
    return true;
  }

  visitType(type: TypeRef): void {
    const nodes: GraphNode[] = [];
    this.#addNodeOf(type, nodes);
    this.follow(nodes);
  }

  /** Reaches the interfaces that nothing implements, which have their own finding (GG2034). */
  visitUnimplemented({ nodes }: GraphIR): void {
    for (const node of nodes.values()) if (node.kind === 'interface' && !this.#related.has(node)) this.visit(node);
  }

  /** Reaches everything that nodes refer to. Without recursion: a chain of types may be as long as the topology. */
  follow(nodes: GraphNode[]): void {
    // The nodes that are added meanwhile are followed, too.
    for (const node of nodes) {
      for (const { type, arguments: args } of node.fields) {
        this.#addNodeOf(type, nodes);
        if (args !== undefined) for (const argument of args) this.#addNodeOf(argument.type, nodes);
      }
      const related = this.#related.get(node);
      if (related === undefined) continue;
      for (const other of related) if (this.#mark(other, reached)) nodes.push(other);
    }
  }

  #addNodeOf(type: TypeRef, nodes: GraphNode[]): void {
    // Lowering shares one object among equal references.
    if (this.#followed.has(type)) return;
    this.#followed.add(type);
    const node = this.nodeOf(type);
    if (node !== undefined && this.#mark(node, reached)) nodes.push(node);
  }

  #mark({ index }: GraphNode, mark: number): boolean {
    if (this.#marks[index] !== 0) return false;
    this.#marks[index] = mark;
    this.#left -= 1;
    return true;
  }
}
