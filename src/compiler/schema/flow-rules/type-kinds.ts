import type { GraphIR, GraphNode, NodeKind } from '../../graph/graph-ir.js';
import { inputNameOf } from '../../graph/names.js';
import { standardScalars } from '../../graph/standard-scalars.js';
import { baseName, nullable, type TypeRef } from '../../graph/type-ref.js';
import { builtinScalars } from '../scalars.js';

/** Which values of one type of a topology can be values of another. */
export class TypeKinds {
  readonly #byType: ReadonlyMap<string, GraphNode>;

  constructor({ nodesByType }: GraphIR) {
    this.#byType = nodesByType;
  }

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
    return !builtinScalars.has(from);
  }

  #kindOf(name: string): NodeKind | undefined {
    return this.#byType.get(name)?.kind ?? (standardScalars.has(name) ? 'scalar' : undefined);
  }

  #isLeaf(name: string): boolean {
    const node = this.#byType.get(name);
    return node === undefined ? builtinScalars.has(name) : node.kind === 'enum' || node.kind === 'scalar';
  }
}

/** The other types that accept a built-in scalar. */
const widenings: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['Int', new Set(['Float', 'ID'])],
  ['String', new Set(['ID'])],
  ['ID', new Set(['String'])],
]);
