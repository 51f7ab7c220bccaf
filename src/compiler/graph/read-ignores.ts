import { type LineMap, lineMapOf, positionAt } from '../../base/source/source-file.js';
import type { Span } from '../../base/source/span.js';
import type { Comment, Document, Statement } from '../syntax/ast.js';

/** One comment that ignores findings: `// gg-ignore GG2010: why`. */
export interface Ignore {
  readonly id: string;
  readonly span: Span;
  /** The text to delete to remove the comment. */
  readonly removal: Span;
  readonly codes: readonly { readonly code: string; readonly span: Span }[];
  readonly hasReason: boolean;
  /** The lines that it applies to, as keys of `lineOfFile`, and `wholeFile`. */
  readonly places: readonly string[];
}

/**
 * Reads the comments of a file that ignore findings. A comment at the end of a line covers that line; one on its own
 * line covers the next line with code. If a statement ends or begins there it covers the whole statement, however many
 * lines a formatter gives it. A comment before all code also covers the file as a whole.
 */
export function readIgnores({ file, statements, comments }: Document): readonly Ignore[] {
  // Few files have one, and a search in the text is cheap.
  if (!file.text.includes('gg-ignore')) return [];
  const code = withoutComments(file.text, comments);
  const firstCode = nextPrinted(code, 0);
  const map = lineMapOf(file);
  const extents = new StatementExtents(map, statements);
  return comments.flatMap((comment): Ignore[] => {
    const text = file.text.slice(comment.start, comment.end);
    const [opening] = /^\/[/*]\s*gg-ignore(?![\w-])/.exec(text) ?? [];
    if (opening === undefined) return [];
    const span = { file: file.name, start: comment.start, end: comment.end };
    const said = readBody(text.replace(/\*\/$/, ''), opening.length, span);
    const lineStart = map.lineStarts[positionAt(map, comment.start).line - 1] as number;
    const isBehindCode = file.text.slice(lineStart, comment.start).trim() !== '';
    const [from, to] = isBehindCode
      ? extents.endingBefore(comment.start)
      : extents.beginningAt(nextPrinted(code, comment.end));
    const places = comment.start < firstCode ? [wholeFile(file.name)] : [];
    for (let line = from; line <= to; line++) places.push(lineOfFile(file.name, line));
    const removal = removalOf(file.text, span, isBehindCode ? undefined : lineStart);
    return [{ id: `${file.name}:${comment.start}`, span, removal, ...said, places }];
  });
}

/**
 * The text to delete with a comment: the blanks before a comment at the end of a line, and the whole line of a comment
 * on its own.
 */
function removalOf(text: string, { file, start, end }: Span, lineStart: number | undefined): Span {
  const [rest = ''] = /^[^\S\r\n]*(?:\r\n|[\r\n]|$)/.exec(text.slice(end)) ?? [];
  if (lineStart !== undefined)
    return rest === '' ? { file, start, end } : { file, start: lineStart, end: end + rest.length };
  return { file, start: text.slice(0, start).trimEnd().length, end };
}

/** `GG2010, GG2007: the reason`; without a colon the codes end where the words begin. */
function readBody(text: string, from: number, { file, start }: Span): Pick<Ignore, 'codes' | 'hasReason'> {
  const colon = text.indexOf(':', from);
  const list = text.slice(from, colon === -1 ? text.length : colon);
  const codes: { code: string; span: Span }[] = [];
  for (const { 0: word, index } of list.matchAll(/[^\s,]+/g)) {
    const looksLikeCode = /^GG\d/i.test(word);
    if (colon === -1 && codes.length > 0 && !looksLikeCode) break;
    const at = start + from + index;
    const code = looksLikeCode ? word.toUpperCase() : word;
    codes.push({ code, span: { file, start: at, end: at + word.length } });
  }
  return { codes, hasReason: colon !== -1 && text.slice(colon + 1).trim() !== '' };
}

/** The text with blanks in place of its comments. */
function withoutComments(text: string, comments: readonly Comment[]): string {
  let code = '';
  for (const { start, end } of comments) code += text.slice(code.length, start) + ' '.repeat(end - start);
  return code + text.slice(code.length);
}

/** The first place from an offset on where something is written, else the end. */
function nextPrinted(text: string, from: number): number {
  space.lastIndex = from;
  space.test(text);
  return space.lastIndex;
}

const space = /\s*/y;

type Extent = readonly [from: number, to: number];

/** The lines of the statements of a file. */
class StatementExtents {
  readonly #byStart = new Map<number, Statement>();
  /** The first line of the statements that end on a line. */
  readonly #firstLine = new Map<number, { readonly line: number; readonly end: number }>();

  constructor(
    private readonly map: LineMap,
    statements: readonly Statement[],
  ) {
    for (const statement of statements) {
      this.#byStart.set(statement.start, statement);
      const last = this.#lineOf(statement.end);
      const line = Math.min(this.#lineOf(statement.start), this.#firstLine.get(last)?.line ?? last);
      this.#firstLine.set(last, { line, end: statement.end });
    }
  }

  /** The lines of the statement that begins there, else the line alone. */
  beginningAt(offset: number): Extent {
    const line = this.#lineOf(offset);
    const statement = this.#byStart.get(offset);
    return statement === undefined ? [line, line] : [line, this.#lineOf(statement.end)];
  }

  /** The line there, and all lines of the statements that end on it before that place. */
  endingBefore(offset: number): Extent {
    const line = this.#lineOf(offset);
    const ended = this.#firstLine.get(line);
    return ended === undefined || ended.end > offset ? [line, line] : [ended.line, line];
  }

  #lineOf(offset: number): number {
    return positionAt(this.map, offset).line;
  }
}

/** The key of a line, by which findings and comments are matched. */
export function lineOfFile(name: string, line: number): string {
  return `${name}:${line}`;
}

/** The key of a file as a whole. */
export function wholeFile(name: string): string {
  return name;
}
