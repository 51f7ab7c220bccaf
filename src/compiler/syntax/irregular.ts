import type { IToken, TokenType } from 'chevrotain';
import { type Diagnostic, diagnose, writeInstead } from '../../base/diagnostics/diagnostic.js';
import type { SourceFile } from '../../base/source/source-file.js';
import type { Comment } from './ast.js';
import * as T from './tokens.js';

/** The maximum number of errors in one file; the rest of the file is not parsed. */
export const errorLimit = 100;

/** Turns `import` and `export` into keywords if they cannot be names. */
export function markKeywords(tokens: readonly IToken[]): void {
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as IToken;
    if (token.image !== 'import' && token.image !== 'export') continue;
    const type = keywordOf(token, tokens[index - 1], tokens[index + 1]);
    if (type === undefined) continue;
    token.tokenType = type;
    token.tokenTypeIdx = type.tokenTypeIdx as number;
  }
}

/**
 * Repairs a token list with irregular tokens: each is reported as an error and replaced by the token that
 * it resembles.
 */
export function repairTokens(
  source: SourceFile,
  regular: readonly IToken[],
  irregular: readonly IToken[],
  comments: readonly Comment[],
): { tokens: IToken[]; comments: readonly Comment[]; diagnostics: Diagnostic[] } {
  const repair = new Repair(source, [...comments]);
  const all = [...regular, ...irregular].sort((a, b) => a.startOffset - b.startOffset);
  for (const token of all) {
    repair.take(token);
    if (repair.diagnostics.length >= errorLimit) break;
  }
  markKeywords(repair.tokens);
  repair.comments.sort((a, b) => a.start - b.start);
  return { tokens: repair.tokens, comments: repair.comments, diagnostics: repair.diagnostics };
}

class Repair {
  readonly tokens: IToken[] = [];
  readonly diagnostics: Diagnostic[] = [];
  private readonly foreignMarks = new Set<string>();
  /** Tokens that begin before this offset are part of a longer token. */
  private taken = 0;
  /** Whether the beginning of the open edge was reported: its end is then not reported again. */
  private isReported = false;
  /** The last string without a closing quote. */
  private openString: IToken | undefined;

  constructor(
    private readonly source: SourceFile,
    readonly comments: Comment[],
  ) {}

