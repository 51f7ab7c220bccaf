import type { DocComment, TokenTape } from './token-tape.js';

/**
 * The text of the doc comment that stands directly before a token, or undefined: its lines without
 * the slashes and the one space after them, joined by line breaks.
 */
export function docBefore(tape: TokenTape, text: string, token: number): string | undefined {
  const { docs } = tape;
  let low = 0;
  let high = docs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((docs[middle] as DocComment).token < token) low = middle + 1;
    else high = middle;
  }
  const lines: string[] = [];
  for (let at = low; docs[at]?.token === token; at++) {
    const { start, end } = (docs[at] as DocComment).comment;
    const line = text.slice(start + 3, end).trimEnd();
    lines.push(line.startsWith(' ') ? line.slice(1) : line);
  }
  return lines.length === 0 ? undefined : lines.join('\n');
}
