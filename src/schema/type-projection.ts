import type { GraphNode } from '../graph/graph-ir.js';
import { inputNameOf } from '../graph/names.js';
import { baseName, type TypeRef, withBaseName } from '../graph/type-ref.js';
import { TypeTable } from '../graph/type-table.js';
import type { GqlUnionType } from './gql-schema.js';

/**
 * How the types that a topology writes appear in the API. An object type stands as it is where data
 * comes out, as its union where it is raced, and as its input where data goes in.
 *
 * References are mapped by identity: lowering shares one object among all that say the same, so each is
 * worked out once.
 */
export class TypeProjection {
  readonly #table = new TypeTable();
  readonly #objects = new Set<string>();
  readonly #inputs = new Set<string>();
  /** The union in whose place a raced type is returned, by the name of the raced type. */
  readonly #unionOf = new Map<string, string>();
  /** The raced type, by the name of its union. */
  readonly #racedOf = new Map<string, string>();
  readonly #outputs = new Map<TypeRef, TypeRef | undefined>();
  readonly #arguments = new Map<TypeRef, TypeRef>();

  constructor(nodes: Iterable<GraphNode>, unions: readonly GqlUnionType[]) {
    const taken = new Set<string>();
    for (const { kind, typeName } of nodes) {
      taken.add(typeName);
      if (kind === 'object') this.#objects.add(typeName);
    }
    for (const name of this.#objects) if (!taken.has(inputNameOf(name))) this.#inputs.add(inputNameOf(name));
    for (const { name, target } of unions) {
      this.#unionOf.set(target, name);
      this.#racedOf.set(name, target);
    }
  }

  /** A type where data comes out; undefined for an input, which cannot stand there. */
  output(type: TypeRef): TypeRef | undefined {
    if (this.#outputs.has(type)) return this.#outputs.get(type);
    const name = baseName(type);
    const union = this.#unionOf.get(name);
    const plain = this.#inputs.has(name) ? undefined : type;
    const output = union === undefined ? plain : withBaseName(type, union);
    this.#outputs.set(type, output);
    return output;
  }

  /**
   * A type where data goes in, for a field that is also data. A union gives the input of the raced type,
   * because that is what the field is where nobody races.
   */
  input(type: TypeRef): TypeRef {
    let input = this.#arguments.get(type);
    if (input === undefined) {
      const name = baseName(type);
      const object = this.#racedOf.get(name) ?? name;
      input = this.#objects.has(object) ? withBaseName(type, inputNameOf(object)) : type;
      this.#arguments.set(type, input);
    }
    return input;
  }

  /** The type of a node, by its name; one object for each name. */
  named(name: string): TypeRef {
    return this.#table.named(name);
  }

  /** Whether the innermost name is that of a union, which cannot be asked for as an argument. */
  isUnion(type: TypeRef): boolean {
    return this.#racedOf.has(baseName(type));
  }
}
