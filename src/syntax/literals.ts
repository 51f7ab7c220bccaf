import type { Value } from './ast.js';

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

/** The quoted text between two offsets. */
export function stringAt(text: string, start: number, end: number): Value {
  return { kind: 'String', value: textOfString(text, start, end), start, end };
}

/** The number between two offsets. */
export function numberAt(text: string, start: number, end: number): Value {
  const digits = text.slice(start, end);
  return { kind: 'Number', value: Number(digits), integer: !/[.eE]/.test(digits), start, end };
}

/** The word between two offsets, which may be one of the three that are values of their own. */
export function wordAt(text: string, start: number, end: number): Value {
  const name = text.slice(start, end);
  if (name === 'true' || name === 'false') return { kind: 'Boolean', value: name === 'true', start, end };
  if (name === 'null') return { kind: 'Null', start, end };
  return { kind: 'Word', name, nonNull: false, start, end };
}

/** A word that ends at `wordEnd`, and the `!` behind it that ends at `end`. */
export function requiredWordAt(text: string, start: number, wordEnd: number, end: number): Value {
  return { kind: 'Word', name: text.slice(start, wordEnd), nonNull: true, start, end };
}
