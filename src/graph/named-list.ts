/** From this length on, an index is faster than a search. */
const indexFrom = 12;

/**
 * A list of named items, each name once, in which looking up a name stays fast as it grows: the fields of a node, the
 * arguments of an operation. Most lists have a handful of items and never need an index.
 */
export class NamedList<T extends { readonly name: string }> {
  readonly items: T[] = [];
  #index: Map<string, number> | undefined;

  /** The position of the item of that name, or -1. */
  indexOf(name: string): number {
    const { items } = this;
    if (items.length < indexFrom) {
      for (let at = 0; at < items.length; at++) if ((items[at] as T).name === name) return at;
      return -1;
    }
    this.#index ??= new Map(items.map((item, at) => [item.name, at]));
    return this.#index.get(name) ?? -1;
  }

  /** The items in a new array of exactly their length: an array that grew keeps spare room. */
  toArray(): readonly T[] {
    return this.items.length === 0 ? none : this.items.slice();
  }

  /** Adds an item whose name the list does not have yet. */
  push(item: T): void {
    this.#index?.set(item.name, this.items.length);
    this.items.push(item);
  }
}

const none: readonly never[] = [];
