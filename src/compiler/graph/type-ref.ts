/** A reference to a type, in the shape of GraphQL introspection: plain data, innermost name last. */
export type TypeRef = NamedTypeRef | ListTypeRef | NonNullTypeRef;

/** `User` */
export interface NamedTypeRef {
  readonly kind: 'named';
  readonly name: string;
}

/** `[of]` */
export interface ListTypeRef {
  readonly kind: 'list';
  readonly of: TypeRef;
}

/** `of!`; never holds another non-null. */
export interface NonNullTypeRef {
  readonly kind: 'nonNull';
  readonly of: NamedTypeRef | ListTypeRef;
}

/** Makes a reference to a type by its name. */
export function named(name: string): NamedTypeRef {
  return { kind: 'named', name };
}

export function listOf(of: TypeRef): ListTypeRef {
  return { kind: 'list', of };
}

/** Makes a reference non-null; one that is so already is returned as it is. */
export function nonNull(of: TypeRef): NonNullTypeRef {
  return of.kind === 'nonNull' ? of : { kind: 'nonNull', of };
}

/** Takes an outer `!` away. */
export function nullable(type: TypeRef): NamedTypeRef | ListTypeRef {
  return type.kind === 'nonNull' ? type.of : type;
}

export function baseName(type: TypeRef): string {
  let inner = type;
  while (inner.kind !== 'named') inner = inner.of;
  return inner.name;
}

/** The same wrapping around another innermost name. */
export function withBaseName(type: TypeRef, name: string): TypeRef {
  if (type.kind === 'named') return named(name);
  return type.kind === 'list' ? listOf(withBaseName(type.of, name)) : nonNull(withBaseName(type.of, name));
}

/** Writes a reference as GraphQL does: `[String!]!`. Two references are alike when their texts are. */
export function printTypeRef(type: TypeRef): string {
  if (type.kind === 'named') return type.name;
  return type.kind === 'list' ? `[${printTypeRef(type.of)}]` : `${printTypeRef(type.of)}!`;
}

/** The reference that a text writes as GraphQL does. */
export function readTypeRef(text: string): TypeRef {
  if (text.endsWith('!')) return nonNull(readTypeRef(text.slice(0, -1)));
  return text.startsWith('[') ? listOf(readTypeRef(text.slice(1, -1))) : named(text);
}

/**
 * Whether every value of one type is a value of the other.
 *
 * @param fits whether that is so of two named types; by default those of one name
 */
export function isSubtype(
  type: TypeRef,
  wanted: TypeRef,
  fits: (name: string, wanted: string) => boolean = (name, other) => name === other,
): boolean {
  if (wanted.kind === 'nonNull') return type.kind === 'nonNull' && isSubtype(type.of, wanted.of, fits);
  if (type.kind === 'nonNull') return isSubtype(type.of, wanted, fits);
  if (wanted.kind === 'list') return type.kind === 'list' && isSubtype(type.of, wanted.of, fits);
  return type.kind === 'named' && fits(type.name, wanted.name);
}

export function sameType(one: TypeRef, other: TypeRef): boolean {
  let a = one;
  let b = other;
  while (a !== b) {
    if (a.kind === 'named' || b.kind === 'named') return a.kind === 'named' && b.kind === 'named' && a.name === b.name;
    if (a.kind !== b.kind) return false;
    a = a.of;
    b = b.of;
  }
  return true;
}
