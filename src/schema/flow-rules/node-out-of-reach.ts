import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';
import type { GraphField, GraphIR, GraphNode } from '../../graph/graph-ir.js';
import { baseName, type TypeRef } from '../../graph/type-ref.js';
import { mirroredNode } from '../projection/type-projection.js';
import type { FlowRule } from './flow-rule.js';
import { createNearId } from './near-id.js';

/** With more islands than this, one finding speaks for all: the file is a list, or not finished. */
const mostTold = 5;

/**
 * GG3021: a node that no edge touches and that nothing which an edge touches refers to. Its type stands in
 * the schema, and no operation takes it or gives it. Of nodes that refer to each other and to nothing else,
 * the first is told. A topology without edges is a beginning, and nothing is said of it.
 *
 * Where an edge names a node that nobody declares, and the two ids are nearly the same, one of them is
 * misspelt (GG3024): that is a warning, because the operation then returns a type without its fields.
 */
export const nodeOutOfReach: FlowRule = ({ ir }) => {
  if (ir.edges.length === 0) return [];
  const touched = nodesOfEdges(ir);
  if (touched.size === ir.nodes.size) return [];
  const reach = new Reach(ir, touched);
  for (const { args, returns } of ir.edges) {
    for (const { type } of args) reach.visitType(baseName(type));
    if (returns !== undefined) reach.visitType(baseName(returns.type));
  }
  for (const id of touched) reach.visitFields(ir.nodes.get(id)?.fields ?? []);
  const undeclared = [...ir.nodes.values()].filter((node) => touched.has(node.id) && saysNothing(node));
  const nearId = createNearId(undeclared.map(({ id }) => id));
  const findings: Diagnostic[] = [];
  const lone: GraphNode[] = [];
  for (const node of islandsOf(ir, reach)) {
    const meant = saysNothing(node) ? undefined : ir.nodes.get(nearId(node.id) ?? '');
    if (meant === undefined) lone.push(node);
    else findings.push(misspelt(node, meant));
  }
  return [...findings, ...tellOf(lone)];
};

function misspelt({ id, span }: GraphNode, meant: GraphNode): Diagnostic {
  const labels = [{ span: meant.span, message: `“${meant.id}” declares nothing` }];
  return diagnose('GG3024', { node: id, undeclared: meant.id }, span, { labels });
}

function tellOf(lone: readonly GraphNode[]): Diagnostic[] {
  const [first, ...others] = lone;
  if (first === undefined || others.length < mostTold) {
    return lone.map(({ id, span }) => diagnose('GG3021', { node: id, others: 0 }, span));
  }
  const labels = others
    .slice(0, mostTold - 1)
    .map(({ id, span }) => ({ span, message: `“${id}” is another` }));
  return [diagnose('GG3021', { node: first.id, others: others.length }, first.span, { labels })];
}

function nodesOfEdges({ edges }: GraphIR): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { sources, targets } of edges) {
    for (const id of sources) ids.add(id);
    for (const id of targets) ids.add(id);
  }
  return ids;
}

function saysNothing({ labels, fields }: GraphNode): boolean {
  return labels.length === 0 && fields.length === 0;
}

/** The first of the nodes that are left, those first that nobody refers to, each with all behind it taken away. */
function islandsOf(ir: GraphIR, reach: Reach): readonly GraphNode[] {
  const left = [...ir.nodes.values()].filter(({ id }) => !reach.has(id));
  const referred = new Set<string>();
  for (const node of left) {
    for (const { type } of node.fields) {
      const other = reach.nodeOf(baseName(type));
      if (other !== undefined && other !== node) referred.add(other.id);
    }
  }
  const heads = [...left.filter(({ id }) => !referred.has(id)), ...left];
  const islands = heads.filter((node) => reach.visit(node));
  const order = new Map(left.map((node, at) => [node, at]));
  return islands.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
}

/** The nodes that were reached so far; each is visited once. */
class Reach {
  readonly #reached: Set<string>;
  readonly #byType = new Map<string, GraphNode>();
  readonly #followed = new Set<TypeRef>();

  constructor({ nodes }: GraphIR, touched: ReadonlySet<string>) {
    this.#reached = new Set(touched);
    for (const node of nodes.values()) this.#byType.set(node.typeName, node);
  }

  has(id: string): boolean {
    return this.#reached.has(id);
  }

  /** The node that a type or an input is made of. */
  nodeOf(name: string): GraphNode | undefined {
    return this.#byType.get(name) ?? mirroredNode(this.#byType, name);
  }

  /** Reaches a node and all that it refers to; false when it was reached before. */
  visit(start: GraphNode): boolean {
    if (this.#reached.has(start.id)) return false;
    this.#reached.add(start.id);
    this.visitFields(start.fields);
    return true;
  }

  visitType(name: string): void {
    const node = this.nodeOf(name);
    if (node !== undefined) this.visit(node);
  }

  /** Without recursion: a chain of types may be as long as the topology. */
  visitFields(fields: readonly GraphField[]): void {
    const waiting = [fields];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const { type } of next) {
        // Lowering shares one reference among all that say the same.
        if (this.#followed.has(type)) continue;
        this.#followed.add(type);
        const node = this.nodeOf(baseName(type));
        if (node === undefined || this.#reached.has(node.id)) continue;
        this.#reached.add(node.id);
        waiting.push(node.fields);
      }
    }
  }
}
