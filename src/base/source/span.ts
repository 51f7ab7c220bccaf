import { type LineMap, positionAt } from './source-file.js';

/** A range of one source: `[start, end)` in UTF-16 code units of the file named `file`. */
export interface Span {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** The place of a finding about a file as a whole, or about an address or an option that has no text. */
export function wholeFile(file: string): Span {
  return { file, start: 0, end: 0 };
}

/**
 * Formats the start of a span as `file:line:column`, which terminals and editors turn into a link. Without a
 * line map of the file, only its name.
 */
export function describePlace(maps: readonly LineMap[], span: Span): string {
  const map = maps.find((candidate) => candidate.name === span.file);
  if (map === undefined) return span.file;
  const { line, column } = positionAt(map, span.start);
  return `${span.file}:${line}:${column}`;
}
