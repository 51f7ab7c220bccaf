import type { TypeRef } from '../graph/type-ref.js';

/**
 * Whether whoever reads the old type can read the new one: the same, or one that promises more
 * (`String` → `String!`), at every level of lists.
 */
export function isSafeForReaders(before: TypeRef, after: TypeRef): boolean {
  if (after.kind === 'nonNull') {
    return isSafeForReaders(before.kind === 'nonNull' ? before.of : before, after.of);
  }
  if (before.kind === 'list') return after.kind === 'list' && isSafeForReaders(before.of, after.of);
  return before.kind === 'named' && after.kind === 'named' && before.name === after.name;
}

/**
 * Whether whoever gives the old type can give it for the new one: the same, or one that asks for less
 * (`String!` → `String`), at every level of lists.
 */
export function isSafeForGivers(before: TypeRef, after: TypeRef): boolean {
  return isSafeForReaders(after, before);
}
