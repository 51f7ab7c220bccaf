import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';
import type { GraphEdge, GraphIR, GraphNode } from '../../graph/graph-ir.js';
import { docsOf } from '../edge-rules/describe-edges.js';
import type { GqlUnionType } from '../gql-schema.js';
import { readDuration } from './duration.js';
import { edgeOrigins } from './edge-origins.js';
import type { UnionGroup } from './group-edges.js';
import { nodeIn } from './projection-context.js';

/**
 * Makes the unions. Members are the sources of all edges, which must be object types (GG3007), and so
 * must be the target in whose place the union stands (GG3016). `after` on an edge staggers the starts:
 * an edge from one source holds it back that long, an edge from several starts each so much after the
 * one before it.
 */
export function projectUnions(
  ir: GraphIR,
  groups: readonly UnionGroup[],
  diagnostics: Diagnostic[],
): readonly GqlUnionType[] {
  return groups.flatMap((group) => projectUnion(ir, group, diagnostics) ?? []);
}

function projectUnion(ir: GraphIR, group: UnionGroup, diagnostics: Diagnostic[]): GqlUnionType | undefined {
  const { name, target, rule, edges } = group;
  if (target.kind !== 'object') {
    const params = { target: target.id, kind: kindText(target) };
    diagnostics.push(diagnose('GG3016', params, (edges[0] as GraphEdge).span, { labels: [placeOf(target)] }));
    return undefined;
  }
  const delays = new Map<string, number>();
  for (const edge of edges) addMembers(ir, group, edge, delays, diagnostics);
  if (delays.size === 0) return undefined;
  const union: GqlUnionType = {
    name,
    description: docsOf(group) ?? rule.describe(group),
    members: [...delays.keys()],
    target: target.typeName,
    edges: edgeOrigins(group),
  };
  const staggered = edges.some((edge) => edge.settings.has('after'));
  return staggered ? { ...union, delays: [...delays.values()] } : union;
}

/** Adds the sources of one edge with their delays; a source that was there before keeps its first. */
function addMembers(
  ir: GraphIR,
  { name }: UnionGroup,
  edge: GraphEdge,
  delays: Map<string, number>,
  diagnostics: Diagnostic[],
): void {
  const step = readAfter(edge, diagnostics);
  const lone = edge.sources.length === 1;
  for (const [index, id] of edge.sources.entries()) {
    const node = nodeIn(ir, id);
    if (node.kind !== 'object') {
      const params = { node: id, kind: kindText(node), union: name };
      diagnostics.push(diagnose('GG3007', params, edge.span, { labels: [placeOf(node)] }));
    } else if (!delays.has(node.typeName)) {
      delays.set(node.typeName, step * (lone ? 1 : index));
    }
  }
}

function readAfter(edge: GraphEdge, diagnostics: Diagnostic[]): number {
  const after = edge.settings.get('after');
  if (after === undefined) return 0;
  const delay = readDuration(after.value);
  if (delay !== undefined) return delay;
  const params = { property: 'after', expected: "a duration, such as '50ms', '1.5s' or '2m'" };
  diagnostics.push(diagnose('GG2018', params, after.span));
  return 0;
}

function kindText({ kind }: GraphNode): string {
  return kind === 'enum' ? 'an enum' : 'a scalar';
}

function placeOf(node: GraphNode) {
  return { span: node.span, message: `“${node.id}” is ${kindText(node)}` };
}
