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
 * Carets are placed by the displayed width: tabs, escapes and East Asian characters are wider than one column.
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

  // The empty line after the last line break is not shown.
  const lineCount = lineStarts.at(-1) === source.text.length ? lineStarts.length - 1 : lineStarts.length;
  const lastLine = Math.max(line, Math.min(lineCount, line + context));
  const { length: width } = String(lastLine);
  // Beside a line stand its number, the marks around it, and an ellipsis at each end.
  const widest = Math.max(shortest, Math.min(longest, columns - width - 7));
  const from = marked.length <= widest ? 0 : Math.max(0, first - Math.floor(widest * lead));
  const before = displayWidth(showPart(marked, from, first, widest));
  const carets = '^'.repeat(displayWidth(showPart(marked, from, last, widest)) - before || 1);
  const label = message === undefined ? carets : `${carets} ${message}`;
  const rows: string[] = [];
  for (let at = Math.max(1, line - context); at <= lastLine; at++) {
    const text = lineText(source, lineStarts, at);
    const shown = showPart(text, from, text.length, widest);
    const mark = at === line ? paint.marker('>') : ' ';
    const gutter = paint.gutter(` ${String(at).padStart(width)} |`);
    rows.push(`${mark}${gutter}${shown === '' ? '' : ` ${shown}`}`);
    if (at !== line) continue;
    rows.push(`${paint.gutter(`  ${' '.repeat(width)} |`)} ${' '.repeat(before)}${paint.marker(label)}`);
  }
  return rows.join('\n');
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
