import { type BabelCodeFrameOptions, codeFrameColumns } from '@babel/code-frame';
import { lineMapOf, positionAt, type SourceFile } from '../../source/source-file.js';
import type { Span } from '../../source/span.js';
import { displayLine, displayWidth } from './display-text.js';

/** The colours of a frame: functions that style a text, or return it unchanged. */
export interface FramePaint {
  /** Line numbers and the rule beside them. */
  readonly gutter: (text: string) => string;
  /** The carets, the mark of the line, and the label next to the carets. */
  readonly marker: (text: string) => string;
}

/** Lines shown before and after the marked one. */
const context = 1;
/** The maximum length of a shown line; longer lines are truncated around the span. */
const longest = 160;
/** The length of a shown line on the narrowest terminal. */
const shortest = 40;
/** The part of a truncated line that is kept before the span. */
const lead = 3 / 8;

/**
 * Renders the line where a span begins, with carets under the span and one line of context on each side. A span
 * over several lines is marked to the end of its first line. Only these lines are read, so the cost does not depend
 * on the size of the file.
 *
 * The layout library counts characters, but tabs, escapes and East Asian characters are wider. So it lays out
 * placeholders of the displayed width, which are replaced by the text.
 */
export function renderFrame(
  source: SourceFile,
  span: Span,
  paint: FramePaint,
  message?: string,
  columns = Number.POSITIVE_INFINITY,
): string {
  const { lineStarts } = lineMapOf(source);
  const start = Math.min(span.start, source.text.length);
  const { line, column } = positionAt(lineMapOf(source), start);
  const marked = lineText(source, lineStarts, line);
  const first = Math.min(column - 1, marked.length);
  const last = Math.max(first, Math.min(first + Math.max(0, span.end - start), marked.length));
  // The line number, the marks around it, and an ellipsis at each end.
  const gutter = String(line + context).length + 7;
  const widest = Math.max(shortest, Math.min(longest, columns - gutter));
  const from = marked.length <= widest ? 0 : Math.max(0, first - Math.floor(widest * lead));

  const firstLine = Math.max(1, line - context);
  // The empty line after the last line break is not shown.
  const lineCount = lineStarts.at(-1) === source.text.length ? lineStarts.length - 1 : lineStarts.length;
  const lastLine = Math.max(line, Math.min(lineCount, line + context));
  const shown: string[] = [];
  for (let at = firstLine; at <= lastLine; at++) {
    const text = lineText(source, lineStarts, at);
    shown.push(showPart(text, from, text.length, widest));
  }

  const before = displayWidth(showPart(marked, from, first, widest));
  const through = displayWidth(showPart(marked, from, last, widest));
  const options: BabelCodeFrameOptions & { readonly startLine: number } = {
    startLine: firstLine,
    linesAbove: context,
    linesBelow: context,
    ...(message === undefined ? {} : { message }),
  };
  const rows = codeFrameColumns(
    shown.map((text) => 'x'.repeat(displayWidth(text))).join('\n'),
    { start: { line, column: before + 1 }, end: { line, column: through + 1 } },
    options,
  ).split('\n');

  // The row after the marked line is the one with the carets; every other row stands for one line.
  const markerRow = line - firstLine + 1;
  const standIns = rows.toSpliced(markerRow, 1);
  const drawn = standIns.map((row, at) => drawLine(row, shown[at] ?? '', paint));
  return drawn.toSpliced(markerRow, 0, drawMarker(rows[markerRow] ?? '', paint)).join('\n');
}

function lineText(source: SourceFile, lineStarts: readonly number[], line: number): string {
  const text = source.text.slice(lineStarts[line - 1], lineStarts[line] ?? source.text.length);
  return text.replace(/(?:\r\n|\r|\n)$/, '');
}

/**
 * The shown part of a line from `from` to `to`: at most `widest` characters, with an ellipsis where it is truncated,
 * never splitting a surrogate pair.
 */
function showPart(line: string, from: number, to: number, widest: number): string {
  const begin = isLowSurrogate(line, from) ? from + 1 : from;
  const limit = isLowSurrogate(line, from + widest) ? from + widest - 1 : from + widest;
  const left = from > 0 && line.length > 0 ? '…' : '';
  const right = to > limit ? '…' : '';
  return left + displayLine(line.slice(begin, Math.min(to, limit))) + right;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

function drawLine(row: string, text: string, paint: FramePaint): string {
  const rule = row.indexOf('|') + 1;
  const mark = row.startsWith('>') ? paint.marker('>') : ' ';
  return `${mark}${paint.gutter(row.slice(1, rule))}${text === '' ? '' : ` ${text}`}`;
}

function drawMarker(row: string, paint: FramePaint): string {
  const rule = row.indexOf('|') + 1;
  const carets = row.indexOf('^');
  return `${paint.gutter(row.slice(0, rule))}${row.slice(rule, carets)}${paint.marker(row.slice(carets))}`;
}
