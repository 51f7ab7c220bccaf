import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { GraphEdge, GraphField, GraphIR, GraphNode } from '../../graph/graph-ir.js';
import { appendTo, remember } from '../../graph/maps.js';
import { baseName, printTypeRef } from '../../graph/type-ref.js';
import type { FlowRule } from './flow-rule.js';
import { TypeKinds } from './type-kinds.js';

/**
 * GG3022: one name with two types along a chain of PROCESS edges, where no value of one type can be a value of the
 * other. Two places are compared:
 *
 * - the fields of a node and the arguments of the next edge. A raced node has the fields of all its branches;
 * - the inputs and the results of one edge, for scalars and enums. A list counts as its item type: an argument that
 *   picks one of several results by the same name is a filter.
 *
 * Constants and fields with a default are left out: callers need not pass them on.
 */
export const processTypeClash: FlowRule = ({ ir }) => {
  const search = new ClashSearch(ir);
  for (const edge of ir.edges) if (edge.type === 'PROCESS') search.visit(edge);
  return search.diagnostics;
};

type Fields = ReadonlyMap<string, GraphField>;

interface Owned {
  readonly field: GraphField;
  readonly owner: GraphNode;
}

class ClashSearch {
  readonly diagnostics: Diagnostic[] = [];
  readonly #nodesByType: GraphIR['nodesByType'];
  readonly #kinds: TypeKinds;
  readonly #fields = new Map<GraphNode, Fields>();
  readonly #branches: ReadonlyMap<GraphNode, ReadonlySet<GraphNode>>;
  readonly #branchFields = new Map<GraphNode, ReadonlyMap<string, readonly Owned[]>>();
  /** The reported fields: a field that many edges read is reported once. */
  readonly #reported = new Set<GraphField>();

  constructor(ir: GraphIR) {
    this.#nodesByType = ir.nodesByType;
    this.#kinds = new TypeKinds(ir);
    this.#branches = branchesOf(ir);
  }

  visit(edge: GraphEdge): void {
    const { args, sources } = edge;
    const own = args.length > 0 ? args : undefined;
    for (const source of sources) {
      const branches = this.#branches.get(source);
      if (branches !== undefined) this.#compareBranches(source, branches, own, edge);
      else if (own !== undefined && mayDiffer(source.fields, own)) this.#comparePassed(source, own, edge);
    }
    const results = this.#resultsOf(edge);
    if (
      own === undefined
        ? sources.some(({ fields }) => anyMayDiffer(fields, results, sources.length))
        : anyMayDiffer(own, results, 1)
    ) {
      this.#compareResult(own === undefined ? this.#fieldsOfAll(sources) : byName(own), results, edge);
    }
  }

