import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import { defined } from '../../../base/values/defined.js';
import type { EdgeResult, GraphEdge } from '../../graph/graph-ir.js';
import { nullable, printTypeRef, sameType, type TypeRef } from '../../graph/type-ref.js';
import { joinDocs } from '../edge-rules/edge-rules.js';
import { readSettings } from '../edge-settings/edge-settings.js';
import type { GqlOperation } from '../gql-schema.js';
import { routeOf, routeText, shapeOf } from '../route-path.js';
import { defaultEndpoint, restPrefix, serverPaths } from '../server-paths.js';
import { checkEtags, type PlacedOperation } from './check-etags.js';
import { type OperationGroup, shareByEdges } from './group-edges.js';
import { checkHeaders, projectArguments } from './project-arguments.js';
import type { PageProjection } from './project-pages.js';
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
    const args = projectArguments(group.name, group.edges, group.rule.takes, context);
    for (const { header } of args) {
      if (header === undefined) continue;
      checkHeaders(group.name, args, context.diagnostics);
      break;
    }
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
  const routed: PlacedOperation[] = [];
  const conditional: PlacedOperation[] = [];
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
        : pages.ofOperation(listed, page, spanOfSetting(group, 'page'));
    if (operation.route !== undefined) routed.push({ operation, span: spanOfSetting(group, 'route') });
    if (operation.etag !== undefined && operation.kind === 'mutation')
      conditional.push({ operation, span: spanOfSetting(group, 'etag') });
    return operation;
  });
  if (conditional.length > 0) checkEtags(conditional, operations, context.diagnostics);
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
function resultOf({ name, rule, target, edges }: OperationGroup, context: ProjectionContext): TypeRef {
  const { types, diagnostics } = context;
  const declaredBy = (edge: GraphEdge): EdgeResult => {
    if (isUnreturned(target)) diagnostics.push(neverReturned(target, `the target of a ${edge.type} edge`, edge.span));
    const returns = rule.honoursReturns ? edge.returns : undefined;
    if (returns === undefined) return { type: types.nodeOutput(target), span: edge.span };
    const type = types.output(returns.type);
    if (type !== undefined) return { type, span: returns.span };
    diagnostics.push(cannotReturn(returns.type, 'a result', returns.span, context));
    return returns;
  };
  const first = declaredBy(edges[0] as GraphEdge);
  for (let at = 1; at < edges.length; at++) {
    const other = declaredBy(edges[at] as GraphEdge);
    if (sameType(first.type, other.type)) continue;
    const params = { operation: name, one: printTypeRef(first.type), other: printTypeRef(other.type) };
    const labels = [{ span: first.span, message: `${params.one} here` }];
    diagnostics.push(diagnose('GG3006', params, other.span, { labels }));
  }
  return first.type;
}

/**
 * Finds routes of the topology that match all requests of another route, or a path of the server (GG3039). Where
 * only some requests match both, `comparePrecedence` decides between the paths.
 */
function checkRoutes(
  routed: readonly PlacedOperation[],
  all: readonly GqlOperation[],
  diagnostics: Diagnostic[],
): void {
  if (routed.length === 0) return;
  const taken = new Map<string, string>();
  for (const path of [...Object.values(serverPaths), defaultEndpoint, restPrefix.slice(0, -1)])
    taken.set(path, `the server's own path ${path}`);
  for (const operation of all) {
    if (operation.chain) taken.set(`${restPrefix}chains/${operation.name}`, `the path of the chain ${operation.name}`);
    if (operation.durable)
      for (const run of ['GET /api/runs/{}', 'POST /api/runs/{}/cancel']) taken.set(run, 'a path of runs');
    if (operation.route !== undefined || operation.kind === 'subscription') continue;
    taken.set(routeText(operation), `the default route of ${operation.name}`);
  }
  const byShape = new Map<string, PlacedOperation>();
  for (const one of routed) {
    const text = routeText(one.operation);
    const owner = taken.get(routeOf(one.operation).path) ?? taken.get(text) ?? taken.get(shapeOf(text));
    const twin = byShape.get(shapeOf(text));
    if (owner !== undefined) report(one, owner, undefined, diagnostics);
    else if (twin !== undefined) report(one, `the route of ${twin.operation.name}`, twin.span, diagnostics);
    else byShape.set(shapeOf(text), one);
  }
}

function report(
  { operation, span }: PlacedOperation,
  taken: string,
  place: Span | undefined,
  diagnostics: Diagnostic[],
): void {
  const labels = place === undefined ? [] : [{ span: place, message: 'the other route' }];
  diagnostics.push(diagnose('GG3039', { route: routeText(operation), taken }, span, { labels }));
}
