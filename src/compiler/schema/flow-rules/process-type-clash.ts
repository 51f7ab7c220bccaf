import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { builtinScalarNames } from '../../graph/builtin-scalars.js';
import type { GraphEdge, GraphField, GraphIR, GraphNode, NodeKind } from '../../graph/graph-ir.js';
import { ifGiven, remember } from '../../graph/maps.js';
import { inputNameOf } from '../../graph/names.js';
import { standardScalars } from '../../graph/standard-scalars.js';
import { baseName, nullable, printTypeRef, type TypeRef } from '../../graph/type-ref.js';
import { argumentSources } from '../edge-rules/edge-rules.js';
import type { FlowRule } from './flow-rule.js';

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
  const kinds = new TypeKinds(ir.nodesByType);
  const branches = branchesOf(ir);
  const diagnostics: Diagnostic[] = [];
  /** The reported fields: a field that many edges read is reported once. */
  const reported = new Set<GraphField>();
  const report = (field: GraphField, place: string, other: GraphField, otherPlace: string): void => {
    if (reported.has(field)) return;
    reported.add(field);
    const [one, two] = [printTypeRef(field.type), printTypeRef(other.type)];
    const params = { name: field.name, one, place, other: two, otherPlace };
    const labels = [{ span: other.span, message: `${two} here` }];
    diagnostics.push(diagnose('GG3022', params, field.span, { labels }));
  };
  const fieldsByNode = new Map<GraphNode, Fields>();
  const fieldsOf = (node: GraphNode): Fields => remember(fieldsByNode, node, () => byName(node.fields));
  const givenByNode = new Map<GraphNode, GivenFields>();
  /** Of fields with one name and one type, the first. */
  const fieldsGiven = (node: GraphNode): GivenFields =>
    remember(givenByNode, node, () => {
      const given = new Map<string, { readonly field: GraphField; readonly owner: GraphNode }[]>();
      for (const owner of branches.get(node) ?? [node]) {
        for (const field of fieldsOf(owner).values()) {
          const alike = remember(given, field.name, () => []);
          // Lowering shares one object among equal references.
          if (!alike.some((one) => one.field.type === field.type)) alike.push({ field, owner });
        }
      }
      return given;
    });
  /** The arguments of an edge; two of them have one name only with one type. */
  const inputsOf = (edge: GraphEdge): Fields => {
    const [first, ...others] = argumentSources(edge);
    if (first === undefined) return byName(edge.args);
    if (edge.args.length + others.length === 0) return fieldsOf(first);
    const fields = [first, ...others].flatMap((source) => [...fieldsOf(source)]);
    return new Map([...byName(edge.args), ...fields]);
  };
  for (const edge of ir.edges) {
    if (edge.type !== 'PROCESS') continue;
    const { args, sources, targets, returns } = edge;
    for (const source of sources) {
      const raced = branches.get(source);
      const taken = args.length > 0 ? args : source.fields;
      const mayClash = ({ fields }: GraphNode) => mayDiffer(fields, taken);
      // Without branches and arguments, both lists are one.
      if (
        raced === undefined ? args.length === 0 || !mayClash(source) : raced.size <= few && ![...raced].some(mayClash)
      )
        continue;
      const place = args.length === 0 ? `“${source.id}”` : argumentsOf(edge);
      const wanted = args.length === 0 ? fieldsOf(source) : byName(args);
      for (const [given, arg] of shared(fieldsGiven(source), wanted)) {
        for (const { field, owner } of given)
          if (!kinds.fits(field.type, arg.type)) report(arg, place, field, `“${owner.id}”`);
      }
    }
    const returned = returns && ir.nodesByType.get(baseName(returns.type));
    const results = returns === undefined ? targets : ifGiven(returned, (node) => node);
    const giving = argumentSources(edge);
    const isCostly = (giving.length + 1) * results.length > mostCompared;
    const differs = (list: readonly GraphField[]) => results.some(({ fields }) => mayDiffer(list, fields));
    if (!isCostly && !differs(args) && !giving.some(({ fields }) => differs(fields))) continue;
    const taken = inputsOf(edge);
    for (const result of results) {
      for (const [input, field] of shared(taken, fieldsOf(result))) {
        if (!kinds.areUnlikeLeaves(input.type, field.type)) continue;
        report(input, originOfArguments(edge), field, `“${result.id}”`);
      }
    }
  }
  return diagnostics;
};

