/**
 * The text that a quoted literal stands for; `start` and `end` include the quotes. `\'` and `\"` are
 * the quotes themselves. A backslash before anything else is kept as it is: published topologies hold
 * formulas and paths that rely on it. A literal without its closing quote is read to its end.
 */
export function textOfString(text: string, start: number, end: number): string {
  const closed = end - start > 1 && text.charCodeAt(end - 1) === text.charCodeAt(start);
  const raw = text.slice(start + 1, closed ? end - 1 : end);
  return raw.includes('\\') ? raw.replace(/\\(['"])|\\[\s\S]/g, (whole, quote) => quote ?? whole) : raw;
}
