import {
  EmbeddedActionsParser,
  EOF,
  type IRecognitionException,
  isRecognitionException,
  type TokenType,
} from 'chevrotain';
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js';
import type { SourceFile } from '../source/source-file.js';
import type { Span } from '../source/span.js';
import { endOf, type Token } from './lexer.js';
import * as T from './tokens.js';

/** A token that the grammar did not expect. */
interface Mismatch {
  /** What was expected, ready for a sentence: `“)”`, `a value`. */
  readonly expected: string;
  readonly token: Token;
  readonly previous: Token;
}

/**
 * Error recovery for the grammar. Chevrotain's own recovery resynchronizes on follow sets and skips too
 * much here: a property or a line is where this language begins anew. So it is off, a mismatch throws,
 * and the grammar catches the exception at the nearest property or statement.
 */
export abstract class RecoveringParser extends EmbeddedActionsParser {
  protected file: SourceFile = { name: '', text: '' };
  /** The findings of the statements that were read. */
  protected readonly findings: Diagnostic[] = [];
  /** Lexical mistakes; what the grammar finds behind one in the same statement is a consequence. */
  protected lexical: readonly Diagnostic[] = [];
  /** The mismatches of the statement at hand. */
  private readonly mismatches: Mismatch[] = [];

  /** @param skipValidations Whether the grammar is taken as valid; a test validates it. */
  constructor(skipValidations: boolean) {
    super(T.vocabulary, {
      recoveryEnabled: false,
      maxLookahead: 1,
      skipValidations,
      // The message of an exception is what was expected; the registry of diagnostics writes the sentence.
      errorMessageProvider: {
        buildMismatchTokenMessage: ({ expected }) => expected.LABEL ?? expected.name,
        buildNoViableAltMessage: ({ expectedPathsPerAlt }) =>
          describeChoice(expectedPathsPerAlt.flatMap((paths) => paths.map((path) => path[0]))),
        buildEarlyExitMessage: ({ expectedIterationPaths }) =>
          describeChoice(expectedIterationPaths.map((path) => path[0])),
        buildNotAllInputParsedMessage: () => '',
      },
    });
  }

  /** Runs a part of the grammar; false when it threw a mismatch, which is noted. */
  protected attempt(part: () => void): boolean {
    try {
      part();
      return true;
    } catch (error) {
      if (!isRecognitionException(error as Error)) throw error;
      const { message, token, previousToken } = error as IRecognitionException & { previousToken: Token };
      this.mismatches.push({ expected: message, token, previous: previousToken });
      return false;
    }
  }

  /** CONSUME for a sign that is repaired where it is missing or another token stands before it. */
  protected sign(index: number, type: TokenType, follows: ReadonlySet<TokenType>): void {
    if (!this.isMissing(type, follows)) this.consume(index, type);
  }

  /**
   * Looks for a sign. Where one of `follows` comes instead, the sign is reported as missing and taken as
   * written; a single wrong token before it is reported and skipped.
   */
  protected isMissing(type: TokenType, follows: ReadonlySet<TokenType>): boolean {
    const { tokenType } = this.LA(1);
    if (tokenType === type || this.RECORDING_PHASE) return false;
    const isMissing = follows.has(tokenType);
    if (isMissing || this.isNext(type, 2)) {
      this.expected(type.LABEL as string);
      if (!isMissing) this.SKIP_TOKEN();
    }
    return isMissing;
  }

  /** Notes a mismatch at a token that need not stop the grammar: the next one unless given. */
  protected expected(expected: string, token = this.LA(1), previous = this.LA(0)): void {
    if (!this.RECORDING_PHASE) this.mismatches.push({ expected, token, previous });
  }

  protected find(diagnostic: Diagnostic): void {
    if (!this.RECORDING_PHASE) this.findings.push(diagnostic);
  }

  /** Turns what was found in a statement into diagnostics; `count` is how many findings there were before it. */
  protected report(start: number, count: number): void {
    const isConsequence = (end: number) =>
      this.lexical.some(
        ({ span, severity }) => severity === 'error' && span.start >= start && span.start <= end,
      );
    const last = this.findings.at(-1);
    if (this.findings.length > count && last?.severity === 'error' && isConsequence(last.span.end)) {
      this.findings.length = count;
    }
    let before: Token | undefined;
    for (const mismatch of this.mismatches) {
      const { token, previous } = mismatch;
      // A mismatch right behind another one is the same mistake seen again.
      const isRepeated = token === before || previous === before;
      const end = token.tokenType === EOF ? this.file.text.length : endOf(token);
      if (!isRepeated && !isConsequence(end)) this.findings.push(this.explain(mismatch));
      before = token;
    }
    this.mismatches.length = 0;
  }

  /** Forgets what a part of the grammar that was only tried has found. */
  protected forget(count: number): void {
    this.findings.length = count;
    this.mismatches.length = 0;
  }

  protected get hasMismatches(): boolean {
    return this.mismatches.length > 0;
  }

