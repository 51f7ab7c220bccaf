/** How many pieces are joined at once. */
const batchSize = 64;

/**
 * Collects the pieces of a long text. Concatenation in JavaScript is lazy: a text that grew by ten
 * thousand pieces is a tree of all of them, which the garbage collector copies again and again. Joining
 * a batch at a time makes each part of the tree garbage while it is young.
 */
export class TextCollector {
  #text = '';
  #pending: string[] = [];

  /** Adds a piece to the end of the text. */
  add(piece: string): void {
    if (this.#pending.push(piece) === batchSize) this.#joinPending();
  }

  /** The text of all pieces so far. */
  text(): string {
    this.#joinPending();
    return this.#text;
  }

  #joinPending(): void {
    this.#text += this.#pending.join('');
    this.#pending = [];
  }
}
