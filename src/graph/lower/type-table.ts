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
 * Gives out type references, each distinct one once. A large topology writes `String!` some hundred
 * thousand times; sharing one object for all of them keeps its memory in proportion to its types, and
 * makes comparing two references a matter of identity nearly always.
 */
export class TypeTable {
  readonly #named = new Map<string, NamedTypeRef>();
  readonly #lists = new Map<TypeRef, ListTypeRef>();
  readonly #nonNulls = new Map<TypeRef, NonNullTypeRef>();

  /** `name` */
  named(name: string): NamedTypeRef {
    let ref = this.#named.get(name);
    if (ref === undefined) {
      ref = named(name);
      this.#named.set(name, ref);
    }
    return ref;
  }

  /** `[of]` */
  listOf(of: TypeRef): ListTypeRef {
    let ref = this.#lists.get(of);
    if (ref === undefined) {
      ref = listOf(of);
      this.#lists.set(of, ref);
    }
    return ref;
  }

  /** `of!` */
  nonNull(of: TypeRef): NonNullTypeRef {
    let ref = this.#nonNulls.get(of);
    if (ref === undefined) {
      ref = nonNull(of);
      this.#nonNulls.set(of, ref);
    }
    return ref;
  }
}
