import type { Span } from '../../base/source/span.js';
import type { GraphEdge, GraphIR, GraphNode } from '../../compiler/graph/graph-ir.js';
import { baseName, type TypeRef } from '../../compiler/graph/type-ref.js';
import { edgeRules } from '../../compiler/schema/edge-rules/edge-rules.js';
import { allOperations, type GqlSchema } from '../../compiler/schema/gql-schema.js';

/** The part of a topology that is drawn. */
export interface Section {
  readonly nodes: ReadonlySet<string>;
  readonly edges: ReadonlySet<GraphEdge>;
  readonly focus: ReadonlySet<GraphEdge>;
  /** The fields of one node whose type is another. */
  readonly references: readonly {
    readonly from: string;
    readonly to: string;
    readonly name: string;
    readonly span: Span;
  }[];
}

/** Finds the operation or union that an edge became for one of its targets; undefined for an edge without one. */
export function namesOfEdges(schema: GqlSchema): (edge: GraphEdge, target: string) => string | undefined {
  const keyOf = (type: string, target: string, { file, start, end }: Span) =>
    `${type} ${target} ${start} ${end} ${file}`;
  const names = new Map<string, string>();
  for (const { name, edges } of [...allOperations(schema), ...schema.unions]) {
    for (const { edge, to, span } of edges) names.set(keyOf(edge, to, span), name);
  }
  return ({ type, span }, target) => names.get(keyOf(type, target, span));
}

/**
 * All edges and their nodes; all nodes if there are no edges.
 *
 * @param types - Whether all nodes are drawn, with the fields by which they refer to each other.
 */
export function everything(ir: GraphIR, schema: GqlSchema, types: boolean): Section {
  const all = types || ir.edges.length === 0;
  const nodes = new Set(all ? ir.nodes.keys() : ir.edges.flatMap(endsOf));
  const references = all ? referencesFrom(nodes, ir, nodesByType(ir, schema)) : [];
  return { nodes, edges: new Set(ir.edges), focus: new Set(), references };
}

/**
 * The edges of an operation, and one step further: the edges that touch the same nodes, the nodes that its
 * results and arguments refer to, and the races for these nodes.
 *
 * @param operation - Its name; `Query.user` where a mutation has the same one.
 * @returns Undefined when no operation or union has the name.
 */
export function neighbourhoodOf(ir: GraphIR, schema: GqlSchema, operation: string): Section | undefined {
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

  const touches = ({ type, sources, targets }: GraphEdge) =>
    sources.some(({ id }) => inner.has(id)) ||
    targets.some(({ id }) => inner.has(id) || (type === 'RACE' && referred.has(id)));
  const edges = new Set(ir.edges.filter(touches));
  const taken = nodesOf([...focus].flatMap(({ args }) => args.map(({ type }) => type)));
  const nodes = new Set([...inner, ...referred, ...[...edges].flatMap(endsOf), ...taken]);
  return { nodes, edges, focus, references };
}

function endsOf({ sources, targets }: GraphEdge): readonly string[] {
  return [...sources, ...targets].map(({ id }) => id);
}

function referencesFrom(
  ids: ReadonlySet<string>,
  ir: GraphIR,
  byType: ReadonlyMap<string, GraphNode>,
): Section['references'] {
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
