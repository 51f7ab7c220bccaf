import { pointerStep } from './json-pointer.js';
import type { SourceFile } from './source-file.js';
import type { Span } from './span.js';

/** Deeper values have no place: their pointers would be as long as the text. */
const maxDepth = 64;

/**
 * The places of all values, and of the keys of members with their quotes, in a JSON text that is known to be valid:
 * `[start, end)` in UTF-16 code units by JSON Pointer (RFC 6901). `JSON.parse` gives no positions.
 */
export function jsonPlaces(text: string) {
  const values = new Map<string, readonly [start: number, end: number]>();
  const keys = new Map<string, readonly [start: number, end: number]>();
  const open: { readonly pointer: string; readonly start: number; readonly isList: boolean; at: number }[] = [];
  let pointer = '';
  let isKey = false;
  // String literals are matched whole, so that brackets in them do not count.
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]|[^\s[\]{},:"]+/g)) {
    const inner = open.at(-1);
    const end = index + token.length;
    if (token === '{' || token === '[') {
      if (open.length === maxDepth) break;
      open.push({ pointer, start: index, isList: token === '[', at: 0 });
      isKey = token === '{';
      if (token === '[') pointer += pointerStep(0);
    } else if (token === '}' || token === ']') {
      open.pop();
      if (inner !== undefined) values.set(inner.pointer, [inner.start, end]);
      isKey = false;
    } else if (token === ',' && inner !== undefined) {
      inner.at += 1;
      isKey = !inner.isList;
      if (inner.isList) pointer = inner.pointer + pointerStep(inner.at);
    } else if (isKey && inner !== undefined) {
      pointer = inner.pointer + pointerStep(JSON.parse(token) as string);
      keys.set(pointer, [index, end]);
      isKey = false;
    } else if (token !== ':') values.set(pointer, [index, end]);
  }
  return { values, keys };
}

/** `JSON.parse` gives the position of an error only in its message, if at all; a truncated text fails at its end. */
export function placeOfFault({ name, text }: SourceFile, message: string): Span {
  const position = /at position (\d+)/.exec(message)?.[1];
  const unplaced = /end of JSON/.test(message) ? text.length : 0;
  const start = position === undefined ? unplaced : Number(position);
  return { file: name, start, end: start + 1 };
}