  #comparePassed(source: GraphNode, args: readonly GraphField[], edge: GraphEdge): void {
    for (const [field, arg] of shared(this.#fieldsOf(source), byName(args))) {
      if (this.#kinds.fits(field.type, arg.type)) continue;
      this.#report(arg, argumentsOf(edge), field, `“${source.id}”`);
    }
  }

  #compareBranches(
    source: GraphNode,
    branches: ReadonlySet<GraphNode>,
    args: readonly GraphField[] | undefined,
    edge: GraphEdge,
  ): void {
    const place = args === undefined ? `“${source.id}”` : argumentsOf(edge);
    const wanted = args === undefined ? this.#fieldsOf(source) : byName(args);
    for (const [had, arg] of shared(this.#fieldsOfBranches(source, branches), wanted)) {
      for (const { field, owner } of had) {
        if (this.#kinds.fits(field.type, arg.type)) continue;
        this.#report(arg, place, field, `“${owner.id}”`);
      }
    }
  }

  #compareResult(inputs: Fields, results: readonly GraphNode[], edge: GraphEdge): void {
    for (const result of results) {
      for (const [input, field] of shared(inputs, this.#fieldsOf(result))) {
        if (!this.#kinds.areUnlikeLeaves(input.type, field.type)) continue;
        this.#report(input, originOfArguments(edge), field, `“${result.id}”`);
      }
    }
  }

  #report(field: GraphField, place: string, other: GraphField, otherPlace: string): void {
    if (this.#reported.has(field)) return;
    this.#reported.add(field);
    const [one, two] = [printTypeRef(field.type), printTypeRef(other.type)];
    const params = { name: field.name, one, place, other: two, otherPlace };
    const labels = [{ span: other.span, message: `${two} here` }];
    this.diagnostics.push(diagnose('GG3022', params, field.span, { labels }));
  }

  /** The result nodes of an edge: the node that it returns, else its targets. */
  #resultsOf({ returns, targets }: GraphEdge): readonly GraphNode[] {
    if (returns === undefined) return targets;
    const node = this.#nodesByType.get(baseName(returns.type));
    return node === undefined ? [] : [node];
  }

  /** The fields of several sources; two of them have one name only with one type. */
  #fieldsOfAll(sources: readonly GraphNode[]): Fields {
    if (sources.length === 1) return this.#fieldsOf(sources[0] as GraphNode);
    return new Map(sources.flatMap((source) => [...this.#fieldsOf(source)]));
  }

  #fieldsOf(node: GraphNode): Fields {
    return remember(this.#fields, node, () => byName(node.fields));
  }

  /** The fields of the branches of a race, by name; of fields with one type, the first. */
  #fieldsOfBranches(
    raced: GraphNode,
    branches: ReadonlySet<GraphNode>,
  ): ReadonlyMap<string, readonly Owned[]> {
    const known = this.#branchFields.get(raced);
    if (known !== undefined) return known;
    const fields = new Map<string, Owned[]>();
    const seen = new Set<string>();
    for (const owner of branches) {
      for (const field of this.#fieldsOf(owner).values()) {
        const key = `${field.name} ${printTypeRef(field.type)}`;
        if (seen.has(key)) continue;
        seen.add(key);
        appendTo(fields, field.name, { field, owner });
      }
    }
    this.#branchFields.set(raced, fields);
    return fields;
  }
}

function argumentsOf({ targets }: GraphEdge): string {
  return targets.length === 1
    ? `the arguments of the edge to “${targets[0]?.id}”`
    : 'the arguments of the next edge';
}

function originOfArguments({ args, sources }: GraphEdge): string {
  if (args.length > 0) return 'the arguments of this edge';
  // Only a few are named: an edge from many sources would give as many long messages.
  return sources.length === 1 ? `“${sources[0]?.id}”` : 'the sources of this edge';
}

function byName(fields: readonly GraphField[]): Fields {
  return new Map(fields.filter(({ fallback }) => fallback === undefined).map((field) => [field.name, field]));
}

/** More comparisons than this cost more than two maps by name. */
const mostCompared = 400;

/**
 * Whether two lists have a field with one name and two types. Most edges have none, and comparing two short lists costs
 * less than making maps of them. True, without a comparison, for long lists.
 */
function mayDiffer(ones: readonly GraphField[], others: readonly GraphField[]): boolean {
  if (ones.length * others.length > mostCompared) return true;
  for (const one of ones) {
    for (const other of others) {
      if (one.type !== other.type && one.name === other.name) return true;
    }
  }
  return false;
}

/** @param lists how many such lists are compared with these nodes */
function anyMayDiffer(fields: readonly GraphField[], nodes: readonly GraphNode[], lists: number): boolean {
  return lists * nodes.length > mostCompared || nodes.some((node) => mayDiffer(fields, node.fields));
}

/** The entries of two maps under one name. It iterates the shorter map, so that no edge costs a product. */
function* shared<One, Other>(
  ones: ReadonlyMap<string, One>,
  others: ReadonlyMap<string, Other>,
): Generator<readonly [One, Other]> {
  const names = ones.size <= others.size ? ones.keys() : others.keys();
  for (const name of names) {
    const [one, other] = [ones.get(name), others.get(name)];
    if (one !== undefined && other !== undefined) yield [one, other];
  }
}

function branchesOf(ir: GraphIR): ReadonlyMap<GraphNode, ReadonlySet<GraphNode>> {
  const branches = new Map<GraphNode, Set<GraphNode>>();
  for (const { type, sources, targets } of ir.edges) {
    if (type !== 'RACE') continue;
    for (const target of targets) {
      const known = branches.get(target) ?? new Set();
      for (const source of sources) known.add(source);
      branches.set(target, known);
    }
  }
  return branches;
}
