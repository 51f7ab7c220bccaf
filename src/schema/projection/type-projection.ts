import type { GraphNode } from '../../graph/graph-ir.js';
import { inputNameOf } from '../../graph/names.js';
import { baseName, named, type TypeRef, withBaseName } from '../../graph/type-ref.js';
import type { GqlUnionType } from '../gql-schema.js';

/**
 * How the types that a topology writes appear in the API. An object type stands as it is where data
 * comes out, as its union where it is raced, and as its input where data goes in.
 *
 * References are mapped by identity: lowering shares one object among all that say the same, so each is
 * worked out once.
 */
export class TypeProjection {
  readonly #nodes: ReadonlyMap<string, GraphNode>;
  /** The union in whose place a raced type is returned, by the name of the raced type. */
  readonly #unionOf = new Map<string, string>();
  /** The raced type, by the name of its union. */
  readonly #racedOf = new Map<string, string>();
  readonly #outputs = new Map<TypeRef, TypeRef | undefined>();
  readonly #arguments = new Map<TypeRef, TypeRef>();

  /** @param nodes the nodes by their type names */
  constructor(nodes: ReadonlyMap<string, GraphNode>, unions: readonly GqlUnionType[]) {
    this.#nodes = nodes;
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
    const output = union === undefined ? type : withBaseName(type, union);
    const allowed = this.#isInput(name) ? undefined : output;
    this.#outputs.set(type, allowed);
    return allowed;
  }

  /** A node where data comes out: its type, nullable, or the union in its place. */
  nodeOutput({ typeName }: GraphNode): TypeRef {
    return named(this.#unionOf.get(typeName) ?? typeName);
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
      const isObject = this.#nodes.get(object)?.kind === 'object';
      input = isObject ? withBaseName(type, inputNameOf(object)) : type;
      this.#arguments.set(type, input);
    }
    return input;
  }

  /** A node where data goes in: its input, or itself when it is an enum or a scalar. */
  nodeInput({ typeName, kind }: GraphNode): TypeRef {
    return named(kind === 'object' ? inputNameOf(typeName) : typeName);
  }

  /** Whether the innermost name is that of a union, which cannot be asked for as an argument. */
  isUnion(type: TypeRef): boolean {
    return this.#racedOf.has(baseName(type));
  }

  #isInput(name: string): boolean {
    return !this.#nodes.has(name) && mirroredNode(this.#nodes, name) !== undefined;
  }
}

/** The node whose input has that name; undefined when none has. */
export function mirroredNode(nodes: ReadonlyMap<string, GraphNode>, name: string): GraphNode | undefined {
  const suffix = inputNameOf('');
  const node = name.endsWith(suffix) ? nodes.get(name.slice(0, -suffix.length)) : undefined;
  return node?.kind === 'object' ? node : undefined;
}
