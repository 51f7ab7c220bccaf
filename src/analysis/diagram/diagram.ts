import type { Span } from '../../base/source/span.js';
import { operationCoordinate } from '../../compiler/api/operation-coordinate.js';
import type { GraphEdge, GraphIR, GraphNode } from '../../compiler/graph/graph-ir.js';
import { baseName, type TypeRef } from '../../compiler/graph/type-ref.js';
import { edgeRules } from '../../compiler/schema/edge-rules/edge-rules.js';
import { allOperations, type GqlSchema, type OperationKind } from '../../compiler/schema/gql-schema.js';
import { hubSize } from './hub-size.js';

/** The boxes of a diagram and the lines between them, independent of a notation. */
export interface Diagram {
  /** The subject: the topology, or the name of an operation. */
  readonly title: string;
  readonly boxes: readonly DiagramBox[];
  readonly lines: readonly DiagramLine[];
  /** The number of nodes of the topology that are not drawn. */
  readonly leftOut: number;
}

/** A node, a group of nodes, or the point where the sources of one edge meet. */
export interface DiagramBox {
  /** Letters and digits, unique in the diagram. */
  readonly key: string;
  readonly kind: GraphNode['kind'] | 'group' | 'meeting';
  /** The id of the node; absent for a group or a meeting point. */
  readonly node?: string;
  /** The id of a group, by which it is opened, and the ids of its nodes. */
  readonly group?: string;
  readonly members?: readonly string[];
  /** The id and the labels of the node, the number and the place of a group; empty for a meeting point. */
  readonly text: readonly string[];
  /** The place of the node or the edge in the topology. */
  readonly span: Span;
}

/** One stroke of an edge, or a field that refers to a node. */
export interface DiagramLine {
  readonly from: string;
  readonly to: string;
  readonly becomes: LineKind;
  /** The edge type and the name of the operation or union, or the name of the field; empty on a line to a meeting point. */
  readonly text: readonly string[];
  /** The schema coordinate of the operation, or the name of the union; absent for other lines, and for several edges as one. */
  readonly coordinate?: string;
  /** Whether it leads to a node, not to a meeting point. */
  readonly hasHead: boolean;
  /** Whether it belongs to the operation that is the subject. */
  readonly isFocus: boolean;
  readonly span: Span;
}

/** The kind of API part that an edge becomes determines the form of its line. A `field` is not an edge. */
export type LineKind = OperationKind | 'union' | 'nothing' | 'field';

/** The part of a topology to draw. */
export interface DiagramOptions {
  /** The name of an operation or a union, `readUser` or `Query.readUser`, to draw only its neighbourhood. */
  readonly operation?: string;
  /** Also draws nodes without edges, and fields that refer to nodes. */
  readonly types?: boolean;
}

/**
 * Selects the boxes and lines of a diagram.
 *
 * @returns The diagram; undefined when nothing has the name of the operation.
 */
export function createDiagram(
  ir: GraphIR,
  schema: GqlSchema,
  { operation, types = false }: DiagramOptions = {},
): Diagram | undefined {
  if (operation === undefined) return draw('topology', ir, schema, everything(ir, schema, types));
  const around = neighbourhoodOf(ir, schema, operation);
  return around && draw(operation, ir, schema, around);
}

/** The names that can be the subject of a diagram: of operations and unions, in order, each once. */
export function diagramNames(schema: GqlSchema): readonly string[] {
  return [...new Set([...allOperations(schema), ...schema.unions].map(({ name }) => name))];
}

function draw(title: string, ir: GraphIR, schema: GqlSchema, section: ReturnType<typeof everything>) {
  const nodes = [...ir.nodes.values()].filter(({ id }) => section.nodes.has(id));
  const keys = new Map(nodes.map(({ id }, index) => [id, `n${index}`]));
  const keyOf = (id: string) => keys.get(id) as string;
  const boxes: DiagramBox[] = nodes.map(({ id, kind, labels, span }) => ({
    key: keyOf(id),
    kind,
    node: id,
    text: labels.length === 0 ? [id] : [id, labels.join(' · ')],
    span,
  }));
  const names = namesOfEdges(schema);
  const lines: DiagramLine[] = [];
  for (const edge of ir.edges) {
    if (!section.edges.has(edge)) continue;
    const isFocus = section.focus.has(edge);
    const becomes: LineKind = edgeRules.get(edge.type)?.produces ?? 'nothing';
    const stroke = { becomes, isFocus, span: edge.span };
    let from = keyOf((edge.sources[0] as GraphNode).id);
    if (edge.sources.length > 1) {
      from = `m${boxes.length}`;
      boxes.push({ key: from, kind: 'meeting', text: [], span: edge.span });
      for (const { id } of edge.sources) lines.push({ ...stroke, from: keyOf(id), to: from, text: [], hasHead: false });
    }
    for (const { id } of edge.targets) {
      const name = names(edge, id);
      const named = name === undefined ? {} : { coordinate: coordinateOf(becomes, name) };
      const text = [edge.type, ...(name === undefined ? [] : [name])];
      lines.push({ ...stroke, from, to: keyOf(id), text, ...named, hasHead: true });
    }
  }
  for (const { from, to, name, span } of section.references) {
    const line = { from: keyOf(from), to: keyOf(to), text: [name], span };
    lines.push({ ...line, becomes: 'field', hasHead: true, isFocus: false });
  }
  return { title, boxes, lines, leftOut: ir.nodes.size - nodes.length };
}

