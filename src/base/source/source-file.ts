/** A named topology text. The spans of later phases refer to it. */
export interface SourceFile {
  /** The name in diagnostics: a path as the user wrote it, a URL, or an invented name. */
  readonly name: string;
  /** The whole text; offsets everywhere are UTF-16 code units into it. */
  readonly text: string;
}

/** The offsets of the lines of a source, which convert an offset to a line without the text. */
export interface LineMap {
  readonly name: string;
  /** Offset of the first character of each line, ascending; the first is always 0. */
  readonly lineStarts: readonly number[];
}

/** A position for people. Both numbers count from 1; columns are UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Makes a source file from a name and its text. A byte order mark is removed here, so that later phases need not handle
 * it.
 */
export function createSourceFile(name: string, text: string): SourceFile {
  return { name, text: text.charCodeAt(0) === 0xfeff ? text.slice(1) : text };
}

const lineMaps = new WeakMap<SourceFile, LineMap>();

/**
 * The line map of a source, computed on first use (most sources have no diagnostics) and cached. `\n`, `\r\n`
 * and a lone `\r` end a line.
 */
export function lineMapOf(source: SourceFile): LineMap {
  let map = lineMaps.get(source);
  if (map === undefined) {
    map = { name: source.name, lineStarts: findLineStarts(source.text) };
    lineMaps.set(source, map);
  }
  return map;
}

/** The line and column of an offset; an offset past the end is placed at the end of the last line. */
export function positionAt(map: LineMap, offset: number): Position {
  const { lineStarts } = map;
  let low = 0;
  let high = lineStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lineStarts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: Math.max(0, offset - (lineStarts[low] as number)) + 1 };
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  if (!text.includes('\r')) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    return starts;
  }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) starts.push(at + 1);
  }
  return starts;
}
