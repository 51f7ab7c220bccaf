/**
 * A string literal in the formatter's spelling, with the same value: in single quotes, or in double
 * quotes where that saves an escape. A backslash before anything but a quote stays, because it belongs
 * to the value (`textOfString` in `syntax/literals.ts`).
 */
export function requote(literal: string): string {
  if (!literal.includes('\\') && literal.indexOf("'", 1) === literal.length - 1) return literal;
  const pieces = literal.slice(1, -1).match(/\\[\s\S]|[^\\]+/g) ?? [];
  const parts = pieces.map((piece) => (piece === "\\'" || piece === '\\"' ? piece.slice(1) : piece));
  const holds = (quote: string) => parts.some((part) => part.includes(quote));
  const quote = holds("'") && !holds('"') ? '"' : "'";
  const escaped = parts.map((part) => (isEscape(part) ? part : part.replaceAll(quote, `\\${quote}`)));
  return quote + escaped.join('') + quote;
}

/** Whether a part is a backslash and the character after it, both of them part of the value. */
function isEscape(part: string): boolean {
  return part.length === 2 && part.startsWith('\\');
}
