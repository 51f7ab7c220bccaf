import { remember } from '../maps.js';
import * as ref from '../type-ref.js';

/**
 * Type references, one object for each distinct one. A large topology writes `String!` a hundred thousand times:
 * sharing one object keeps memory in proportion to the number of types, and makes comparing two references a matter
 * of identity nearly always.
 */
export class TypeTable {
  readonly #named = new Map<string, ref.NamedTypeRef>();
  readonly #required = new Map<string, ref.NonNullTypeRef>();
  readonly #lists = new Map<ref.TypeRef, ref.ListTypeRef>();
  readonly #nonNulls = new Map<ref.TypeRef, ref.NonNullTypeRef>();

  get names(): Pick<ReadonlySet<string>, 'has'> {
    return this.#named;
  }

  /** The reference `Name` or `Name!`; undefined if it was not read before. */
  known(name: string, nonNull: boolean): ref.TypeRef | undefined {
    return nonNull ? this.#required.get(name) : this.#named.get(name);
  }

  named(name: string): ref.NamedTypeRef {
    return remember(this.#named, name, () => ref.named(name));
  }

  required(name: string): ref.NonNullTypeRef {
    return remember(this.#required, name, () => this.nonNull(this.named(name)));
  }

  listOf(of: ref.TypeRef): ref.ListTypeRef {
    return remember(this.#lists, of, () => ref.listOf(of));
  }

  nonNull(of: ref.TypeRef): ref.NonNullTypeRef {
    return remember(this.#nonNulls, of, () => ref.nonNull(of));
  }
}
