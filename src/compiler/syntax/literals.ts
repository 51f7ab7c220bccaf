import type { Value } from './ast.js';

/**
 * The value of a quoted literal. `\'` and `\"` are the quotes themselves. A backslash before anything else is kept:
 * published topologies contain formulas and paths that rely on it. A literal without its closing quote is read to its
 * end.
 */
export function textOfString(image: string): string {
  const isClosed = image.length > 1 && image.charCodeAt(image.length - 1) === image.charCodeAt(0);
  const raw = image.slice(1, isClosed ? -1 : undefined);
  return raw.includes('\\') ? raw.replace(/\\(['"])|\\[\s\S]/g, (whole, quote) => quote ?? whole) : raw;
}

export function numberValue(image: string, start: number, end: number): Value {
  return { kind: 'Number', value: Number(image), integer: !/[.eE]/.test(image), start, end };
}

/** A word as a value. Without `!`, three words are literals. */
export function wordValue(name: string, nonNull: boolean, start: number, end: number): Value {
  if (!nonNull) {
    if (name === 'true' || name === 'false') return { kind: 'Boolean', value: name === 'true', start, end };
    if (name === 'null') return { kind: 'Null', start, end };
  }
  return { kind: 'Word', name, nonNull, start, end };
}
