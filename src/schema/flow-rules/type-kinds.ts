import type { GraphIR, GraphNode } from '../../graph/graph-ir.js';
import { inputNameOf } from '../../graph/names.js';
import { baseName, nullable, type TypeRef } from '../../graph/type-ref.js';
import { builtinScalars } from '../scalars.js';

/** Which values of one type of a topology can be values of another. */
export class TypeKinds {
  readonly #ir: GraphIR;
  #byTypeName: Map<string, GraphNode> | undefined;

  constructor(ir: GraphIR) {
    this.#ir = ir;
  }

  /** Made when two types first differ, which in most topologies they never do. */
  get #byType(): ReadonlyMap<string, GraphNode> {
    this.#byTypeName ??= new Map([...this.#ir.nodes.values()].map((node) => [node.typeName, node]));
    return this.#byTypeName;
  }

  /** The node that becomes the type of that name. */
  nodeOf(type: string): GraphNode | undefined {
    return this.#byType.get(type);
  }

  /** Whether a value of `from` can be passed where `to` is asked for; that it may be null is another matter. */
  fits(from: TypeRef, to: TypeRef): boolean {
    if (from === to) return true;
    let given = nullable(from);
    let wanted = nullable(to);
    while (wanted.kind === 'list') {
      wanted = nullable(wanted.of);
      // GraphQL takes one value for a list of one (October 2021, section 3.11).
      if (given.kind === 'list') given = nullable(given.of);
    }
    return given.kind === 'named' && this.#nameFits(given.name, wanted.name);
  }

  /** Whether both are scalars or enums, or lists of those, and neither can be the other. */
  areUnlikeLeaves(one: TypeRef, other: TypeRef): boolean {
    if (one === other) return false;
    const [a, b] = [baseName(one), baseName(other)];
    if (a === b) return false;
    return this.#isLeaf(a) && this.#isLeaf(b) && !this.#nameFits(a, b) && !this.#nameFits(b, a);
  }

  #nameFits(from: string, to: string): boolean {
    if (from === to || widenings.get(from)?.has(to) === true) return true;
    const [given, wanted] = [this.#byType.get(from)?.kind, this.#byType.get(to)?.kind];
    // A custom scalar may be anything, and its own code says what it takes.
    if (given === 'scalar' || wanted === 'scalar') return true;
    if (given === 'enum') return to === 'String' || to === 'ID';
    // Where data goes in, an object is meant by its input.
    if (given === 'object') return to === inputNameOf(from);
    // What is neither a node nor built in is a union, of which each member would have to be looked at.
    return !builtinScalars.has(from);
  }

  #isLeaf(name: string): boolean {
    const node = this.#byType.get(name);
    return node === undefined ? builtinScalars.has(name) : node.kind !== 'object';
  }
}

/** What the built-in scalars are accepted as beside themselves. */
const widenings: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['Int', new Set(['Float', 'ID'])],
  ['String', new Set(['ID'])],
  ['ID', new Set(['String'])],
]);
