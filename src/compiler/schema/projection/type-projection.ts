import { type Diagnostic, type DiagnosticLabel, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import { type GraphNode, mirroredNode } from '../../graph/graph-ir.js';
import { inputNameOf } from '../../graph/names.js';
import { standardScalars } from '../../graph/standard-scalars.js';
import { baseName, named, nonNull, printTypeRef, type TypeRef, withBaseName } from '../../graph/type-ref.js';
import type { GqlScalarType, GqlUnionType } from '../gql-schema.js';

/**
 * Maps the types that a topology declares to the types of the API. An object type stays as it is in an output position,
 * is replaced by its union if it is raced, and by its input in an input position.
 *
 * References are mapped by identity: lowering shares one object among equal references, so each is mapped once.
 */
export class TypeProjection {
  /** The union that is returned in place of a raced type, by the name of the raced type. */
  readonly #unionOf = new Map<string, string>();
  /** The raced type, by the name of its union. */
  readonly #racedOf = new Map<string, string>();
  /** The interfaces and the declared errors. */
  readonly #withoutInput = new Set<string>();
  readonly #outputs = new Map<TypeRef, TypeRef | undefined>();
  readonly #arguments = new Map<TypeRef, TypeRef>();

  constructor(
    private readonly nodes: ReadonlyMap<string, GraphNode>,
    unions: readonly GqlUnionType[],
  ) {
    for (const { kind, typeName } of nodes.values()) {
      if (kind === 'interface' || kind === 'problem') this.#withoutInput.add(typeName);
    }
    for (const { name, target } of unions) {
      this.#unionOf.set(target, name);
      this.#racedOf.set(name, target);
    }
  }

  /** A type in an output position; undefined for an input type, which is not allowed there. */
  output(type: TypeRef): TypeRef | undefined {
    if (this.#outputs.has(type)) return this.#outputs.get(type);
    const name = baseName(type);
    const union = this.#unionOf.get(name);
    const output = union === undefined ? type : withBaseName(type, union);
    const allowed = this.#isInput(name) ? undefined : output;
    this.#outputs.set(type, allowed);
    return allowed;
  }

  /** A node in an output position: its type, nullable, or the union in its place. */
  nodeOutput({ typeName }: GraphNode): TypeRef {
    return named(this.#unionOf.get(typeName) ?? typeName);
  }

  /** A type in an input position. A union becomes the input of the raced type, because only results are raced. */
  input(type: TypeRef): TypeRef {
    let input = this.#arguments.get(type);
    if (input === undefined) {
      const name = baseName(type);
      const object = this.#racedOf.get(name) ?? name;
      const isObject = this.nodes.get(object)?.kind === 'object';
      input = isObject ? withBaseName(type, inputNameOf(object)) : type;
      this.#arguments.set(type, input);
    }
    return input;
  }

  /** A node in an input position: its input, or itself when it is an enum or a scalar. A declared input is required. */
  nodeInput({ typeName, kind }: GraphNode): TypeRef {
    const type = named(kind === 'object' ? inputNameOf(typeName) : typeName);
    return kind === 'input' ? nonNull(type) : type;
  }

  /** Whether the innermost name is a union, which cannot be the type of an argument. */
  isUnion(type: TypeRef): boolean {
    return this.#racedOf.has(baseName(type));
  }

  /** Whether the innermost name is an interface or a declared error, for which GraphQL has no form of input. */
  hasNoInput(type: TypeRef): boolean {
    return this.#withoutInput.size > 0 && this.#withoutInput.has(baseName(type));
  }

  /** The standard scalars among the types that were mapped, in the order of their table. */
  standardScalars(): GqlScalarType[] {
    const used = new Set<string>();
    for (const types of [this.#outputs, this.#arguments]) {
      for (const type of types.keys()) {
        const name = baseName(type);
        if (standardScalars.has(name) && !this.nodes.has(name) && !this.#racedOf.has(name)) used.add(name);
      }
    }
    if (used.size === 0) return [];
    return [...standardScalars]
      .filter(([name]) => used.has(name))
      .map(([name, { description, specifiedBy }]) => ({
        name,
        description,
        specifiedBy,
        standard: true,
        node: undefined,
      }));
  }

  /** Whether the type of an argument is a scalar or an enum. */
  isLeaf(name: string): boolean {
    const node = this.nodes.get(name);
    if (node === undefined) return mirroredNode(this.nodes, name) === undefined;
    return node.kind === 'scalar' || node.kind === 'enum';
  }

  #isInput(name: string): boolean {
    const node = this.nodes.get(name);
    if (node === undefined) return mirroredNode(this.nodes, name) !== undefined;
    return isUnreturned(node);
  }
}

/** Whether a node is an input or a declared error, which nothing returns. */
export function isUnreturned({ kind }: GraphNode): boolean {
  return kind === 'input' || kind === 'problem';
}

/** The kind of a node with its article: `an enum`. */
export function kindText({ kind }: GraphNode): string {
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}

export interface ProjectionContext {
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly types: TypeProjection;
  readonly diagnostics: Diagnostic[];
}

/** The error of an input, or a declared error, as the type of a field or a result (GG3013, GG3030). */
export function cannotReturn(
  type: TypeRef,
  position: 'a field' | 'a result',
  span: Span,
  { nodes }: ProjectionContext,
): Diagnostic {
  const node = nodes.get(baseName(type));
  return node !== undefined && isUnreturned(node)
    ? neverReturned(node, `the type of ${position}`, span)
    : diagnose('GG3013', { name: printTypeRef(type), position }, span);
}

/** The error of an input, or a declared error, where a type is returned (GG3030). */
export function neverReturned(node: GraphNode, position: string, span: Span): Diagnostic {
  const params = { type: node.typeName, kind: kindText(node), position };
  return diagnose('GG3030', params, span, { labels: [kindLabel(node)] });
}

export function kindLabel(node: GraphNode): DiagnosticLabel {
  return { span: node.span, message: `“${node.id}” is ${kindText(node)}` };
}
