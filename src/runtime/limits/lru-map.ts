/** A map of limited size: the least recently used entry is dropped first. */
export class LruMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  /** The key that was used last; moving it would change nothing. */
  #newest: Key | undefined;

  constructor(private readonly maximum: number) {}

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined || key === this.#newest) return value;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#newest = key;
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#newest = key;
    if (this.#entries.size > this.maximum) this.#entries.delete(this.#entries.keys().next().value as Key);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }
}
