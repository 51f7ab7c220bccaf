/** The minimum length of a chunk: short enough that its pieces become garbage while they are young. */
const chunkLength = 1 << 14;

/** Collects the pieces of a long text in chunks. */
export class TextCollector {
  readonly #chunks: string[] = [];
  #text = '';

  add(piece: string): void {
    this.#text += piece;
    if (this.#text.length < chunkLength) return;
    this.#chunks.push(flat(this.#text));
    this.#text = '';
  }

  /** The whole text, in one piece: with `+` the engine would copy it once more when a character is read. */
  text(): string {
    return this.#chunks.length === 0 ? this.#text : [...this.#chunks, this.#text].join('');
  }
}

/**
 * The same text in one piece. Concatenation makes a tree of pieces, which the engine copies into one text when a character
 * is read. Reading one early turns the pieces into garbage while they are young.
 */
export function flat(text: string): string {
  // The result depends on the character, because optimized code leaves out a read without effect.
  return text.charCodeAt(0) === 0 ? text.slice() : text;
}
