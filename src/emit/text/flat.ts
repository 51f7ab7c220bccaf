/**
 * The same text in one piece. Concatenation makes a tree of pieces, which the engine copies into one text when a character
 * is read. Reading one early turns the pieces into garbage while they are young.
 */
export function flat(text: string): string {
  text.charCodeAt(0);
  return text;
}
