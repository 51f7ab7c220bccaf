import { type LineMap, positionAt } from './source-file.js';

/** A stretch of one source: `[start, end)` in UTF-16 code units of the file that is called `file`. */
export interface Span {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Writes where a span begins as `file:line:column`, the form that terminals and editors turn into a
 * link. A span in a file that none of the maps covers is written as the file's name alone.
 */
export function describePlace(maps: readonly LineMap[], span: Span): string {
  const map = maps.find((candidate) => candidate.name === span.file);
  if (map === undefined) return span.file;
  const { line, column } = positionAt(map, span.start);
  return `${span.file}:${line}:${column}`;
}
