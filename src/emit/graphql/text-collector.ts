/** How many pieces are joined at once. */
const batchSize = 64;

/**
 * Collects the pieces of a long text. Concatenation in JavaScript is lazy: a text that grew by ten
 * thousand pieces is a tree of all of them, which the garbage collector copies again and again. Joining
 * a batch at a time makes each part of the tree garbage while it is young.
 */
export class TextCollector {
  readonly #separator: string;
  #text = '';
  #pending: string[] = [];

  /** @param separator what stands between two pieces */
  constructor(separator: string) {
    this.#separator = separator;
  }

  /** Adds a piece. */
  add(piece: string): void {
    if (this.#pending.push(piece) === batchSize) this.#joinPending();
  }

  /** All pieces with the separators between them. */
  text(): string {
    if (this.#pending.length > 0) this.#joinPending();
    return this.#text;
  }

  #joinPending(): void {
    const joined = this.#pending.join(this.#separator);
    this.#text = this.#text === '' ? joined : this.#text + this.#separator + joined;
    this.#pending = [];
  }
}