  private explain({ expected, token, previous }: Mismatch): Diagnostic {
    const isAtEnd = token.tokenType === EOF;
    const previousEnd = previous.tokenType === EOF ? 0 : endOf(previous);
    // A bracket that is missing before a new line is missed at the end of the line that lacks it; but a
    // closing bracket on the new line shows that the one inside it was to stand there as well.
    const isMissed = expected.startsWith('“') && !closers.has(token.tokenType);
    const isOnNextLine = previous.tokenType !== EOF && this.breaksLine(previous, token);
    if (isAtEnd || (isMissed && isOnNextLine)) {
      const found = isAtEnd ? this.describe(token) : 'the end of the line';
      return diagnose('GG1001', { found, expected }, this.span(previousEnd, previousEnd));
    }
    return diagnose('GG1001', { found: this.describe(token), expected }, this.spanOf(token));
  }

  /** How a diagnostic names a token. */
  protected describe({ tokenType, image }: Token): string {
    if (tokenType === EOF) return 'the end of the file';
    return `“${image.length > 30 ? `${image.slice(0, 29)}…` : image}”`;
  }

  protected span(start: number, end: number): Span {
    return { file: this.file.name, start, end };
  }

  protected spanOf(token: Token): Span {
    return this.span(token.startOffset, endOf(token));
  }

  // Looking ahead and skipping.

  /** Whether the next token (or the one at that distance) is of a type. */
  protected isNext(type: TokenType, distance = 1): boolean {
    return this.LA(distance).tokenType === type;
  }

  protected isAtEnd(): boolean {
    return this.LA(1).tokenType === EOF;
  }

  /** Takes the next token, if it is of that type, without asking the grammar. */
  protected skips(type: TokenType): boolean {
    if (this.RECORDING_PHASE || !this.isNext(type)) return false;
    this.SKIP_TOKEN();
    return true;
  }

  /** Moves to the bracket that closes the one just read, or to where it can no longer come. */
  protected skipBalanced(open: TokenType, close: TokenType): void {
    for (let depth = 0; !this.isAtEnd(); this.SKIP_TOKEN()) {
      if (this.isNext(open)) depth++;
      else if (this.isNext(close) && depth-- === 0) return;
      else if (open !== T.LParen && this.isNext(T.RParen)) return;
    }
  }

  /** Moves to the comma or the bracket behind a broken property. */
  protected skipProperty(): void {
    while (!this.isNext(T.Comma) && !this.isNext(T.RCurly) && !this.isPropertyEnd()) {
      const isList = this.isNext(T.LSquare);
      const isMap = this.isNext(T.LCurly);
      this.SKIP_TOKEN();
      if (isList) this.skipBalanced(T.LSquare, T.RSquare);
      if (isMap) this.skipBalanced(T.LCurly, T.RCurly);
      if (isList) this.skips(T.RSquare);
      if (isMap) this.skips(T.RCurly);
    }
  }

  /** Whether the next token can only stand behind the map that is being read. */
  protected isPropertyEnd(): boolean {
    return behindMap.has(this.LA(1).tokenType);
  }

  /** Moves to where a statement can begin: a line that starts like one, or `(` right after `)`. */
  protected skipStatement(first: Token): void {
    if (this.LA(1) === first) this.SKIP_TOKEN();
    while (!this.isAtEnd() && !this.isStatementStart()) this.SKIP_TOKEN();
  }

  private isStatementStart(): boolean {
    if (this.isNext(T.Import) || this.isNext(T.Export)) return true;
    if (this.isNext(T.LParen)) return this.isNext(T.RParen, 0) || this.isFirstOnLine();
    if (!this.isNext(T.Word) || !this.isFirstOnLine()) return false;
    return (
      this.isNext(T.EdgeOpen, 2) || this.isNext(T.Dot, 2) || this.isNext(T.LParen, 2) || this.isForeignBlock()
    );
  }

  protected isFirstOnLine(): boolean {
    return this.breaksLine(this.LA(0), this.LA(1));
  }

  /** Whether a line break stands between two tokens. */
  protected breaksLine(previous: Token, token: Token): boolean {
    const start = previous.tokenType === EOF ? 0 : endOf(previous);
    const end = token.tokenType === EOF ? undefined : token.startOffset;
    return /[\n\r]/.test(this.file.text.slice(start, end));
  }

  /** `word … {`: the head of a block, which other languages have and this one has not. */
  protected isForeignBlock(): boolean {
    if (!this.isNext(T.Word)) return false;
    for (let distance = 2; distance <= maxHeadTokens; distance++) {
      const { tokenType } = this.LA(distance);
      if (tokenType === T.LCurly) return true;
      if (!inHead.has(tokenType)) return false;
    }
    return false;
  }
}

const closers = new Set<TokenType>([T.RParen, T.RCurly, T.RSquare, T.EdgeClose]);
const behindMap = new Set<TokenType>([T.RParen, T.EdgeClose, T.EdgeOpen, T.LParen, EOF]);
const inHead = new Set<TokenType>([T.Word, T.StringLiteral, T.NumberLiteral]);

/** More words than this before a brace are prose, not the head of a block. */
const maxHeadTokens = 9;

/** What is expected where none of several alternatives fits, told by the tokens that they begin with. */
function describeChoice(firsts: readonly (TokenType | undefined)[]): string {
  if (firsts.includes(T.StringLiteral)) return 'a value';
  if (firsts.includes(T.NumberLiteral)) return 'the name of a node';
  if (firsts.includes(T.Equals)) return T.Colon.LABEL as string;
  return 'a node';
}
