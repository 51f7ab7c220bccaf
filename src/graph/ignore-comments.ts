import { diagnosticCodes, isDiagnosticCode } from '../diagnostics/codes.js';
import { type Diagnostic, diagnose, hasErrors } from '../diagnostics/diagnostic.js';
import { type LineMap, lineMapOf, positionAt } from '../source/source-file.js';
import type { Span } from '../source/span.js';
import type { Comment, Document } from '../syntax/ast.js';
import { createSuggester } from './suggest.js';

/**
 * Takes out the findings that a comment switches off, `// gg-ignore GG2010: why`, and adds what is wrong
 * with such comments: one that has nothing to ignore (GG2021), gives no reason (GG2022), names no code that
 * there is (GG2023) or one that cannot be ignored, as errors cannot (GG2024).
 *
 * A comment at the end of a line speaks of that line, one on a line of its own of the next line that holds
 * more than comments. Above everything else in a file it speaks of the file as a whole, too.
 *
 * While there are errors, findings of later phases are missing, so that none is called unused.
 */
export function applyIgnores(
  documents: readonly Document[],
  findings: readonly Diagnostic[],
): readonly Diagnostic[] {
  const ignores = documents.flatMap(readIgnores);
  if (ignores.length === 0) return findings;
  const places = new Places(documents);
  const byPlace = new Map<string, Ignore[]>();
  for (const ignore of ignores) {
    for (const { code } of ignore.codes) {
      for (const place of ignore.places) {
        const key = `${code} ${place}`;
        const same = byPlace.get(key);
        if (same === undefined) byPlace.set(key, [ignore]);
        else same.push(ignore);
      }
    }
  }
  const used = new Set<string>();
  const left = findings.filter(({ code, severity, span }) => {
    const at = byPlace.get(`${code} ${places.of(span)}`);
    if (at === undefined || severity === 'error' || aboutIgnoring.has(code)) return true;
    for (const { id } of at) used.add(`${id} ${code}`);
    return false;
  });
  const isWhole = !hasErrors(findings);
  return [...left, ...ignores.flatMap((ignore) => judge(ignore, isWhole ? used : undefined))];
}

/** One comment that ignores something. */
interface Ignore {
  readonly id: string;
  /** The whole comment. */
  readonly span: Span;
  readonly codes: readonly { readonly code: string; readonly span: Span }[];
  readonly hasReason: boolean;
  /** What it speaks of, as `Places` names it. */
  readonly places: readonly string[];
}

const aboutIgnoring: ReadonlySet<string> = new Set(['GG2021', 'GG2022', 'GG2023', 'GG2024']);

/** @param used what was ignored, by comment and code; undefined where nobody can say what is unused */
function judge({ id, span, codes, hasReason }: Ignore, used: ReadonlySet<string> | undefined): Diagnostic[] {
  const found: Diagnostic[] = [];
  if (codes.length === 0) found.push(diagnose('GG2023', { code: undefined, suggestion: undefined }, span));
  let known = 0;
  for (const { code, span: place } of codes) {
    if (!isDiagnosticCode(code)) {
      found.push(diagnose('GG2023', { code, suggestion: nearestCode(code) }, place));
      continue;
    }
    known += 1;
    const reason = whyNotIgnored(code);
    if (reason !== undefined) found.push(diagnose('GG2024', { code, reason }, place));
    else if (used?.has(`${id} ${code}`) === false) found.push(unused(code, place, span, codes.length === 1));
  }
  const [first] = codes;
  // Who named no code has other worries than the reason.
  if (!hasReason && known > 0 && first !== undefined && found.length === 0) {
    found.push(diagnose('GG2022', { code: first.code }, span));
  }
  return found;
}

function whyNotIgnored(code: keyof typeof diagnosticCodes): string | undefined {
  if (diagnosticCodes[code].severity === 'error') return 'it is an error';
  return aboutIgnoring.has(code) ? 'it is about such comments itself' : undefined;
}

/** The comment goes where it says nothing else. */
function unused(code: string, place: Span, comment: Span, isOnly: boolean): Diagnostic {
  const fix = { description: 'Take the comment away', edits: [{ span: comment, text: '' }] };
  return diagnose('GG2021', { code }, place, isOnly ? { fix } : {});
}

function nearestCode(wanted: string): string | undefined {
  const named = Object.entries(diagnosticCodes).find(([, { name }]) => name === wanted.toLowerCase());
  return named?.[0] ?? createSuggester(Object.keys(diagnosticCodes)).nearest(wanted);
}

function readIgnores({ file, comments }: Document): readonly Ignore[] {
  // Nearly no file has one, and a search in the text costs nothing.
  if (!file.text.includes('gg-ignore')) return [];
  const layout = new Layout(file.text, comments);
  const map = lineMapOf(file);
  return comments.flatMap((comment, at): Ignore[] => {
    const text = file.text.slice(comment.start, comment.end);
    const [opening] = /^\/[/*]\s*gg-ignore(?![\w-])/.exec(text) ?? [];
    if (opening === undefined) return [];
    const span = { file: file.name, start: comment.start, end: comment.end };
    const said = readBody(text.replace(/\*\/$/, ''), opening.length, span);
    const lineStart = map.lineStarts[positionAt(map, comment.start).line - 1] as number;
    const isBehindCode = file.text.slice(lineStart, comment.start).trim() !== '';
    const target = isBehindCode ? comment.start : layout.codeAfter(at);
    const places = [
      placeOf(map, target),
      ...(comment.start < layout.firstCode ? [wholeFile(file.name)] : []),
    ];
    return [{ id: `${file.name}:${comment.start}`, span, ...said, places }];
  });
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

/** Where code stands between the comments of a file. */
class Layout {
  readonly firstCode: number;
  readonly #text: string;
  readonly #comments: readonly Comment[];

  constructor(text: string, comments: readonly Comment[]) {
    this.#text = text;
    this.#comments = comments;
    this.firstCode = this.#skip(0, 0);
  }

  /** Where the next thing begins that is no comment. */
  codeAfter(comment: number): number {
    return this.#skip((this.#comments[comment] as Comment).end, comment + 1);
  }

  #skip(from: number, nextComment: number): number {
    let at = this.#skipSpace(from);
    for (let index = nextComment; this.#comments[index]?.start === at; index++) {
      at = this.#skipSpace((this.#comments[index] as Comment).end);
    }
    return at;
  }

  #skipSpace(from: number): number {
    space.lastIndex = from;
    space.test(this.#text);
    return space.lastIndex;
  }
}

const space = /\s*/y;

/** The lines that findings begin on. */
class Places {
  readonly #maps: ReadonlyMap<string, LineMap>;

  constructor(documents: readonly Document[]) {
    this.#maps = new Map(documents.map(({ file }) => [file.name, lineMapOf(file)]));
  }

  of({ file, start, end }: Span): string {
    if (start === 0 && end === 0) return wholeFile(file);
    const map = this.#maps.get(file);
    return map === undefined ? file : placeOf(map, start);
  }
}

function placeOf(map: LineMap, offset: number): string {
  return `${map.name}:${positionAt(map, offset).line}`;
}

function wholeFile(name: string): string {
  return name;
}
