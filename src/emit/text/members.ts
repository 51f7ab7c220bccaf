/**
 * The members of a JSON object that are made while they are read, so that a writer need not hold all of them at once.
 * They can be read once.
 */
export class Members {
  readonly #entries: Iterable<readonly [string, unknown]>;

  constructor(entries: Iterable<readonly [string, unknown]>) {
    this.#entries = entries;
  }

  [Symbol.iterator](): Iterator<readonly [string, unknown]> {
    return this.#entries[Symbol.iterator]();
  }

  /** All members as an object. */
  toObject(): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (const [key, value] of this) made[key] = value instanceof Members ? value.toObject() : value;
    return made;
  }
}
