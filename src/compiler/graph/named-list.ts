/** From this length on, an index is faster than a search. */
const indexFrom = 12;

/**
 * A list of named items, each name once, in which looking up a name stays fast as it grows: the fields of a node, the
 * arguments of an operation. Most lists have a handful of items and never need an index.
 */
export class NamedList<T extends { readonly name: string }> {
  readonly #items: T[];
  #length = 0;
  #index: Map<string, number> | undefined;

  /** @param expected how many items there will probably be; with exactly as many, `toArray` makes no copy */
  constructor(expected: number) {
    this.#items = new Array(expected);
  }

  /** The position of the item of that name, or -1. */
  indexOf(name: string): number {
    const items = this.#items;
    if (this.#length < indexFrom) {
      for (let at = 0; at < this.#length; at++) if ((items[at] as T).name === name) return at;
      return -1;
    }
    this.#index ??= new Map(this.toArray().map((item, at) => [item.name, at]));
    return this.#index.get(name) ?? -1;
  }

  at(position: number): T {
    return this.#items[position] as T;
  }

  set(position: number, item: T): void {
    this.#items[position] = item;
  }

  /** Adds an item whose name the list does not have yet. */
  push(item: T): void {
    this.#index?.set(item.name, this.#length);
    this.#items[this.#length++] = item;
  }

  /** The items, in an array of exactly their length. The list must not change afterwards. */
  toArray(): readonly T[] {
    if (this.#length === 0) return none;
    return this.#items.length === this.#length ? this.#items : this.#items.slice(0, this.#length);
  }
}

const none: readonly never[] = [];
