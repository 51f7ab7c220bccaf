import {
  type ListTypeRef,
  listOf,
  type NamedTypeRef,
  type NonNullTypeRef,
  named,
  nonNull,
  type TypeRef,
} from '../type-ref.js';

/**
 * Type references, one object for each distinct one. A large topology writes `String!` a hundred thousand times:
 * sharing one object keeps memory in proportion to the number of types, and makes comparing two references a matter
 * of identity nearly always.
 */
export class TypeTable {
  readonly #named = new Map<string, NamedTypeRef>();
  readonly #lists = new Map<TypeRef, ListTypeRef>();
  readonly #nonNulls = new Map<TypeRef, NonNullTypeRef>();

  get names(): Pick<ReadonlySet<string>, 'has'> {
    return this.#named;
  }

  named(name: string): NamedTypeRef {
    let ref = this.#named.get(name);
    if (ref === undefined) {
      ref = named(name);
      this.#named.set(name, ref);
    }
    return ref;
  }

  required(name: string): NonNullTypeRef {
    return this.nonNull(this.named(name));
  }

  listOf(of: TypeRef): ListTypeRef {
    let ref = this.#lists.get(of);
    if (ref === undefined) {
      ref = listOf(of);
      this.#lists.set(of, ref);
    }
    return ref;
  }

  nonNull(of: TypeRef): NonNullTypeRef {
    let ref = this.#nonNulls.get(of);
    if (ref === undefined) {
      ref = nonNull(of);
      this.#nonNulls.set(of, ref);
    }
    return ref;
  }
}
