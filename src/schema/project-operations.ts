import { diagnose } from '../diagnostics/diagnostic.js';
import type { GraphEdge } from '../graph/graph-ir.js';
import { printTypeRef, sameType, type TypeRef } from '../graph/type-ref.js';
import { ArgumentList } from './argument-list.js';
import { docsOf } from './describe-edges.js';
import { edgeOrigins } from './edge-origins.js';
import type { GqlArgument, GqlOperation } from './gql-schema.js';
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
    group.rule.addArguments(group, list, context);
    lastEdge = edge;
    lastArguments = list.items;
    return lastArguments;
  };
}

/** The one result that all edges of the operation ask for (GG3006 when they ask for several). */
function resultOf({ name, target, rule, edges }: OperationGroup, context: ProjectionContext): TypeRef {
  const [first, ...others] = edges.map((edge) => {
    const returns = rule.honoursReturns ? edge.returns : undefined;
    return { type: returns?.type ?? context.types.named(target.typeName), span: returns?.span ?? edge.span };
  });
  if (first === undefined) throw new Error(`invariant: the operation ${name} comes from no edge`);
  for (const { type, span } of others) {
    if (sameType(type, first.type)) continue;
    const params = { operation: name, one: printTypeRef(first.type), other: printTypeRef(type) };
    const labels = [{ span: first.span, message: `${params.one} here` }];
    context.diagnostics.push(diagnose('GG3006', params, span, { labels }));
  }
  const result = context.types.output(first.type);
  if (result !== undefined) return result;
  const params = { name: printTypeRef(first.type), position: 'a result' };
  context.diagnostics.push(diagnose('GG3013', params, first.span));
  return context.types.named(target.typeName);
}