type Fields = ReadonlyMap<string, GraphField>;

/** The fields that a node gives to the next edge, by name: for a raced node those of its branches. */
type GivenFields = ReadonlyMap<string, readonly { readonly field: GraphField; readonly owner: GraphNode }[]>;

function argumentsOf({ targets }: GraphEdge): string {
  return targets.length === 1 ? `the arguments of the edge to “${targets[0]?.id}”` : 'the arguments of the next edge';
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

/** The branches of a race are compared one by one up to this number: many edges may begin at one race. */
const few = 8;

/**
 * Whether two lists have a field with one name and two types. Most edges have none, and comparing two short lists costs
 * less than making maps of them. True, without a comparison, for long lists.
 */
function mayDiffer(ones: readonly GraphField[], others: readonly GraphField[]): boolean {
  if (ones.length * others.length > mostCompared) return true;
  for (const one of ones)
    for (const other of others) if (one.type !== other.type && one.name === other.name) return true;
  return false;
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
      const known = remember(branches, target, () => new Set());
      for (const source of sources) known.add(source);
    }
  }
  return branches;
}

/** Which values of one type of a topology can be values of another. */
class TypeKinds {
  constructor(private readonly byType: GraphIR['nodesByType']) {}

  /** Whether a value of `from` can be passed where `to` is expected; nullability is ignored. */
  fits(from: TypeRef, to: TypeRef): boolean {
    if (from === to) return true;
    let given = nullable(from);
    let wanted = nullable(to);
    while (wanted.kind === 'list') {
      wanted = nullable(wanted.of);
      // GraphQL coerces a single value to a list (October 2021, section 3.11).
      if (given.kind === 'list') given = nullable(given.of);
    }
    return given.kind === 'named' && this.#nameFits(given.name, wanted.name);
  }

  /** Whether both are scalars or enums, or lists of those, and neither fits the other. */
  areUnlikeLeaves(one: TypeRef, other: TypeRef): boolean {
    if (one === other) return false;
    const [a, b] = [baseName(one), baseName(other)];
    if (a === b) return false;
    return this.#isLeaf(a) && this.#isLeaf(b) && !this.#nameFits(a, b) && !this.#nameFits(b, a);
  }

  #nameFits(from: string, to: string): boolean {
    if (from === to || widenings.get(from)?.has(to) === true) return true;
    const [given, wanted] = [this.#kindOf(from), this.#kindOf(to)];
    // A custom scalar may have any values: only the server's implementation can check them.
    if (given === 'scalar' || wanted === 'scalar') return true;
    if (given === 'enum') return to === 'String' || to === 'ID';
    // In an input position, an object type means its input.
    if (given === 'object') return to === inputNameOf(from);
    if (given === 'input') return false;
    // Any other name is a union, whose members are not compared.
    return !builtinScalarNames.has(from);
  }

  #kindOf(name: string): NodeKind | undefined {
    return this.byType.get(name)?.kind ?? (standardScalars.has(name) ? 'scalar' : undefined);
  }

  #isLeaf(name: string): boolean {
    const node = this.byType.get(name);
    return node === undefined ? builtinScalarNames.has(name) : node.kind === 'enum' || node.kind === 'scalar';
  }
}

/** The other types that accept a built-in scalar. */
const widenings: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['Int', new Set(['Float', 'ID'])],
  ['String', new Set(['ID'])],
  ['ID', new Set(['String'])],
]);
