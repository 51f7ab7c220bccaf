import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';
import type { GraphEdge, GraphField, GraphIR, GraphNode } from '../../graph/graph-ir.js';
import { baseName, printTypeRef } from '../../graph/type-ref.js';
import { nodeIn } from '../projection/projection-context.js';
import type { FlowRule } from './flow-rule.js';
import { TypeKinds } from './type-kinds.js';

/**
 * GG3022: one name with two types along a chain of PROCESS edges, where no value of the one can be a value
 * of the other. It is looked for in two places:
 *
 * - between what a node has and what the next edge asks for under the same name. A raced node has what each
 *   of its branches has;
 * - between what goes into an edge and what comes out of it, for scalars and enums, where a list of a thing
 *   counts as the thing: to ask for one of several by the same name is a filter.
 *
 * Constants and fields with a default are left out: nobody has to pass them on.
 */
export const processTypeClash: FlowRule = ({ ir }) => {
  const search = new ClashSearch(ir);
  for (const edge of ir.edges) if (edge.type === 'PROCESS') search.visit(edge);
  return search.diagnostics;
};

type Fields = ReadonlyMap<string, GraphField>;

/** A field with the node that has it. */
interface Owned {
  readonly field: GraphField;
  readonly owner: string;
}

class ClashSearch {
  readonly diagnostics: Diagnostic[] = [];
  readonly #ir: GraphIR;
  readonly #kinds: TypeKinds;
  readonly #fields = new Map<GraphNode, Fields>();
  readonly #branches: ReadonlyMap<string, readonly string[]>;
  readonly #branchFields = new Map<string, ReadonlyMap<string, readonly Owned[]>>();
  /** The fields that were told of, so that one which many edges read is told of once. */
  readonly #told = new Set<GraphField>();

  constructor(ir: GraphIR) {
    this.#ir = ir;
    this.#kinds = new TypeKinds(ir);
    this.#branches = branchesOf(ir);
  }

  visit(edge: GraphEdge): void {
    const own = edge.args.length > 0 ? byName(edge.args) : undefined;
    for (const source of edge.sources) {
      if (this.#branches.has(source)) this.#compareBranches(source, own, edge);
      else if (own !== undefined) this.#comparePassed(source, own, edge);
    }
    this.#compareResult(own ?? this.#fieldsOfAll(edge.sources), edge);
  }

  #comparePassed(source: string, args: Fields, edge: GraphEdge): void {
    for (const [field, arg] of shared(this.#fieldsOf(source), args)) {
      if (this.#kinds.fits(field.type, arg.type)) continue;
      this.#report(arg, argumentsOf(edge), field, `“${source}”`);
    }
  }

  #compareBranches(source: string, own: Fields | undefined, edge: GraphEdge): void {
    const place = own === undefined ? `“${source}”` : argumentsOf(edge);
    for (const [had, arg] of shared(this.#fieldsOfBranches(source), own ?? this.#fieldsOf(source))) {
      for (const { field, owner } of had) {
        if (this.#kinds.fits(field.type, arg.type)) continue;
        this.#report(arg, place, field, `“${owner}”`);
      }
    }
  }

  #compareResult(inputs: Fields, edge: GraphEdge): void {
    for (const target of this.#resultsOf(edge)) {
      for (const [input, field] of shared(inputs, this.#fieldsOf(target))) {
        // What is processed into itself was compared with itself.
        if (input === field || !this.#kinds.areUnlikeLeaves(input.type, field.type)) continue;
        this.#report(input, placeOf(edge), field, `“${target}”`);
      }
    }
  }

  #report(field: GraphField, place: string, other: GraphField, otherPlace: string): void {
    if (this.#told.has(field)) return;
    this.#told.add(field);
    const [one, two] = [printTypeRef(field.type), printTypeRef(other.type)];
    const params = { name: field.name, one, place, other: two, otherPlace };
    const labels = [{ span: other.span, message: `${two} here` }];
    this.diagnostics.push(diagnose('GG3022', params, field.span, { labels }));
  }

  /** The nodes that come out of an edge: what it returns, where that is a node, else its targets. */
  #resultsOf({ returns, targets }: GraphEdge): readonly string[] {
    if (returns === undefined) return targets;
    const node = this.#kinds.nodeOf(baseName(returns.type));
    return node === undefined ? [] : [node.id];
  }

  /** All that several sources give; what two of them have under one name is of one type. */
  #fieldsOfAll(sources: readonly string[]): Fields {
    if (sources.length === 1) return this.#fieldsOf(sources[0] as string);
    return new Map(sources.flatMap((source) => [...this.#fieldsOf(source)]));
  }

  #fieldsOf(id: string): Fields {
    const node = nodeIn(this.#ir, id);
    let fields = this.#fields.get(node);
    if (fields === undefined) {
      fields = byName(node.fields);
      this.#fields.set(node, fields);
    }
    return fields;
  }

  /** What the branches of a race have, by name; of fields that say the same, the first. */
  #fieldsOfBranches(id: string): ReadonlyMap<string, readonly Owned[]> {
    const known = this.#branchFields.get(id);
    if (known !== undefined) return known;
    const fields = new Map<string, Owned[]>();
    const seen = new Set<string>();
    for (const owner of this.#branches.get(id) ?? []) {
      for (const field of this.#fieldsOf(owner).values()) {
        const key = `${field.name} ${printTypeRef(field.type)}`;
        if (seen.has(key)) continue;
        seen.add(key);
        const same = fields.get(field.name);
        if (same === undefined) fields.set(field.name, [{ field, owner }]);
        else same.push({ field, owner });
      }
    }
    this.#branchFields.set(id, fields);
    return fields;
  }
}

function argumentsOf({ targets }: GraphEdge): string {
  return targets.length === 1
    ? `the arguments of the edge to “${targets[0]}”`
    : 'the arguments of the next edge';
}

function placeOf({ args, sources }: GraphEdge): string {
  if (args.length > 0) return 'the arguments of this edge';
  // Not all of them by name: an edge from many sources would give as many long sentences.
  return sources.length === 1 ? `“${sources[0]}”` : 'the sources of this edge';
}

function byName(fields: readonly GraphField[]): Fields {
  return new Map(fields.filter(({ fallback }) => fallback === undefined).map((field) => [field.name, field]));
}

/** What two maps have under one name; the shorter one is walked, so that no edge costs a product. */
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

/** The branches of each raced node. */
function branchesOf(ir: GraphIR): ReadonlyMap<string, readonly string[]> {
  const branches = new Map<string, Set<string>>();
  for (const { type, sources, targets } of ir.edges) {
    if (type !== 'RACE') continue;
    for (const target of targets) {
      const known = branches.get(target) ?? new Set();
      for (const source of sources) known.add(source);
      branches.set(target, known);
    }
  }
  return new Map([...branches].map(([target, sources]) => [target, [...sources]]));
}
