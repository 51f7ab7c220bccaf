import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js';
import type { SourceFile } from '../source/source-file.js';
import type { Comment } from './ast.js';
import type { DocComment, TapeWriter, TokenTape } from './token-tape.js';
import * as T from './tokens.js';

/**
 * Cuts a source into tokens. It reads each character once, never backtracks and never fails: what it
 * does not know becomes an `Unknown` token and a diagnostic. It is written by hand because Chevrotain's
 * own lexer, which makes an object a token, costs more than the whole parse that follows
 * (`test/bench`); the token types are Chevrotain's.
 *
 * The tape lives in the arrays of `writer` and is good until they are used again.
 */
export function scan(source: SourceFile, writer: TapeWriter): TokenTape {
  writer.begin(source.text.length);
  return new Scanner(source, writer).run();
}

enum Char {
  Tab = 9,
  LineFeed = 10,
  Return = 13,
  Space = 32,
  Bang = 33,
  DoubleQuote = 34,
  Hash = 35,
  SingleQuote = 39,
  LParen = 40,
  RParen = 41,
  Star = 42,
  Comma = 44,
  Minus = 45,
  Dot = 46,
  Slash = 47,
  Zero = 48,
  Nine = 57,
  Colon = 58,
  Semicolon = 59,
  Less = 60,
  Equals = 61,
  Greater = 62,
  LSquare = 91,
  Backslash = 92,
  RSquare = 93,
  LCurly = 123,
  Pipe = 124,
  RCurly = 125,
}

/** Token type by character, for the tokens that are one character long; 0 elsewhere. */
const single = new Int32Array(128);
single[Char.LParen] = T.indexOf(T.LParen);
single[Char.RParen] = T.indexOf(T.RParen);
single[Char.LCurly] = T.indexOf(T.LCurly);
single[Char.RCurly] = T.indexOf(T.RCurly);
single[Char.LSquare] = T.indexOf(T.LSquare);
single[Char.Colon] = T.indexOf(T.Colon);
single[Char.Comma] = T.indexOf(T.Comma);
single[Char.Pipe] = T.indexOf(T.Pipe);
single[Char.Equals] = T.indexOf(T.Equals);
single[Char.Bang] = T.indexOf(T.Bang);
single[Char.Dot] = T.indexOf(T.Dot);
single[Char.Semicolon] = T.indexOf(T.Semicolon);