function coordinateOf(kind: LineKind, name: string): string {
  const isOperation = kind === 'query' || kind === 'mutation' || kind === 'subscription';
  return isOperation ? operationCoordinate({ kind, name }) : name;
}

/** Finds the operation or union that an edge became for one of its targets; undefined for an edge without one. */
function namesOfEdges(schema: GqlSchema): (edge: GraphEdge, target: string) => string | undefined {
  const keyOf = (type: string, target: string, { file, start, end }: Span) =>
    `${type} ${target} ${start} ${end} ${file}`;
  const names = new Map<string, string>();
  for (const { name, edges } of [...allOperations(schema), ...schema.unions])
    for (const { edge, to, span } of edges) names.set(keyOf(edge, to, span), name);
  return ({ type, span }, target) => names.get(keyOf(type, target, span));
}

/**
 * All edges and their nodes; all nodes if there are no edges.
 *
 * @param types - Whether all nodes are drawn, with the fields by which they refer to each other.
 */
function everything(ir: GraphIR, schema: GqlSchema, types: boolean) {
  const all = types || ir.edges.length === 0;
  const nodes = new Set(all ? ir.nodes.keys() : ir.edges.flatMap(endsOf));
  const references = all ? referencesFrom(nodes, ir, nodesByType(ir, schema)) : [];
  return { nodes, edges: new Set(ir.edges), focus: new Set<GraphEdge>(), references };
}

/**
 * The edges of an operation, and one step further: the edges that touch the same nodes apart from hubs, the nodes that
 * its results and arguments refer to, and the races for these nodes.
 *
 * @param operation - Its name; `Query.user` where a mutation has the same one.
 * @returns Undefined when no operation or union has the name.
 */
function neighbourhoodOf(ir: GraphIR, schema: GqlSchema, operation: string) {
  const names = namesOfEdges(schema);
  const [, root = '', name = operation] = /^(Query|Mutation|Subscription)\.(.*)$/.exec(operation) ?? [];
  const kind = root.toLowerCase();
  const isMeant = (edge: GraphEdge) =>
    (kind === '' || edgeRules.get(edge.type)?.produces === kind) &&
    edge.targets.some(({ id }) => names(edge, id) === name);
  const focus = new Set(ir.edges.filter(isMeant));
  if (focus.size === 0) return undefined;

  const byType = nodesByType(ir, schema);
  const inner = new Set([...focus].flatMap(endsOf));
  const nodesOf = (types: readonly (TypeRef | undefined)[]) =>
    types.flatMap((type) => (type && byType.get(baseName(type))?.id) ?? []);
  for (const id of nodesOf([...focus].map(({ returns }) => returns?.type))) inner.add(id);
  const references = referencesFrom(inner, ir, byType);
  const referred = new Set(references.map(({ to }) => to));

  const degrees = new Map<string, number>();
  for (const id of ir.edges.flatMap(endsOf)) degrees.set(id, (degrees.get(id) ?? 0) + 1);
  const isNear = (id: string) => inner.has(id) && (degrees.get(id) ?? 0) < hubSize;
  const touches = (edge: GraphEdge) =>
    focus.has(edge) ||
    endsOf(edge).some(isNear) ||
    (edge.type === 'RACE' && edge.targets.some(({ id }) => inner.has(id) || referred.has(id)));
  const edges = new Set(ir.edges.filter(touches));
  const taken = nodesOf([...focus].flatMap(({ args }) => args.map(({ type }) => type)));
  const nodes = new Set([...inner, ...referred, ...[...edges].flatMap(endsOf), ...taken]);
  return { nodes, edges, focus, references };
}

function endsOf({ sources, targets }: GraphEdge): readonly string[] {
  return [...sources, ...targets].map(({ id }) => id);
}

/** The fields of nodes whose types are other nodes. */
function referencesFrom(ids: ReadonlySet<string>, ir: GraphIR, byType: ReadonlyMap<string, GraphNode>) {
  return [...ids].flatMap((from) =>
    (ir.nodes.get(from) as GraphNode).fields.flatMap(({ name, type, span }) => {
      const target = byType.get(baseName(type));
      return target === undefined ? [] : [{ from, to: target.id, name, span }];
    }),
  );
}

/** The nodes by the names of their types; the name of a union gives its raced node. */
function nodesByType(ir: GraphIR, { unions }: GqlSchema): ReadonlyMap<string, GraphNode> {
  const nodes = new Map(ir.nodesByType);
  for (const { name, target } of unions) {
    const node = nodes.get(target);
    if (node !== undefined) nodes.set(name, node);
  }
  return nodes;
}
