import { diagnosticCodes, isDiagnosticCode } from '../../base/diagnostics/codes.js';
import { type Diagnostic, diagnose, hasErrors } from '../../base/diagnostics/diagnostic.js';
import { lineMapOf, positionAt } from '../../base/source/source-file.js';
import type { Span } from '../../base/source/span.js';
import type { Comment, Document, Statement } from '../syntax/ast.js';
import { appendTo } from './maps.js';
import { createSuggester } from './suggest.js';

/**
 * Removes the findings that a comment ignores, `// gg-ignore GG2010: why`, and reports faulty comments: unused ones
 * (GG2021), ones without a reason (GG2022), with an unknown code (GG2023) or with the code of an error, which cannot be
 * ignored (GG2024). `readIgnores` defines which lines a comment covers.
 *
 * While there are errors the findings of later phases are missing, so no comment is reported as unused.
 */
export function applyIgnores(documents: readonly Document[], findings: readonly Diagnostic[]): readonly Diagnostic[] {
  const ignores = documents.flatMap(readIgnores);
  if (ignores.length === 0) return findings;
  const maps = new Map(documents.map(({ file }) => [file.name, lineMapOf(file)]));
  const placeOf = ({ file, start, end }: Span): string => {
    const map = maps.get(file);
    return end === 0 || map === undefined ? file : lineOfFile(file, positionAt(map, start).line);
  };
  const byPlace = new Map<string, Ignore[]>();
  for (const ignore of ignores) {
    for (const { code } of ignore.codes)
      for (const place of ignore.places) appendTo(byPlace, `${code} ${place}`, ignore);
  }
  const used = new Set<string>();
  const left = findings.filter(({ code, severity, span }) => {
    const at = byPlace.get(`${code} ${placeOf(span)}`);
    if (at === undefined || severity === 'error' || aboutIgnoring.has(code)) return true;
    for (const { id } of at) used.add(`${id} ${code}`);
    return false;
  });
  const isWhole = !hasErrors(findings);
  return [...left, ...ignores.flatMap((ignore) => judge(ignore, isWhole ? used : undefined))];
}

const aboutIgnoring: ReadonlySet<string> = new Set(['GG2021', 'GG2022', 'GG2023', 'GG2024']);

/** One comment that ignores findings: `// gg-ignore GG2010: why`. */
interface Ignore {
  readonly id: string;
  readonly span: Span;
  /** The text to delete to remove the comment. */
  readonly removal: Span;
  readonly codes: readonly { readonly code: string; readonly span: Span }[];
  readonly hasReason: boolean;
  /** Its scope: lines as `lineOfFile` writes them, and the file as a whole by its name. */
  readonly places: readonly string[];
}

/**
 * Reads the comments of a file that ignore findings. A comment at the end of a line covers that line; one on its own
 * line covers the next line with code. If a statement ends or begins there it covers the whole statement, however many
 * lines a formatter gives it. A comment before all code also covers the file as a whole.
 */
function readIgnores({ file, statements, comments }: Document): readonly Ignore[] {
  // Few files have one, and a search in the text is cheap.
  if (!file.text.includes('gg-ignore')) return [];
  const code = withoutComments(file.text, comments);
  const firstCode = nextPrinted(code, 0);
  const map = lineMapOf(file);
  const lineOf = (offset: number): number => positionAt(map, offset).line;
  const extents = extentsOf(statements, lineOf);
  return comments.flatMap((comment): Ignore[] => {
    const text = file.text.slice(comment.start, comment.end);
    const [opening] = /^\/[/*]\s*gg-ignore(?![\w-])/.exec(text) ?? [];
    if (opening === undefined) return [];
    const span = { file: file.name, start: comment.start, end: comment.end };
    const said = readBody(text.replace(/\*\/$/, ''), opening.length, span);
    const lineStart = map.lineStarts[lineOf(comment.start) - 1] as number;
    const isBehindCode = file.text.slice(lineStart, comment.start).trim() !== '';
    const [from, to] = isBehindCode
      ? extents.endingBefore(comment.start)
      : extents.beginningAt(nextPrinted(code, comment.end));
    const places = comment.start < firstCode ? [file.name] : [];
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

/** The lines that comments of a file cover, by the statements at them. */
function extentsOf(statements: readonly Statement[], lineOf: (offset: number) => number) {
  const byStart = new Map<number, Statement>();
  /** The first line of the statements that end on a line. */
  const firstLine = new Map<number, { readonly line: number; readonly end: number }>();
  for (const statement of statements) {
    byStart.set(statement.start, statement);
    const last = lineOf(statement.end);
    const line = Math.min(lineOf(statement.start), firstLine.get(last)?.line ?? last);
    firstLine.set(last, { line, end: statement.end });
  }
  return {
    /** The lines of the statement that begins there, else the line alone. */
    beginningAt: (offset: number): Extent => [lineOf(offset), lineOf(byStart.get(offset)?.end ?? offset)],
    /** The line there, and all lines of the statements that end on it before that place. */
    endingBefore: (offset: number): Extent => {
      const line = lineOf(offset);
      const ended = firstLine.get(line);
      return ended === undefined || ended.end > offset ? [line, line] : [ended.line, line];
    },
  };
}

/** A line, as findings and comments are matched by it. */
function lineOfFile(name: string, line: number): string {
  return `${name}:${line}`;
}

/** @param used - The ignored findings, by comment and code; undefined if findings are incomplete. */
function judge({ id, span, removal, codes, hasReason }: Ignore, used: ReadonlySet<string> | undefined): Diagnostic[] {
  const found: Diagnostic[] = [];
  if (codes.length === 0) found.push(diagnose('GG2023', { code: undefined, suggestion: undefined }, span));
  for (const { code, span: place } of codes) {
    if (!isDiagnosticCode(code)) {
      found.push(diagnose('GG2023', { code, suggestion: nearestCode(code) }, place));
      continue;
    }
    const reason = whyNotIgnored(code);
    if (reason !== undefined) found.push(diagnose('GG2024', { code, reason }, place));
    else if (used?.has(`${id} ${code}`) === false) found.push(unused(code, place, removal, codes.length === 1));
  }
  const [first] = codes;
  // A missing reason is only reported for comments without another fault.
  if (!hasReason && first !== undefined && found.length === 0)
    found.push(diagnose('GG2022', { code: first.code }, span));
  return found;
}

function whyNotIgnored(code: keyof typeof diagnosticCodes): string | undefined {
  if (diagnosticCodes[code].severity === 'error') return 'it is an error';
  return aboutIgnoring.has(code) ? 'it is about ignore comments' : undefined;
}

/** If the comment ignores nothing else, the fix removes it. */
function unused(code: string, place: Span, removal: Span, isOnly: boolean): Diagnostic {
  const fix = { description: 'Remove the comment', edits: [{ span: removal, text: '' }] };
  return diagnose('GG2021', { code }, place, isOnly ? { fix } : {});
}

function nearestCode(wanted: string): string | undefined {
  const named = Object.entries(diagnosticCodes).find(([, { name }]) => name === wanted.toLowerCase());
  return named?.[0] ?? createSuggester(Object.keys(diagnosticCodes)).nearest(wanted);
}
