import type { TypeRef } from '../../graph/type-ref.js';

/**
 * Whether readers of the old type can read the new one: the same type, or a stricter one (`String` → `String!`), at
 * every level of lists.
 */
export function isSafeForReaders(before: TypeRef, after: TypeRef): boolean {
  if (after.kind === 'nonNull') {
    return isSafeForReaders(before.kind === 'nonNull' ? before.of : before, after.of);
  }
  if (before.kind === 'list') return after.kind === 'list' && isSafeForReaders(before.of, after.of);
  return before.kind === 'named' && after.kind === 'named' && before.name === after.name;
}

/**
 * Whether senders of the old type can send it for the new one: the same type, or a looser one (`String!` →
 * `String`), at every level of lists.
 */
export function isSafeForGivers(before: TypeRef, after: TypeRef): boolean {
  return isSafeForReaders(after, before);
}
