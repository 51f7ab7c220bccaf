import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import { accessWords } from '../../graph/access.js';
import {
  type GraphEdge,
  type GraphIR,
  type GraphNode,
  hasInternalNodes,
  internalRaces,
  isInternalEdge,
  isInternalNode,
} from '../../graph/graph-ir.js';
import { remember } from '../../graph/maps.js';
import { camelCaseOf, unionNameOf, whyInvalidName } from '../../graph/names.js';
import {
  type EdgeGroup,
  type EdgeRule,
  edgeRules,
  type OperationRule,
  type UnionRule,
} from '../edge-rules/edge-rules.js';
import { edgeSettings } from '../edge-settings/edge-settings.js';
import type { GqlEdgeOrigin } from '../gql-schema.js';

/** The edges of a topology by what they become, in the order of their first edges. */
export interface EdgeGroups {
  readonly operations: readonly OperationGroup[];
  readonly unions: readonly UnionGroup[];
}

/** The edges that become one operation: those of one kind with one name. */
export interface OperationGroup extends EdgeGroup {
  readonly rule: OperationRule;
}

/** The edges that become one union: those of one target. */
export interface UnionGroup extends EdgeGroup {
  readonly rule: UnionRule;
  /** The place of a given name; undefined if it is derived from the target. */
  readonly namedAt: Span | undefined;
}

/**
 * Groups the edges by what they become. Edges of one type to one target become one operation or one union.
 * `operation: 'name'` makes several operations of one target, but one name for two targets is an error (GG3004), and
 * so are two names for one union (GG3015). Edges of types without a rule are left out. Internal are those that only run.
 */
export function groupEdges(ir: GraphIR, diagnostics: Diagnostic[]) {
  const grouping = new Grouping(diagnostics);
  const internal = new Grouping(diagnostics);
  const hasInternal = hasInternalNodes(ir) || ir.edges.some(isInternalEdge);
  const races = hasInternal ? internalRaces(ir.edges) : noRaces;
  for (const edge of ir.edges) {
    const rule = edgeRules.get(edge.type);
    if (rule === undefined) continue;
    if (hasProperties(edge)) warnOfMeaningless(edge, rule, diagnostics);
    if (rule.produces !== 'union' && beginsAtProblem(edge, diagnostics)) continue;
    if (!hasInternal) {
      grouping.add(edge, rule, edge.targets);
      continue;
    }
    const isInternal = (target: GraphNode): boolean =>
      rule.produces === 'union' ? races.has(target) : isInternalEdge(edge) || isInternalNode(target);
    const hidden = edge.targets.filter(isInternal);
    const shown = edge.targets.filter((target) => !isInternal(target));
    if (shown.length > 0) grouping.add(edge, rule, shown);
    if (hidden.length > 0) internal.add(edge, rule, hidden);
    if (shown.length === 0) warnOfAccess(edge, diagnostics);
  }
  return { ...grouping.groups(), internal: internal.groups() };
}

const noRaces: ReadonlySet<GraphNode> = new Set();

type Growing<Group extends EdgeGroup> = Group & {
  readonly edges: GraphEdge[];
  readonly origins: GqlEdgeOrigin[];
};

class Grouping {
  readonly #operations: Growing<OperationGroup>[] = [];
  readonly #byName = new Map<OperationRule, Map<string, Growing<OperationGroup>>>();
  /** By the id of the target. */
  readonly #unions = new Map<string, Growing<UnionGroup>>();

  constructor(private readonly diagnostics: Diagnostic[]) {}

  groups(): EdgeGroups {
    return { operations: this.#operations, unions: [...this.#unions.values()] };
  }

  add(edge: GraphEdge, rule: EdgeRule, targets: readonly GraphNode[]): void {
    if (rule.produces === 'union') this.#addToUnions(edge, rule, targets);
    else this.#addToOperations(edge, rule, targets);
  }

  #addToOperations(edge: GraphEdge, rule: OperationRule, targets: readonly GraphNode[]): void {
    const given = this.#nameGiven(edge, 'operation');
    if (given === 'invalid') return;
    const byName = remember(this.#byName, rule, () => new Map<string, Growing<OperationGroup>>());
    const from = sourceIds(edge);
    for (const target of targets) {
      // The invalid name of the node was reported; a name derived from it would repeat the same mistake.
      if (given === undefined && whyInvalidName(target.typeName) !== undefined) continue;
      const name = given?.name ?? camelCaseOf(target.typeName);
      const group = byName.get(name);
      if (group === undefined) {
        const created = { name, target, rule, edges: [edge], origins: [originOf(edge, from, target)] };
        byName.set(name, created);
        this.#operations.push(created);
      } else if (group.target === target) {
        group.edges.push(edge);
        group.origins.push(originOf(edge, from, target));
      } else if (group.target.typeName !== target.typeName) {
        // Of two nodes with one type name, the clash of the types was reported.
        this.#reportTaken(group, target, given?.span ?? edge.span);
      }
    }
  }

  #addToUnions(edge: GraphEdge, rule: UnionRule, targets: readonly GraphNode[]): void {
    const given = this.#nameGiven(edge, 'union');
    if (given === 'invalid') return;
    const from = sourceIds(edge);
    for (const target of targets) {
      const { id } = target;
      if (given === undefined && whyInvalidName(target.typeName) !== undefined) continue;
      const group = this.#unions.get(id);
      const edges = group?.edges ?? [];
      const origins = group?.origins ?? [];
      edges.push(edge);
      origins.push(originOf(edge, from, target));
      if (group !== undefined && (given === undefined || group.name === given.name)) continue;
      if (group?.namedAt === undefined) {
        const name = given?.name ?? unionNameOf(target.typeName);
        this.#unions.set(id, { name, target, rule, edges, origins, namedAt: given?.span });
      } else if (given !== undefined) {
        const params = { target: id, one: group.name, other: given.name };
        const labels = [{ span: group.namedAt, message: `named ${group.name} here` }];
        this.diagnostics.push(diagnose('GG3015', params, given.span, { labels }));
      }
    }
  }

