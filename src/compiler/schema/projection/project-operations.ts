import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import { defined } from '../../../base/values/defined.js';
import type { EdgeResult, GraphEdge } from '../../graph/graph-ir.js';
import { nullable, printTypeRef, sameType, type TypeRef } from '../../graph/type-ref.js';
import { joinDocs } from '../edge-rules/describe-edges.js';
import { readSettings } from '../edge-settings/read-settings.js';
import type { GqlOperation } from '../gql-schema.js';
import { ArgumentList } from './argument-list.js';
import { checkRoutes, type RoutedOperation } from './check-routes.js';
import type { OperationGroup } from './group-edges.js';
import type { PageProjection } from './project-pages.js';
import { shareByEdges } from './share-by-edges.js';
import { cannotReturn, isUnreturned, neverReturned, type ProjectionContext } from './type-projection.js';

/**
 * Makes the operations of all three kinds, in the order of their first edges.
 *
 * @param pages makes the connections; without it, lists stay as they are
 */
export function projectOperations(
  groups: readonly OperationGroup[],
  context: ProjectionContext,
  pages?: PageProjection,
): readonly GqlOperation[] {
  const partsOf = shareByEdges((group: OperationGroup) => {
    const list = new ArgumentList(group.name, context);
    list.addEdges(group.edges, group.rule.takes);
    const args = list.toArray();
    const settings = readSettings(group.edges, {
      kind: group.rule.produces,
      operation: group.name,
      edges: group.edges,
      arguments: args,
      nodes: context.nodes,
      isLeaf: (type) => context.types.isLeaf(type),
      report: (diagnostic) => context.diagnostics.push(diagnostic),
    });
    return { args, settings };
  });
  const routed: RoutedOperation[] = [];
  const operations = groups.map((group): GqlOperation => {
    const { args, settings } = partsOf(group);
    const plain: GqlOperation = {
      kind: group.rule.produces,
      name: group.name,
      description: joinDocs(group.edges) ?? group.rule.defaultDescription(group),
      arguments: args,
      type: resultOf(group, context),
      edges: group.origins,
    };
    if (settings === undefined && !group.edges.some(hasNotes)) return plain;
    const { page, ...others } = settings ?? {};
    const listed = { ...plain, ...notesOfEdges(group.edges), ...others };
    warnOfResult(group, listed, page !== undefined, context);
    const operation =
      page === undefined || pages === undefined
        ? listed
        : pages.ofOperation(listed, page.size, spanOfSetting(group, 'page'));
    if (operation.route !== undefined) routed.push({ operation, span: spanOfSetting(group, 'route') });
    return operation;
  });
  checkRoutes(routed, operations, context.diagnostics);
  return operations;
}

function spanOfSetting({ edges }: OperationGroup, key: string): Span {
  const [setting] = edges.flatMap(({ settings }) => settings.get(key) ?? []);
  return (setting ?? (edges[0] as GraphEdge)).span;
}

/** Warns of `null` on a result that is never null (GG3066), and of `page` on a declared result that is no list (GG3067). */
function warnOfResult(
  group: OperationGroup,
  { name: operation, type, nullStatus }: GqlOperation,
  isPaged: boolean,
  { diagnostics }: ProjectionContext,
): void {
  const shown = printTypeRef(nullable(type));
  if (nullStatus !== undefined && type.kind === 'nonNull') {
    const params = { operation, type: printTypeRef(type), nullable: shown };
    diagnostics.push(diagnose('GG3066', params, spanOfSetting(group, 'null')));
  }
  const isDeclared = group.edges.some(({ returns }) => returns !== undefined);
  if (isPaged && isDeclared && nullable(type).kind !== 'list') {
    diagnostics.push(diagnose('GG3067', { operation, type: shown }, spanOfSetting(group, 'page')));
  }
}

function hasNotes({ deprecated, tags, oldNames }: GraphEdge): boolean {
  return deprecated !== undefined || tags !== undefined || oldNames !== undefined;
}

/** The tags in the doc comments of the edges. */
function notesOfEdges(edges: readonly GraphEdge[]): Pick<GqlOperation, 'deprecated' | 'tags' | 'oldNames'> {
  const deprecated = edges.find((edge) => edge.deprecated !== undefined)?.deprecated;
  const tags = [...new Set(edges.flatMap((edge) => edge.tags ?? []))];
  const oldNames = edges.flatMap((edge) => edge.oldNames ?? []);
  return defined({
    deprecated,
    tags: tags.length === 0 ? undefined : tags,
    oldNames: oldNames.length === 0 ? undefined : oldNames,
  });
}

/** The result type that the edges of the operation declare; they must agree (GG3006). */
function resultOf(group: OperationGroup, context: ProjectionContext): TypeRef {
  const first = declaredResult(group, group.edges[0] as GraphEdge, context);
  for (let at = 1; at < group.edges.length; at++) {
    const other = declaredResult(group, group.edges[at] as GraphEdge, context);
    if (sameType(first.type, other.type)) continue;
    const params = { operation: group.name, one: printTypeRef(first.type), other: printTypeRef(other.type) };
    const labels = [{ span: first.span, message: `${params.one} here` }];
    context.diagnostics.push(diagnose('GG3006', params, other.span, { labels }));
  }
  return first.type;
}

function declaredResult(
  { rule, target }: OperationGroup,
  edge: GraphEdge,
  context: ProjectionContext,
): EdgeResult {
  if (isUnreturned(target)) {
    context.diagnostics.push(neverReturned(target, `the target of a ${edge.type} edge`, edge.span));
  }
  const returns = rule.honoursReturns ? edge.returns : undefined;
  if (returns === undefined) return { type: context.types.nodeOutput(target), span: edge.span };
  const type = context.types.output(returns.type);
  if (type !== undefined) return { type, span: returns.span };
  context.diagnostics.push(cannotReturn(returns.type, 'a result', returns.span, context));
  return returns;
}
