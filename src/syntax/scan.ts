// Length: one method a kind of token, and all of them share the state of the scanner.
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js';
import type { SourceFile } from '../source/source-file.js';
import type { Comment } from './ast.js';
import { type DocComment, reserve, type TapeBuffer, type TokenTape } from './token-tape.js';
import * as T from './tokens.js';

/**
 * Cuts a source into tokens. It reads each character once, never backtracks and never fails: what it
 * does not know becomes an `Unknown` token and a diagnostic. It is written by hand because Chevrotain's
 * own lexer, which makes an object a token, costs more than the whole parse that follows
 * (`test/bench`); the token types are Chevrotain's.
 *
 * The tape lives in the arrays of `buffer` and is good until they are used again.
 */
export function scan(source: SourceFile, buffer: TapeBuffer): TokenTape {
  buffer.makeRoom(source.text.length);
  return new Scanner(source, buffer).run();
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
  /** How many tokens there are so far. */
  private length = 0;
  /** The type of the token that was read last by one of the methods below; 0 when it was a comment. */
  private type = 0;

  constructor(
    private readonly source: SourceFile,
    private readonly tape: TapeBuffer,
  ) {
    this.text = source.text;
    this.stop = source.text.length;
    this.hasReturns = source.text.includes('\r');
  }

  run(): TokenTape {
    this.scanAll();
    const { tape, length, comments, docs, diagnostics } = this;
    tape.finish(length, this.text.length);
    return { length, types: tape.types, starts: tape.starts, ends: tape.ends, comments, docs, diagnostics };
  }

  /** A method of its own, with nothing behind the loop, so that V8 keeps the code it compiled for it. */
  private scanAll(): void {
    const { text } = this;
    let { types, starts, ends } = this.tape;
    let room = types.length - reserve;
    let at = 0;
    while (at < this.stop) {
      const code = text.charCodeAt(at);
      const kind = code < 128 ? (classes[code] as number) : 0;
      if ((kind & 4) !== 0) {
        at++;
        continue;
      }
      let end = at + 1;
      let type = code < 128 ? (single[code] as number) : 0;
      if (type === 0) {
        end = kind === 1 ? this.word(at) : this.other(code, at);
        type = this.type;
      }
      if (type !== 0) {
        const length = this.length++;
        if (length > room) {
          this.tape.grow();
          ({ types, starts, ends } = this.tape);
          room = types.length - reserve;
        }
        types[length] = type;
        starts[length] = at;
        ends[length] = end;
      }
      at = end;
    }
  }

  // Each of these reads what begins at `start`, says in `type` what it is, and returns where it ends.

  private other(code: number, start: number): number {
    switch (code) {
      case Char.SingleQuote:
      case Char.DoubleQuote:
        return this.string(start, code);
      case Char.RSquare:
        return this.closing(start);
      case Char.Minus:
        return this.dash(start);
      case Char.Slash:
        return this.slash(start);
      case Char.Less:
        return this.less(start);
      case Char.Hash:
        return this.foreignComment(start, '#');
      default:
        if (code > 127) return this.wide(start);
        return classes[code] === 2 ? this.number(start) : this.unknown(start);
    }
  }

  private word(start: number): number {
    const { text } = this;
    let at = start + 1;
    let code = text.charCodeAt(at);
    while (code < 128 && ((classes[code] as number) & 3) !== 0) code = text.charCodeAt(++at);
    if (code > 127 ? wideWord.test(text[at] as string) : code === Char.Minus && this.isWordAt(at + 1)) {
      return this.brokenWord(start);
    }
    this.type = at - start === 6 ? this.wordType(start, at) : wordType;
    return at;
  }

  /** `import` and `export` are words of their own only where nothing else can be meant. */
  private wordType(start: number, end: number): number {
    const isImport = this.text.startsWith('import', start);
    if (!isImport && !this.text.startsWith('export', start)) return wordType;
    if (noKeywordAfter.has(this.lastType())) return wordType;
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
    return this.token(isNumber ? numberType : wordType, at);
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
    return this.token(wordType, at);
  }

  private string(start: number, quote: number): number {
    const { text } = this;
    const { length } = text;
    for (let at = start + 1; at < length; at++) {
      const code = text.charCodeAt(at);
      if (code > 127 || ((classes[code] as number) & 8) === 0) continue;
      if (code === quote) {
        return this.token(stringType, at + 1);
      }
      // A backslash protects the character after it, whatever that is; a line break ends the text.
      if (code === Char.Backslash && !isLineBreak(text.charCodeAt(at + 1))) at++;
      else if (isLineBreak(code)) return this.unterminated(start, at, quote);
    }
    return this.unterminated(start, length, quote);
  }

  private unterminated(start: number, end: number, quote: number): number {
    this.report(diagnose('GG1002', { quote: String.fromCharCode(quote) }, this.span(start, end)));
    return this.token(stringType, end);
  }

  /** `]`, `]->`, `]-`. The arrow may stand after white space: nothing else begins so after a list. */
  private closing(start: number): number {
    const { text } = this;
    const at = text.charCodeAt(start + 1) === Char.Minus ? start + 1 : this.skipBlanks(start + 1);
    if (text.charCodeAt(at) !== Char.Minus) {
      return this.token(rightSquare, start + 1);
    }
    const isArrow = text.charCodeAt(at + 1) === Char.Greater;
    const end = isArrow ? at + 2 : at + 1;
    if (isArrow === this.isReversed) this.reportDirection(start, end);
    this.isReversed = false;
    return this.token(edgeClose, end);
  }

  /** `-[`, `-5`, an arrow without brackets, or the `--` comment of another language. */
  private dash(start: number): number {
    const { text } = this;
    let at = start + 1;
    const next = text.charCodeAt(at);
    if (next === Char.LSquare) return this.token(edgeOpen, at + 1);
    if (this.isDigitAt(at)) return this.negative(start);
    if (next === Char.Minus || next === Char.Greater) {
      while (text.charCodeAt(at) === Char.Minus) at++;
      if (text.charCodeAt(at) === Char.Greater) return this.bareArrow(start, at + 1);
      if (this.isFirstOnLine(start)) return this.foreignComment(start, '--');
      this.reportDirection(start, at);
      return this.bareArrow(start, at);
    }
    const open = this.skipBlanks(at);
    if (text.charCodeAt(open) === Char.LSquare) return this.token(edgeOpen, open + 1);
    return this.unknown(start);
  }

  /** A number with a minus; a word with a minus (`-1_0`) is nothing. */
  private negative(start: number): number {
    const end = this.number(start + 1);
    if (this.type === numberType) return end;
    this.reportUnknown(start, end);
    return this.token(unknownType, end);
  }

  private less(start: number): number {
    const { text } = this;
    if (text.charCodeAt(start + 1) !== Char.Minus) return this.unknown(start);
    let at = start + 2;
    const open = this.skipBlanks(at);
    if (text.charCodeAt(open) === Char.LSquare) {
      this.reportDirection(start, open + 1);
      this.isReversed = true;
      return this.token(edgeOpen, open + 1);
    }
    while (text.charCodeAt(at) === Char.Minus) at++;
    if (text.charCodeAt(at) === Char.Greater) at++;
    this.reportDirection(start, at);
    return this.bareArrow(start, at);
  }

  /** An arrow without brackets is read as an edge without a type, which the grammar reports. */
  private bareArrow(start: number, end: number): number {
    const { types, starts, ends } = this.tape;
    types[this.length] = edgeOpen;
    starts[this.length] = start;
    ends[this.length] = end;
    this.length++;
    return this.token(edgeClose, end);
  }

  private reportDirection(start: number, end: number): void {
    const found = `“${this.text.slice(start, end)}”`;
    this.report(diagnose('GG1007', { found }, this.span(start, end)));
  }

  private slash(start: number): number {
    const { text } = this;
    const next = text.charCodeAt(start + 1);
    if (next === Char.Slash) {
      const end = this.endOfLine(start);
      // Four slashes are a rule drawn across the page, not documentation.
      const isDoc = text.charCodeAt(start + 2) === Char.Slash && text.charCodeAt(start + 3) !== Char.Slash;
      this.type = 0;
      const comment: Comment = { kind: isDoc ? 'doc' : 'line', start, end };
      this.comments.push(comment);
      if (isDoc) this.docs.push({ comment, token: this.length });
      return end;
    }
    if (next !== Char.Star) return this.unknown(start);
    this.type = 0;
    const close = text.indexOf('*/', start + 2);
    const end = close === -1 ? text.length : close + 2;
    if (close === -1) this.report(diagnose('GG1004', {}, this.span(start, start + 2)));
    this.comments.push({ kind: 'block', start, end });
    return end;
  }

  /** Each foreign mark is reported once in a file; the other lines of its kind are passed over. */
  private foreignComment(start: number, mark: string): number {
    this.type = 0;
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
    this.type = 0;
    if (wideSpace.test(character)) return at + 1;
    return wideWord.test(character) ? this.brokenWord(at) : this.unknown(at);
  }

  /** A run of characters that mean nothing is one mistake. */
  private unknown(start: number): number {
    const { text } = this;
    let at = start;
    do at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
    while (at < text.length && this.isUnknownAt(at));
    this.reportUnknown(start, at);
    return this.token(unknownType, at);
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
    if (this.text[start] === '*' && this.lastType() === importType) {
      this.report(diagnose('GG1019', { found: '“*”' }, this.span(start, end)));
      return;
    }
    const found = `“${[...this.text.slice(start, Math.min(end, start + 20))].join('')}”`;
    this.report(diagnose('GG1003', { found }, this.span(start, end)));
  }

  private token(type: number, end: number): number {
    this.type = type;
    return end;
  }

  /** The type of the last token on the tape; 0 when there is none. */
  private lastType(): number {
    return this.length === 0 ? 0 : (this.tape.types[this.length - 1] as number);
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
