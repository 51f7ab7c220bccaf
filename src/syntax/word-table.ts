/**
 * Remembers the words that were cut out of a text lately. Ids, keys, labels and types recur all over a
 * topology; handing out the same string again saves its memory, and every later look-up in a map finds
 * the hash already computed. A word that shares its place with another is simply cut out again.
 */
export class WordTable {
  private readonly places: string[] = new Array<string>(size).fill('');

  /** The text between two offsets. */
  slice(text: string, start: number, end: number): string {
    const length = end - start;
    const place =
      (length * 7 +
        text.charCodeAt(start) +
        text.charCodeAt(end - 1) * 31 +
        text.charCodeAt(start + (length >> 1)) * 131) &
      (size - 1);
    const known = this.places[place] as string;
    if (known.length === length && isAt(known, text, start)) return known;
    const word = text.slice(start, end);
    this.places[place] = word;
    return word;
  }
}

/** Small enough to stay in the fastest cache of a processor; a power of two. */
const size = 512;

/** For words of a few letters a loop is quicker than a call into the engine. */
function isAt(word: string, text: string, start: number): boolean {
  for (let at = 0; at < word.length; at++) {
    if (word.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  }
  return true;
}
