/**
 * A map of limited size that drops entries which were not used lately. It keeps two generations: an entry that is read
 * moves to the young one, and when that is full, the old one is dropped. Reading a young entry changes nothing, unlike
 * in a map that is kept in the order of use.
 */
export class LruMap<Key, Value> {
  readonly #half: number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();

  /** @param maximum - The number of entries; at least half as many of those used last are kept. */
  constructor(maximum: number) {
    this.#half = maximum / 2;
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: Key, value: Value): void {
    this.#old.delete(key);
    this.#young.set(key, value);
    if (this.#young.size < this.#half) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  delete(key: Key): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }
}
