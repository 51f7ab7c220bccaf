import type { GraphEdge, GraphNode } from '../../graph/graph-ir.js';
import { baseName } from '../../graph/type-ref.js';
import type { GqlEdgeOrigin, OperationKind } from '../gql-schema.js';

/**
 * The projection of the edges of one type. A rule contains only what is specific to its edge type; the projection
 * merges the edges to one target and checks for name clashes, for all rules.
 */
export type EdgeRule = OperationRule | UnionRule;

interface Rule<Product> {
  readonly edgeType: string;
  readonly produces: Product;
  /** The description of an operation or a union that has no doc comment. */
  readonly defaultDescription: (group: EdgeGroup) => string;
}

/** A rule whose edges become operations: one for each target. */
export interface OperationRule extends Rule<OperationKind> {
  /** Whether `returns` on an edge sets the result type; otherwise the result is always the target's type. */
  readonly honoursReturns: boolean;
  /**
   * The arguments that an edge without typed properties of its own takes from its sources: their fields, or each source
   * as a whole, which is its input, or the enum or scalar that it is.
   */
  readonly takes: 'fields' | 'sources' | 'nothing';
}

/** A rule whose edges become unions: one for each target, of all its sources. */
export type UnionRule = Rule<'union'>;

/** The edges of one type that become one operation or one union. */
export interface EdgeGroup {
  readonly name: string;
  readonly target: GraphNode;
  /** At least one. */
  readonly edges: readonly GraphEdge[];
  /** One for each edge. All origins of an edge share its list of source ids. */
  readonly origins: readonly GqlEdgeOrigin[];
}

const rules: readonly EdgeRule[] = [
  {
    edgeType: 'PROCESS',
    produces: 'query',
    honoursReturns: true,
    takes: 'fields',
    defaultDescription: (group) => {
      const each = describeEdges(group);
      return `Query from topology ${each.length === 1 ? 'edge' : 'edges'} ${each.join(', ')}`;
    },
  },
  {
    edgeType: 'FOLD',
    produces: 'mutation',
    honoursReturns: true,
    takes: 'sources',
    defaultDescription: (group) => `Mutation (fold) from ${describeEdges(group).join(', ')}`,
  },
  {
    // The typed properties of its edges are the filters of the subscription.
    edgeType: 'FORK',
    produces: 'subscription',
    honoursReturns: false,
    takes: 'nothing',
    defaultDescription: (group) => `Subscription (fork) from ${describeEdges(group).join(', ')}`,
  },
  {
    // Operations return the union in place of the target's type.
    edgeType: 'RACE',
    produces: 'union',
    defaultDescription: ({ origins, target }) => {
      const sources = new Set(origins.flatMap(({ from }) => from));
      return `Union (race) of ${listIds([...sources])} for ${target.id}`;
    },
  },
];

/** Whether a description is one that these rules write, for an edge without a comment. */
export function isDefaultDescription(description: string | undefined): boolean {
  return description !== undefined && defaults.test(description);
}

const defaults =
  /^(?:Query from topology edges? |Mutation \(fold\) from |Subscription \(fork\) from |Union \(race\) of )/;

/** The rules by edge type. Edges of any other type do not project. */
export const edgeRules: ReadonlyMap<string, EdgeRule> = new Map(rules.map((rule) => [rule.edgeType, rule]));

/** The sources and the target of each edge of a group: `a | b to c`. Equal texts are listed once. */
function describeEdges({ origins }: EdgeGroup): readonly string[] {
  const [first] = origins;
  if (first !== undefined && origins.length === 1) return [describeEdge(first)];
  return [...new Set(origins.map(describeEdge))];
}

/** The sources and the target of an edge: `a | b to c`. */
export function describeEdge({ from, to }: GqlEdgeOrigin): string {
  return `${listIds(from)} to ${to}`;
}

/**
 * The sources of a PROCESS or FOLD edge that give arguments: all of them if the edge has no typed properties. Beside
 * typed properties, those with the label `Input`, except one that is already the type of a property: its place among
 * the arguments is chosen.
 */
export function argumentSources({ args, sources }: GraphEdge): readonly GraphNode[] {
  if (args.length === 0) return sources;
  const inputs = sources.filter(({ kind }) => kind === 'input');
  if (inputs.length === 0) return inputs;
  const chosen = new Set(args.map(({ type }) => baseName(type)));
  return inputs.filter(({ typeName }) => !chosen.has(typeName));
}

/** More names than this are counted instead of listed. */
const mostListed = 12;

/** Ids as `a | b`. Beyond twelve the rest is a number, because each of n operations may list n sources. */
export function listIds(ids: readonly string[]): string {
  if (ids.length === 1) return ids[0] as string;
  if (ids.length <= mostListed) return ids.join(' | ');
  return `${ids.slice(0, mostListed).join(' | ')} and ${ids.length - mostListed} more`;
}

/** The doc comments of edges, a paragraph for each; undefined when there are none. */
export function joinDocs(edges: readonly GraphEdge[]): string | undefined {
  const [first] = edges;
  if (first !== undefined && edges.length === 1) return first.description;
  const texts = new Set(edges.flatMap(({ description }) => description ?? []));
  return texts.size === 0 ? undefined : [...texts].join('\n\n');
}