/** Character classes, as bits: 1 letter or `_`, 2 digit, 4 white space, 8 of note inside a text. */
const classes = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (/[A-Za-z_]/.test(character)) classes[code] = 1;
  else if (/[0-9]/.test(character)) classes[code] = 2;
  else if (/[\t\n\v\f\r ]/.test(character)) classes[code] = 4;
  if (/['"\\\n\r]/.test(character)) classes[code] = (classes[code] as number) | 8;
}

const wordType = T.indexOf(T.Word);
const numberType = T.indexOf(T.NumberLiteral);
const stringType = T.indexOf(T.StringLiteral);
const unknownType = T.indexOf(T.Unknown);
const edgeOpen = T.indexOf(T.EdgeOpen);
const edgeClose = T.indexOf(T.EdgeClose);
const rightSquare = T.indexOf(T.RSquare);
const importType = T.indexOf(T.Import);
const exportType = T.indexOf(T.Export);

/** After these a word is a node, a key or a label, whatever it is spelled like. */
const noKeywordAfter = new Set(
  [T.LParen, T.Pipe, T.Comma, T.LCurly, T.Colon, T.Dot, T.EdgeOpen, T.LSquare, T.Equals].map(T.indexOf),
);

/** White space outside ASCII that editors and copy-paste bring in; it separates tokens like a blank. */
const wideSpace = /[\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]/;
const wideWord = /[\p{L}\p{M}\p{N}_]/u;
/** All that may stand between two tokens. */
const space = /(?:[\s\u0085]+|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)*/y;
const numberForm = /\d+(\.\d+)?([eE][+-]?\d+)?/y;

/** How many mistakes are reported in one file before it is given up as something else entirely. */
export const errorLimit = 100;

class Scanner {
  private readonly text: string;
  private readonly comments: Comment[] = [];
  private readonly docs: DocComment[] = [];
  private readonly diagnostics: Diagnostic[] = [];
  private readonly foreignMarks = new Set<string>();
  /** Where scanning ends: at the end of the text, or here and now once there are too many mistakes. */
  private stop: number;
  private readonly hasReturns: boolean;
  /** Whether the edge that is open began with `<-[`, so that its end need not be reported again. */
  private isReversed = false;

  constructor(
    private readonly source: SourceFile,
    private readonly tape: TapeWriter,
  ) {
    this.text = source.text;
    this.stop = source.text.length;
    this.hasReturns = source.text.includes('\r');
  }

  run(): TokenTape {
    this.scanAll();
    return this.tape.finish(this.text.length, this.comments, this.docs, this.diagnostics);
  }

  /** A method of its own, with nothing behind the loop, so that V8 keeps the code it compiled for it. */
  private scanAll(): void {
    const { text, tape } = this;
    let at = 0;
    while (at < this.stop) {
      const code = text.charCodeAt(at);
      if (code < 128) {
        const kind = classes[code] as number;
        if ((kind & 4) !== 0) {
          at++;
          continue;
        }
        if ((kind & 3) !== 0) {
          at = kind === 1 ? this.word(at) : this.number(at);
          continue;
        }
        const type = single[code] as number;
        if (type !== 0) {
          tape.push(type, at, at + 1);
          at++;
          continue;
        }
        at = this.rest(code, at);
      } else at = this.wide(at);
    }
  }

  /** The tokens of more than one character that are not words. */
  private rest(code: number, at: number): number {
    switch (code) {
      case Char.SingleQuote:
      case Char.DoubleQuote:
        return this.string(at, code);
      case Char.RSquare:
        return this.closing(at);
      case Char.Minus:
        return this.dash(at);
      case Char.Slash:
        return this.slash(at);
      case Char.Less:
        return this.less(at);
      case Char.Hash:
        return this.foreignComment(at, '#');
      default:
        return this.unknown(at);
    }
  }

  private word(start: number): number {
    const { text } = this;
    const { length } = text;
    let at = start + 1;
    let code = text.charCodeAt(at);
    while (code < 128 && ((classes[code] as number) & 3) !== 0) code = text.charCodeAt(++at);
    if (
      at < length &&
      (code > 127 ? wideWord.test(text[at] as string) : code === Char.Minus && this.isWordAt(at + 1))
    ) {
      return this.brokenWord(start);
    }
    this.tape.push(this.wordType(start, at), start, at);
    return at;
  }

  /** `import` and `export` are words of their own only where nothing else can be meant. */
  private wordType(start: number, end: number): number {
    if (end - start !== 6) return wordType;
    const isImport = this.text.startsWith('import', start);
    if (!isImport && !this.text.startsWith('export', start)) return wordType;
    if (noKeywordAfter.has(this.tape.lastType())) return wordType;
    space.lastIndex = end;
    space.test(this.text);
    const next = this.text.charCodeAt(space.lastIndex);
    const begins =
      next === Char.LCurly ||
      (isImport && (next === Char.SingleQuote || next === Char.DoubleQuote || next === Char.Star));
    if (!begins) return wordType;
    return isImport ? importType : exportType;
  }

  /** A number, or a word that begins with a digit (`1_10`), as machine-made files have them. */
  private number(start: number): number {
    const { text } = this;
    let at = start;
    while (this.isDigitAt(at)) at++;
    if (text.charCodeAt(at) === Char.Dot || this.isWordAt(at)) {
      numberForm.lastIndex = start;
      numberForm.test(text);
      at = numberForm.lastIndex;
    }
    const isNumber = !this.isWordAt(at);
    if (!isNumber) for (at = start; this.isWordAt(at); ) at++;
    this.tape.push(isNumber ? numberType : wordType, start, at);
    return at;
  }

  /** A name with a hyphen or with letters beyond ASCII: one mistake, so one token and one error. */
  private brokenWord(start: number): number {
    const { text } = this;
    let at = start;
    for (;;) {
      const code = text.codePointAt(at) ?? 0;
      const width = code > 0xffff ? 2 : 1;
      if (wideWord.test(String.fromCodePoint(code))) at += width;
      else if (code === Char.Minus && at > start && this.isWordAt(at + 1)) at++;
      else break;
    }
    const name = text.slice(start, at);
    const plain = name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/[^A-Za-z0-9_]/g, '_');
    this.report(
      diagnose('GG1016', { name, suggestion: plain }, this.span(start, at), {
        fix: { description: `Rename to ${plain}`, edits: [{ span: this.span(start, at), text: plain }] },
      }),
    );
    this.tape.push(wordType, start, at);
    return at;
  }

  private string(start: number, quote: number): number {
    const { text } = this;
    const { length } = text;
    for (let at = start + 1; at < length; at++) {
      const code = text.charCodeAt(at);
      if (code > 127 || ((classes[code] as number) & 8) === 0) continue;
      if (code === quote) {
        this.tape.push(stringType, start, at + 1);
        return at + 1;
      }
      // A backslash protects the character after it, whatever that is; a line break ends the text.
      if (code === Char.Backslash && !isLineBreak(text.charCodeAt(at + 1))) at++;
      else if (isLineBreak(code)) return this.unterminated(start, at, quote);
    }
    return this.unterminated(start, length, quote);
  }

  private unterminated(start: number, end: number, quote: number): number {
    this.report(diagnose('GG1002', { quote: String.fromCharCode(quote) }, this.span(start, end)));
    this.tape.push(stringType, start, end);
    return end;
  }

  /** `]`, `]->`, `]-`. The arrow may stand after white space: nothing else begins so after a list. */
  private closing(start: number): number {
    const { text } = this;
    const at = text.charCodeAt(start + 1) === Char.Minus ? start + 1 : this.skipBlanks(start + 1);
    if (text.charCodeAt(at) !== Char.Minus) {
      this.tape.push(rightSquare, start, start + 1);
      return start + 1;
    }
    const isArrow = text.charCodeAt(at + 1) === Char.Greater;
    const end = isArrow ? at + 2 : at + 1;
    if (isArrow === this.isReversed) this.reportDirection(start, end);
    this.isReversed = false;
    return this.arrow(edgeClose, start, end);
  }

  /** `-[`, `-5`, an arrow without brackets, or the `--` comment of another language. */
  private dash(start: number): number {
    const { text } = this;
    let at = start + 1;
    const next = text.charCodeAt(at);
    if (next === Char.LSquare) return this.arrow(edgeOpen, start, at + 1);
    if (this.isDigitAt(at)) {
      const end = this.number(at);
      return this.negate(start, end);
    }
    if (next === Char.Minus || next === Char.Greater) {
      while (text.charCodeAt(at) === Char.Minus) at++;
      if (text.charCodeAt(at) === Char.Greater) return this.bareArrow(start, at + 1);
      if (this.isFirstOnLine(start)) return this.foreignComment(start, '--');
      this.reportDirection(start, at);
      return this.bareArrow(start, at);
    }
    const open = this.skipBlanks(at);
    if (text.charCodeAt(open) === Char.LSquare) return this.arrow(edgeOpen, start, open + 1);
    return this.unknown(start);
  }

  /** Widens the number that was just pushed by the minus before it; a word (`-1_0`) is no number. */
  private negate(start: number, end: number): number {
    this.tape.widenLast(start, numberType, unknownType);
    if (this.tape.lastType() === unknownType) this.reportUnknown(start, end);
    return end;
  }

  private less(start: number): number {
    const { text } = this;
    if (text.charCodeAt(start + 1) !== Char.Minus) return this.unknown(start);
    let at = start + 2;
    const open = this.skipBlanks(at);
    if (text.charCodeAt(open) === Char.LSquare) {
      this.reportDirection(start, open + 1);
      this.isReversed = true;
      return this.arrow(edgeOpen, start, open + 1);
    }
    while (text.charCodeAt(at) === Char.Minus) at++;
    if (text.charCodeAt(at) === Char.Greater) at++;
    this.reportDirection(start, at);
    return this.bareArrow(start, at);
  }

  /** An arrow without brackets is read as an edge without a type, which the grammar reports. */
  private bareArrow(start: number, end: number): number {
    this.tape.push(edgeOpen, start, end);
    this.tape.push(edgeClose, end, end);
    return end;
  }

  private reportDirection(start: number, end: number): void {
    const found = `“${this.text.slice(start, end)}”`;
    this.report(diagnose('GG1007', { found }, this.span(start, end)));
  }

  private arrow(type: number, start: number, end: number): number {
    this.tape.push(type, start, end);
    return end;
  }

  private slash(start: number): number {
    const { text } = this;
    const next = text.charCodeAt(start + 1);
    if (next === Char.Slash) {
      const end = this.endOfLine(start);
      // Four slashes are a rule drawn across the page, not documentation.
      const isDoc = text.charCodeAt(start + 2) === Char.Slash && text.charCodeAt(start + 3) !== Char.Slash;
      const comment: Comment = { kind: isDoc ? 'doc' : 'line', start, end };
      this.comments.push(comment);
      if (isDoc) this.docs.push({ comment, token: this.tape.length });
      return end;
    }
    if (next !== Char.Star) return this.unknown(start);
    const close = text.indexOf('*/', start + 2);
    const end = close === -1 ? text.length : close + 2;
    if (close === -1) this.report(diagnose('GG1004', {}, this.span(start, start + 2)));
    this.comments.push({ kind: 'block', start, end });
    return end;
  }

  /** Each foreign mark is reported once in a file; the other lines of its kind are passed over. */
  private foreignComment(start: number, mark: string): number {
    const end = this.endOfLine(start);
    if (!this.foreignMarks.has(mark)) {
      this.foreignMarks.add(mark);
      this.report(diagnose('GG1014', { mark }, this.span(start, end)));
    }
    this.comments.push({ kind: 'line', start, end });
    return end;
  }

  /** A character beyond ASCII: white space, the beginning of a broken name, or something unknown. */
  private wide(at: number): number {
    const character = String.fromCodePoint(this.text.codePointAt(at) as number);
    if (wideSpace.test(character)) return at + 1;
    return wideWord.test(character) ? this.brokenWord(at) : this.unknown(at);
  }

  /** A run of characters that mean nothing is one mistake. */
  private unknown(start: number): number {
    const { text } = this;
    let at = start;
    do at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
    while (at < text.length && this.isUnknownAt(at));
    this.tape.push(unknownType, start, at);
    this.reportUnknown(start, at);
    return at;
  }

  private isUnknownAt(at: number): boolean {
    const code = this.text.charCodeAt(at);
    if (code < 128) {
      return (
        ((classes[code] as number) & 7) === 0 &&
        single[code] === 0 &&
        !'"\'#/-<]'.includes(this.text[at] as string)
      );
    }
    const character = String.fromCodePoint(this.text.codePointAt(at) as number);
    return !wideSpace.test(character) && !wideWord.test(character);
  }

  private reportUnknown(start: number, end: number): void {
    if (this.text[start] === '*' && this.tape.isAfter(importType)) {
      this.report(diagnose('GG1019', { found: '“*”' }, this.span(start, end)));
      return;
    }
    const found = `“${[...this.text.slice(start, Math.min(end, start + 20))].join('')}”`;
    this.report(diagnose('GG1003', { found }, this.span(start, end)));
  }

  private skipBlanks(at: number): number {
    while (((classes[this.text.charCodeAt(at)] ?? 0) & 4) !== 0) at++;
    return at;
  }

  private isWordAt(at: number): boolean {
    return ((classes[this.text.charCodeAt(at)] ?? 0) & 3) !== 0;
  }

  private isDigitAt(at: number): boolean {
    return classes[this.text.charCodeAt(at)] === 2;
  }

  private isFirstOnLine(start: number): boolean {
    for (let at = start - 1; at >= 0; at--) {
      const code = this.text.charCodeAt(at);
      if (isLineBreak(code)) return true;
      if (((classes[code] ?? 0) & 4) === 0) return false;
    }
    return true;
  }

  private endOfLine(start: number): number {
    const feed = this.text.indexOf('\n', start);
    const end = feed === -1 ? this.text.length : feed;
    // Looking for returns in a file that has none would read it to its end for every comment.
    if (!this.hasReturns) return end;
    const lone = this.text.indexOf('\r', start);
    return lone !== -1 && lone < end ? lone : end;
  }

  private span(start: number, end: number) {
    return { file: this.source.name, start, end };
  }

  private report(diagnostic: Diagnostic): void {
    this.diagnostics.push(diagnostic);
    if (this.diagnostics.length >= errorLimit) this.stop = 0;
  }
}

function isLineBreak(code: number): boolean {
  return code === Char.LineFeed || code === Char.Return;
}