  #nameGiven(edge: GraphEdge, property: string): { name: string; span: Span } | 'invalid' | undefined {
    const setting = edge.settings.get(property);
    if (setting === undefined) return undefined;
    const { value: name, span } = setting;
    if (typeof name !== 'string') {
      this.diagnostics.push(diagnose('GG2018', { property, expected: 'a name in quotes' }, span));
      return 'invalid';
    }
    const reason = whyInvalidName(name);
    if (reason === undefined) return { name, span };
    this.diagnostics.push(diagnose('GG3008', { name, reason }, span));
    return 'invalid';
  }

  #reportTaken(group: OperationGroup, target: GraphNode, span: Span): void {
    const { name: operation, rule, edges } = group;
    const params = { kind: rule.produces, operation, one: group.target.id, other: target.id };
    const first = (edges[0] as GraphEdge).settings.get('operation')?.span ?? (edges[0] as GraphEdge).span;
    const labels = [{ span: first, message: `${operation} for “${group.target.id}” comes from here` }];
    this.diagnostics.push(diagnose('GG3004', params, span, { labels }));
  }
}

function sourceIds({ sources }: GraphEdge): readonly string[] {
  return sources.map(({ id }) => id);
}

function originOf({ type, span }: GraphEdge, from: readonly string[], { id }: GraphNode): GqlEdgeOrigin {
  return { edge: type, from, to: id, span };
}

/** A declared error is thrown, so that nothing follows from it (GG3062). */
function beginsAtProblem({ type, sources, span }: GraphEdge, diagnostics: Diagnostic[]): boolean {
  const problem = sources.find(({ kind }) => kind === 'problem');
  if (problem === undefined) return false;
  diagnostics.push(diagnose('GG3062', { node: problem.id, edge: type }, span));
  return true;
}

function hasProperties({ args, returns, settings }: GraphEdge): boolean {
  return args.length > 0 || returns !== undefined || settings.size > 0;
}

/** Warns of access to an internal mutation or subscription (GG3074), which nothing runs. Races run internal queries. */
function warnOfAccess({ type, settings }: GraphEdge, diagnostics: Diagnostic[]): void {
  // On a RACE edge it has no effect in any case (GG3012).
  if (type === 'RACE' || type === 'PROCESS') return;
  for (const setting of accessWords) {
    const span = settings.get(setting)?.span;
    if (span !== undefined) diagnostics.push(diagnose('GG3074', { setting }, span));
  }
}

/** Warns of settings that have a meaning on other edge types only (GG3012). */
function warnOfMeaningless(edge: GraphEdge, rule: EdgeRule, diagnostics: Diagnostic[]): void {
  const warn = (property: string, span: Span | undefined, expected: string) => {
    if (span === undefined) return;
    diagnostics.push(diagnose('GG3012', { property, edge: edge.type, expected }, span));
  };
  if (rule.produces === 'union') {
    warn('operation', edge.settings.get('operation')?.span, "A union is named with union: 'Name'.");
    for (const { name, span } of edge.args) {
      warn(name, span, 'A union takes no arguments; the queries that return it do.');
    }
  } else {
    warn('union', edge.settings.get('union')?.span, "An operation is named with operation: 'name'.");
  }
  if (rule.produces === 'union' || !rule.honoursReturns) {
    warn('returns', edge.returns?.span, 'Only PROCESS and FOLD edges declare a result type.');
  }
  for (const { key, kinds } of edgeSettings) {
    // A race is opened, too.
    if (key === 'open') continue;
    const span = edge.settings.get(key)?.span;
    if (span === undefined || (rule.produces !== 'union' && kinds.includes(rule.produces))) continue;
    const types = [...edgeRules.values()].filter(({ produces }) => kinds.some((kind) => kind === produces));
    warn(key, span, `It belongs on ${types.map(({ edgeType }) => edgeType).join(', ')} edges.`);
  }
}

/**
 * Makes something that depends only on the edges of a group once for all groups with the same edges. An edge from many
 * sources to many targets then costs their sum and not their product, and a mistake in it is reported once.
 *
 * @param make makes the value; it is called once for each distinct list of edges
 */
export function shareByEdges<Made, Group extends { readonly edges: readonly GraphEdge[] }>(
  make: (group: Group) => Made,
): (group: Group) => Made {
  const byEdge = new Map<GraphEdge, Made>();
  const byEdges = new Map<string, Made>();
  const numbers = new Map<GraphEdge, number>();
  const keyOf = (edges: readonly GraphEdge[]): string => {
    let key = '';
    for (const edge of edges) key += `${remember(numbers, edge, () => numbers.size)} `;
    return key;
  };
  return (group) => {
    const { edges } = group;
    // An edge with one target belongs to one group, so no other group has the same edges.
    if (edges.some(({ targets }) => targets.length === 1)) return make(group);
    return edges.length === 1
      ? remember(byEdge, edges[0] as GraphEdge, () => make(group))
      : remember(byEdges, keyOf(edges), () => make(group));
  };
}
