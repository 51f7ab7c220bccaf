import { diagnose } from '../../diagnostics/diagnostic.js';
import type { EdgeResult, GraphEdge } from '../../graph/graph-ir.js';
import { printTypeRef, sameType, type TypeRef } from '../../graph/type-ref.js';
import { docsOf } from '../edge-rules/describe-edges.js';
import type { GqlArgument, GqlOperation } from '../gql-schema.js';
import { ArgumentList } from './argument-list.js';
import { edgeOrigins } from './edge-origins.js';
import type { OperationGroup } from './group-edges.js';
import type { ProjectionContext } from './projection-context.js';

/** Makes the operations of all three kinds, in the order of their first edges. */
export function projectOperations(
  groups: readonly OperationGroup[],
  context: ProjectionContext,
): readonly GqlOperation[] {
  const argumentsOf = sharingArguments(context);
  return groups.map((group) => ({
    kind: group.rule.produces,
    name: group.name,
    description: docsOf(group) ?? group.rule.describe(group),
    arguments: argumentsOf(group),
    type: resultOf(group, context),
    edges: edgeOrigins(group),
  }));
}

/**
 * An edge to many targets gives all its operations the same arguments. They are made once, so that an
 * edge from many sources to many targets costs their sum and not their product, and so that what is
 * wrong with them is told once.
 */
function sharingArguments(context: ProjectionContext): (group: OperationGroup) => readonly GqlArgument[] {
  let lastEdge: GraphEdge | undefined;
  let lastArguments: readonly GqlArgument[] = [];
  return (group) => {
    const edge = group.edges.length === 1 ? group.edges[0] : undefined;
    if (edge !== undefined && edge === lastEdge) return lastArguments;
    const list = new ArgumentList(group.name, context);
    group.rule.addArguments(group, list, context.nodeOf);
    lastEdge = edge;
    lastArguments = list.toArray();
    return lastArguments;
  };
}

/** The one result that all edges of the operation ask for (GG3006 when they ask for several). */
function resultOf(group: OperationGroup, context: ProjectionContext): TypeRef {
  const first = resultAskedFor(group, group.edges[0] as GraphEdge, context);
  for (let at = 1; at < group.edges.length; at++) {
    const other = resultAskedFor(group, group.edges[at] as GraphEdge, context);
    if (sameType(first.type, other.type)) continue;
    const params = { operation: group.name, one: printTypeRef(first.type), other: printTypeRef(other.type) };
    const labels = [{ span: first.span, message: `${params.one} here` }];
    context.diagnostics.push(diagnose('GG3006', params, other.span, { labels }));
  }
  return first.type;
}

function resultAskedFor(
  { rule, target }: OperationGroup,
  edge: GraphEdge,
  context: ProjectionContext,
): EdgeResult {
  const returns = rule.honoursReturns ? edge.returns : undefined;
  if (returns === undefined) return { type: context.types.nodeOutput(target), span: edge.span };
  const type = context.types.output(returns.type);
  if (type !== undefined) return { type, span: returns.span };
  const params = { name: printTypeRef(returns.type), position: 'a result' };
  context.diagnostics.push(diagnose('GG3013', params, returns.span));
  return returns;
}
