import { sameType, type TypeRef } from '../../../compiler/graph/type-ref.js';

/** Two lists of named things, sorted by whether a name is in one, in the other, or in both. */
export interface Pairing<T> {
  /** In the old list only, in its order. */
  readonly removed: readonly T[];
  /** In the new list only, in its order. */
  readonly added: readonly T[];
  /** In both, in the order of the old list. */
  readonly kept: readonly (readonly [before: T, after: T])[];
}

/** Pairs the items of two lists by their names, which must be unique in each list. */
export function pairByName<T extends { readonly name: string }>(
  before: readonly T[],
  after: readonly T[],
): Pairing<T> {
  return pairByKey(
    new Map(before.map((thing) => [thing.name, thing])),
    new Map(after.map((thing) => [thing.name, thing])),
  );
}

/** A guess for the user to confirm: exactly one item was removed and one of the same type was added. */
export function likelyRenamed<T extends { readonly type: TypeRef }>({
  removed,
  added,
}: Pairing<T>): T | undefined {
  const [[gone, ...otherGone], [fresh, ...otherFresh]] = [removed, added];
  if (gone === undefined || fresh === undefined || otherGone.length + otherFresh.length > 0) return undefined;
  return sameType(gone.type, fresh.type) ? fresh : undefined;
}

/** Pairs the values of two maps by their keys. */
export function pairByKey<T>(before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>): Pairing<T> {
  const removed: T[] = [];
  const kept: (readonly [T, T])[] = [];
  for (const [key, old] of before) {
    const found = after.get(key);
    if (found === undefined) removed.push(old);
    else kept.push([old, found]);
  }
  const added = [...after].flatMap(([key, thing]) => (before.has(key) ? [] : [thing]));
  return { removed, added, kept };
}
