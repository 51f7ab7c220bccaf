import { flat } from './flat.js';

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

  text(): string {
    return this.#chunks.join('') + this.#text;
  }
}
