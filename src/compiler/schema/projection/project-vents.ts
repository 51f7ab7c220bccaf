import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { GraphEdge, GraphIR } from '../../graph/graph-ir.js';
import { appendTo } from '../../graph/maps.js';
import { isSubtype, nullable, printTypeRef } from '../../graph/type-ref.js';
import type { GqlOperation, GqlUnionType, GqlVent } from '../gql-schema.js';
import { racePolicies } from './race-policy.js';

/** Whether an edge gives a query a fallback. Other VENT edges become no part of the API. */
export function isFallback({ type, settings }: GraphEdge): boolean {
  return type === 'VENT' && settings.get('fallback')?.value === true;
}

/** The facts about the topology before its fallbacks. */
interface Projected {
  /** All operations, also internal ones. */
  readonly operations: readonly GqlOperation[];
  readonly unions: readonly GqlUnionType[];
  readonly diagnostics: Diagnostic[];
}

/**
 * Reads the fallbacks of queries. `(price)-[:VENT { fallback: true }]->(cached)` makes the query of `cached` the fallback
 * of the query of `price`. Each node needs exactly one query (GG3110), a query has one fallback (GG3113), which must be
 * able to answer in its place (GG3111), and fallbacks form no circle (GG3112).
 *
 * @returns The queries with fallbacks.
 */
export function projectVents({ edges }: GraphIR, projected: Projected): ReadonlyMap<GqlOperation, GqlVent> {
  const vents = new Map<GqlOperation, GqlVent>();
  let byNode: ReadonlyMap<string, readonly GqlOperation[]> | undefined;
  for (const edge of edges) {
    if (edge.type !== 'VENT' || !isFallback(edge)) continue;
    byNode ??= operationsByNode(projected.operations);
    const timeoutMs = readTime(edge, projected.diagnostics);
    const queryOf = ({ id: node }: { readonly id: string }): GqlOperation | undefined => {
      const found = byNode?.get(node) ?? [];
      const queries = found.filter(({ kind }) => kind === 'query');
      if (queries.length === 1) return queries[0];
      const reason =
        queries.length > 1
          ? `several queries lead to it, ${queries.map(({ name }) => name).join(', ')}`
          : `no PROCESS edge leads to it${found.length > 0 ? ', and only queries have fallbacks' : ''}`;
      projected.diagnostics.push(diagnose('GG3110', { node, reason }, edge.span));
      return undefined;
    };
    const targets = edge.targets.map((target) => [target.id, queryOf(target)] as const);
    for (const source of edge.sources) {
      const operation = queryOf(source);
      for (const [to, query] of targets) {
        if (operation === undefined || query === undefined) continue;
        const origin = { edge: edge.type, from: edge.sources.map(({ id }) => id), to, span: edge.span };
        const vent = { query: query.name, ...(timeoutMs && { timeoutMs }), edge: origin };
        const finding = findMistake(operation, query, vent, vents, projected);
        if (finding === undefined) vents.set(operation, vent);
        else projected.diagnostics.push(finding);
      }
    }
  }
  if (vents.size > 0) breakCircles(vents, projected);
  return vents;
}

/** Reports each circle once, and takes its last fallback away. */
function breakCircles(vents: Map<GqlOperation, GqlVent>, { operations, diagnostics }: Projected): void {
  const queries = new Map<string, GqlOperation>();
  for (const one of operations) if (one.kind === 'query') queries.set(one.name, one);
  const visited = new Set<GqlOperation>();
  for (const start of vents.keys()) {
    const path: GqlOperation[] = [];
    let at: GqlOperation | undefined = start;
    while (at !== undefined && !visited.has(at)) {
      visited.add(at);
      path.push(at);
      at = queries.get(vents.get(at)?.query ?? '');
    }
    const last = path.at(-1);
    const first = at === undefined ? -1 : path.indexOf(at);
    const vent = last && vents.get(last);
    if (first < 0 || last === undefined || vent === undefined) continue;
    const names = path.slice(first).map(({ name }) => name);
    const shown = names.length > mostShown ? [...names.slice(0, mostShown), '…'] : names;
    const params = { operation: names[0] ?? '', path: [...shown, names[0]].join(' → ') };
    diagnostics.push(diagnose('GG3112', params, vent.edge.span));
    vents.delete(last);
  }
}

/** The number of queries of a circle that its finding names. */
const mostShown = 12;

function operationsByNode(operations: readonly GqlOperation[]): ReadonlyMap<string, readonly GqlOperation[]> {
  const byNode = new Map<string, GqlOperation[]>();
  for (const operation of operations)
    for (const node of new Set(operation.edges.map(({ to }) => to))) appendTo(byNode, node, operation);
  return byNode;
}

function readTime({ settings }: GraphEdge, diagnostics: Diagnostic[]): number | undefined {
  const [property, given] = ['timeoutMs', settings.get('timeoutMs')] as const;
  const policy = racePolicies.get(property);
  if (given === undefined || policy === undefined) return undefined;
  const time = policy.read(given.value);
  if (time === undefined) diagnostics.push(diagnose('GG2018', { property, expected: policy.expected }, given.span));
  return time as number | undefined;
}

function findMistake(
  operation: GqlOperation,
  query: GqlOperation,
  { edge: { span } }: GqlVent,
  vents: ReadonlyMap<GqlOperation, GqlVent>,
  { unions }: Projected,
): Diagnostic | undefined {
  const { name } = operation;
  const first = vents.get(operation);
  if (first !== undefined) {
    const labels = [{ span: first.edge.span, message: `${first.query} here` }];
    return diagnose('GG3113', { operation: name, one: first.query, other: query.name }, span, { labels });
  }
  const reason = whyUnfit(operation, query, unions);
  if (reason === undefined) return undefined;
  return diagnose('GG3111', { operation: name, query: query.name, reason }, span);
}

/** Why a query cannot answer in place of another one; undefined if it can. */
function whyUnfit(operation: GqlOperation, query: GqlOperation, unions: readonly GqlUnionType[]): string | undefined {
  // The values in a list do not say which member of a union they are.
  const isSingle = nullable(operation.type).kind === 'named';
  const isMember = (name: string, wanted: string): boolean =>
    unions.some((union) => union.name === wanted && union.members.includes(name));
  const fits = (name: string, wanted: string) => name === wanted || (isSingle && isMember(name, wanted));
  if (!isSubtype(query.type, operation.type, fits))
    return `it returns ${printTypeRef(query.type)}, not ${printTypeRef(operation.type)}`;
  for (const { name, type, fallback } of query.arguments) {
    const given = operation.arguments.find((argument) => argument.name === name);
    const isLacking = given === undefined && type.kind === 'nonNull' && fallback === undefined;
    if (isLacking || (given !== undefined && !isSubtype(given.type, type)))
      return `its argument “${name}” is ${printTypeRef(type)}, but ${given === undefined ? `${operation.name} has none` : `that of ${operation.name} is ${printTypeRef(given.type)}`}`;
  }
  const thrown = query.throws?.find((problem) => operation.throws?.includes(problem) !== true);
  return thrown && `it throws ${thrown}, which ${operation.name} does not declare`;
}

/** The settings of fallbacks, for editors. */
export const ventSettings: ReadonlyMap<string, { readonly detail: string; readonly snippet: string }> = new Map([
  ['fallback', { detail: 'the target answers when the query of the source fails', snippet: 'true' }],
  ['timeoutMs', { detail: 'the time of the query of the source in milliseconds', snippet: '' }],
]);
