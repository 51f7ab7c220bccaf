/**
 * The same text in one piece. Concatenation makes a tree of pieces, which the engine copies into one text when a character
 * is read. Reading one early turns the pieces into garbage while they are young.
 */
export function flat(text: string): string {
  // The result depends on the character, because optimized code leaves out a read without effect.
  return text.charCodeAt(0) === 0 ? text.slice() : text;
}
