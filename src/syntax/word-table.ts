/**
 * Remembers the words that were cut out of a text lately. Keys, labels and types are the same few words
 * over and over; handing out the same string again makes the tree of a large topology a quarter smaller.
 * A word that shares its place with another one is simply cut out again.
 */
export class WordTable {
  private readonly places: string[] = new Array<string>(size).fill('');

  /** The text between two offsets. */
  slice(text: string, start: number, end: number): string {
    const length = end - start;
    const place = (text.charCodeAt(start) * 31 + text.charCodeAt(end - 1) + length * 7) & (size - 1);
    const known = this.places[place] as string;
    if (known.length === length) {
      // For words of a few letters a loop is quicker than a call into the engine.
      let at = 0;
      while (at < length && known.charCodeAt(at) === text.charCodeAt(start + at)) at++;
      if (at === length) return known;
    }
    const word = text.slice(start, end);
    this.places[place] = word;
    return word;
  }
}

/** Small enough to stay in the fastest cache of a processor; a power of two. */
const size = 256;