  take(token: IToken): void {
    const { tokenType, startOffset: start, image } = token;
    const end = start + image.length;
    if (start < this.taken) return;
    if (edgeEnds.has(tokenType)) {
      if (!this.isReported && tokenType === T.HalfClose) this.reportDirection(start, end);
      if (!this.isReported && tokenType === T.WrongClose) this.reportForm(']->', start, end);
      this.isReported = false;
      this.push(T.EdgeClose, start, end);
    } else if (tokenType === T.ReverseOpen || tokenType === T.WrongOpen) {
      if (tokenType === T.ReverseOpen) this.reportDirection(start, end);
      else this.reportForm('-[', start, end);
      this.isReported = true;
      this.push(T.EdgeOpen, start, end);
    } else if (tokenType === T.FatArrow) this.fatArrow(start, end);
    else if (tokenType === T.BareArrow) {
      // An arrow without brackets is read as an edge without a type, which the parser reports.
      if (!/^-+>$/.test(image)) this.reportDirection(start, end);
      this.push(T.EdgeOpen, start, end);
      this.push(T.EdgeClose, start, end);
    } else if (tokenType === T.ForeignComment) this.foreignComment(/^(?:#|<!--|--)/.exec(image)?.[0] ?? '', start, end);
    else if (tokenType === T.OpenComment) {
      this.diagnostics.push(diagnose('GG1004', {}, this.span(start, start + 2)));
      this.comments.push({ kind: 'block', start, end });
    } else if (tokenType === T.OpenString) this.unclosedString(token);
    else if (tokenType === T.HyphenTail || tokenType === T.Unknown) this.unknown(start);
    else {
      // Where a line begins with a parenthesis, a statement begins: what was left open before it concerns it no more.
      if (tokenType === T.LParen && this.isFirstOfLine(start)) {
        this.isReported = false;
        this.openString = undefined;
      }
      this.tokens.push(token);
    }
  }

  private isFirstOfLine(start: number): boolean {
    return start === 0 || /[\n\r]/.test(this.source.text[start - 1] as string);
  }

  /** A quote where no value can begin closes the string that the statement left open on a line above. */
  private unclosedString(token: IToken): void {
    const { startOffset: start, image } = token;
    const last = this.tokens.at(-1);
    const isClosing =
      this.openString?.image[0] === image[0] && (last === undefined || !beforeString.has(last.tokenType));
    this.openString = isClosing ? undefined : token;
    if (!isClosing) {
      const span = this.span(start, start + image.length);
      this.diagnostics.push(diagnose('GG1002', { quote: image[0] as string }, span));
    }
    this.push(T.StringLiteral, start, start + image.length);
  }

  /** Reads `=>` between nodes as an edge without a type, and behind a key as its colon. */
  private fatArrow(start: number, end: number): void {
    const isEdge = this.tokens.at(-1)?.tokenType === T.RParen;
    this.reportForm(isEdge ? '-[:TYPE]->' : ':', start, end);
    if (isEdge) {
      this.push(T.EdgeOpen, start, end);
      this.push(T.EdgeClose, start, end);
    } else this.push(T.Equals, start, end);
  }

  /** Reads a name with a hyphen or non-ASCII letters, or a run of characters that no token contains. */
  private unknown(at: number): void {
    const { text } = this.source;
    const last = this.tokens.at(-1);
    const isTail = last?.tokenType === T.Word && last.startOffset + last.image.length === at;
    const start = isTail ? last.startOffset : at;
    const name = matchAt(nameForm, text, start);
    if (name.length > (isTail ? last.image.length : 0)) {
      if (isTail) this.tokens.pop();
      this.brokenName(name, start);
    } else if (!this.foreignType(at) && !this.foreignQuotes(at)) {
      this.strange(matchAt(strangeForm, text, at), at);
    }
  }

  /** Reads `String?` as the type without the mark, and `Array<String>` as a list type. */
  private foreignType(at: number): boolean {
    const last = this.tokens.at(-1);
    if (last === undefined || !typeEnds.has(last.tokenType)) return false;
    if (this.source.text[at] === '?') {
      const span = this.span(at, at + 1);
      const fix = { description: 'Remove the “?”', edits: [{ span, text: '' }] };
      this.diagnostics.push(diagnose('GG1022', {}, span, { fix }));
      this.taken = at + 1;
      return true;
    }
    const generic = last.tokenType === T.Word ? matchAt(genericForm, this.source.text, at) : '';
    if (generic === '') return false;
    const list = generic.replace(/\s/g, '').replace('<', '[').replace('>', ']');
    const span = this.span(last.startOffset, at + generic.length);
    this.diagnostics.push(diagnose('GG1023', { found: last.image + generic, list }, span, writeInstead(list, span)));
    this.taken = span.end;
    return true;
  }

  /** Reads text in typographic quotes or backticks as a string. */
  private foreignQuotes(at: number): boolean {
    const quoted = matchAt(quotedForm, this.source.text, at);
    if (quoted === '') return false;
    const span = this.span(at, at + quoted.length);
    const fix = writeInstead(`'${quoted.slice(1, -1)}'`, span);
    this.diagnostics.push(diagnose('GG1024', { found: `${quoted[0]}…${quoted.at(-1)}` }, span, fix));
    this.push(T.StringLiteral, at, at + quoted.length);
    return true;
  }

  private brokenName(name: string, start: number): void {
    const end = start + name.length;
    const suggestion = name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/[^A-Za-z0-9_]/g, '_');
    const span = this.span(start, end);
    const fix = { description: `Rename to ${suggestion}`, edits: [{ span, text: suggestion }] };
    this.diagnostics.push(diagnose('GG1016', { name, suggestion }, span, { fix }));
    this.push(T.Word, start, end);
  }

  private strange(characters: string, start: number): void {
    const end = start + characters.length;
    this.push(T.Unknown, start, end);
    const word = this.tokens.at(-2);
    const isImported = word !== undefined && keywordOf(word, this.tokens.at(-3), this.tokens.at(-1)) === T.Import;
    const found = `“${characters.slice(0, 20)}”`;
    const span = this.span(start, end);
    this.diagnostics.push(
      isImported ? diagnose('GG1019', { found: '“*”' }, span) : diagnose('GG1003', { found }, span),
    );
  }

  /** Each mark is reported once in a file. */
  private foreignComment(mark: string, start: number, end: number): void {
    if (!this.foreignMarks.has(mark)) {
      this.foreignMarks.add(mark);
      this.diagnostics.push(diagnose('GG1014', { mark }, this.span(start, end)));
    }
    this.comments.push({ kind: 'line', start, end });
  }

  private reportDirection(start: number, end: number): void {
    const found = `“${this.source.text.slice(start, end)}”`;
    this.diagnostics.push(diagnose('GG1007', { found }, this.span(start, end)));
  }

  private reportForm(expected: string, start: number, end: number): void {
    const found = this.source.text.slice(start, end);
    const span = this.span(start, end);
    // The author must choose the type, and find the parenthesis that closes the edge.
    const isSafe = expected !== '-[:TYPE]->' && !found.endsWith('(');
    this.diagnostics.push(diagnose('GG1021', { found, expected }, span, isSafe ? writeInstead(expected, span) : {}));
  }

  private push(tokenType: TokenType, startOffset: number, end: number): void {
    const image = this.source.text.slice(startOffset, end);
    this.tokens.push({ image, startOffset, tokenTypeIdx: tokenType.tokenTypeIdx as number, tokenType });
    this.taken = end;
  }

  private span(start: number, end: number) {
    return { file: this.source.name, start, end };
  }
}

/** The keyword type of a word in its context; undefined for a name. */
function keywordOf({ image }: IToken, previous?: IToken, next?: IToken): TokenType | undefined {
  if (next === undefined || (previous !== undefined && noKeywordAfter.has(previous.tokenType))) {
    return undefined;
  }
  const isList = next.tokenType === T.LCurly;
  if (image === 'export') return isList ? T.Export : undefined;
  if (image !== 'import') return undefined;
  return isList || next.tokenType === T.StringLiteral || next.image.startsWith('*') ? T.Import : undefined;
}

/** After these tokens a word is a node, a key or a label. */
const noKeywordAfter = new Set<TokenType>([
  T.LParen,
  T.Pipe,
  T.Comma,
  T.LCurly,
  T.Colon,
  T.Dot,
  T.EdgeOpen,
  T.LSquare,
  T.Equals,
]);

const edgeEnds = new Set<TokenType>([T.EdgeClose, T.HalfClose, T.WrongClose]);

/** After these tokens a string can begin. */
const beforeString = new Set<TokenType>([T.Colon, T.Equals, T.Comma, T.LSquare, T.Import]);
/** With these tokens a type can end. */
const typeEnds = new Set<TokenType>([T.Word, T.Bang, T.RSquare]);

const nameForm = /[\p{L}\p{M}\p{N}_](?:[\p{L}\p{M}\p{N}_]|-(?=\w))*/uy;
/** Its first character may be one that begins a token together with another character. */
const strangeForm = /.(?:(?![\p{L}\p{M}\p{N}_\s\u0085(){}[\]:,|=!.;'"#/<-]).)*/suy;

/** `<String>`, after the name of a generic type. */
const genericForm = /[\t ]*<[\t ]*\w+[\t ]*!?[\t ]*>!?/y;
/** Text in typographic quotes or backticks, on one line. */
const quotedForm = /[‘’“”„«»`´][^\n\r‘’“”„«»`´'"]*[‘’“”„«»`´]/uy;

function matchAt(form: RegExp, text: string, start: number): string {
  form.lastIndex = start;
  return form.exec(text)?.[0] ?? '';
}
