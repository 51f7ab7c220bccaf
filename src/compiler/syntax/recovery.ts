import {
  EarlyExitException,
  EmbeddedActionsParser,
  EOF,
  type IRecognitionException,
  isRecognitionException,
  NoViableAltException,
  type TokenType,
} from 'chevrotain';
import { type Diagnostic, diagnose } from '../../base/diagnostics/diagnostic.js';
import type { SourceFile } from '../../base/source/source-file.js';
import type { Span } from '../../base/source/span.js';
import { endOf, type Token } from './lexer.js';
import { expectedBy, type Lookahead, lookaheadOf } from './lookahead.js';
import * as T from './tokens.js';

interface Mismatch {
  /** The expected tokens, for a sentence: `“)”`, `a value`. */
  readonly expected: string;
  readonly token: Token;
  readonly previous: Token;
}

/**
 * Error recovery for the grammar. Chevrotain's own recovery resynchronizes on follow sets, which skips too
 * much in a language where properties and lines are the natural places to continue. So it is off: a
 * mismatch throws, and the grammar catches the exception at the nearest property or statement.
 */
export abstract class RecoveringParser extends EmbeddedActionsParser {
  protected file: SourceFile = { name: '', text: '' };
  /** The findings of the statements that were read. */
  protected readonly findings: Diagnostic[] = [];
  /** Lexical errors; a syntax error after one in the same statement is its consequence. */
  protected lexical: readonly Diagnostic[] = [];
  private readonly mismatches: Mismatch[] = [];

  /** @param skipValidations Whether Chevrotain's validation of the grammar is skipped; a test runs it. */
  constructor(skipValidations: boolean) {
    super(T.vocabulary, {
      recoveryEnabled: false,
      maxLookahead: 1,
      skipValidations,
      // The message of an exception names what was expected; `explain` makes the sentence.
      errorMessageProvider: {
        buildMismatchTokenMessage: ({ expected }) => expected.LABEL ?? expected.name,
        // `raiseNoAltException` and `raiseEarlyExitException` make these messages.
        buildNoViableAltMessage: String,
        buildEarlyExitMessage: String,
        // Never needed: the grammar reads every token.
        buildNotAllInputParsedMessage: String,
      },
    });
  }

  /** Takes the decisions of the rules from a table instead of recording and analysing the grammar at each start. */
  protected override performSelfAnalysis(): void {
    this.internals.selfAnalysisDone = true;
    this.internals.lookAheadFuncsCache = this.internals.definedRulesNames.map(lookaheadOf);
  }

  /** Chevrotain calls it where no alternative of `OR` matches. Its own needs the record of the grammar. */
  protected raiseNoAltException(occurrence: number): never {
    throw new NoViableAltException(this.describeDecision('OR', occurrence), this.LA(1), this.LA(0));
  }

  /** Chevrotain calls it where a repetition has no first item. `kind` is 2 for `AT_LEAST_ONE`, 3 with a separator. */
  protected raiseEarlyExitException(occurrence: number, kind: number): never {
    const method = kind === 2 ? 'AT_LEAST_ONE' : 'AT_LEAST_ONE_SEP';
    throw new EarlyExitException(this.describeDecision(method, occurrence), this.LA(1), this.LA(0));
  }

  private describeDecision(method: string, occurrence: number): string {
    const { definedRulesNames, currRuleShortName } = this.internals;
    const rule = definedRulesNames[currRuleShortName] as string;
    return describeChoice(expectedBy(rule, occurrence === 0 ? method : `${method}${occurrence}`));
  }

  private get internals(): ParserInternals {
    return this as unknown as ParserInternals;
  }

  /** Runs a part of the grammar. When it throws a mismatch, records it and returns false. */
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

  /** CONSUME for a sign that is repaired if it is missing or preceded by a surplus token. */
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

  /** Records a mismatch without throwing, at the next token unless given. */
  protected expected(expected: string, token = this.LA(1), previous = this.LA(0)): void {
    if (!this.RECORDING_PHASE) this.mismatches.push({ expected, token, previous });
  }

  protected find(diagnostic: Diagnostic): void {
    if (!this.RECORDING_PHASE) this.findings.push(diagnostic);
  }

  /** Reports the mismatches of a statement; `count` is the number of findings before it. */
  protected report(start: number, count: number): void {
    const isConsequence = (end: number) =>
      this.lexical.some(({ span, severity }) => severity === 'error' && span.start >= start && span.start <= end);
    const last = this.findings.at(-1);
    if (this.findings.length > count && last?.severity === 'error' && isConsequence(last.span.end)) {
      this.findings.length = count;
    }
    let before: Token | undefined;
    let hasBare = false;
    for (const mismatch of this.mismatches) {
      const { token, previous } = mismatch;
      // A mismatch directly after another one is the same mistake.
      const isRepeated = token === before || previous === before;
      const end = token.tokenType === EOF ? this.file.text.length : endOf(token);
      // Words without a value in one map are one mistake: `{ ACTIVE, SUSPENDED }`.
      const isBare = mismatch.expected === T.Colon.LABEL && behindBareWord.has(token.tokenType);
      if (!isRepeated && !(isBare && hasBare) && !isConsequence(end)) this.findings.push(this.explain(mismatch));
      hasBare ||= isBare;
      before = token;
    }
    this.mismatches.length = 0;
  }

  /** Drops the findings of a part of the grammar that was only tried. */
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
    // A bracket that is missing before a line break is reported at the end of its line, unless the next line
    // begins with a closing bracket: then the missing one belongs on that line too.
    const isMissed = expected.startsWith('“') && !closers.has(token.tokenType);
    const isOnNextLine = previous.tokenType !== EOF && this.breaksLine(previous, token);
    if (isAtEnd || (isMissed && isOnNextLine)) {
      const found = isAtEnd ? this.describeToken(token) : 'the end of the line';
      return diagnose('GG1001', { found, expected }, this.span(previousEnd, previousEnd));
    }
    return diagnose('GG1001', { found: this.describeToken(token), expected }, this.spanOf(token));
  }

  protected describeToken({ tokenType, image }: Token): string {
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

  protected skips(type: TokenType): boolean {
    if (this.RECORDING_PHASE || !this.isNext(type)) return false;
    this.SKIP_TOKEN();
    return true;
  }

  /** Skips to the bracket that closes the last one, or to a token that can only come after it. */
  protected skipBalanced(open: TokenType, close: TokenType): void {
    for (let depth = 0; !this.isAtEnd(); this.SKIP_TOKEN()) {
      if (this.isNext(open)) depth++;
      else if (this.isNext(close) && depth-- === 0) return;
      else if (open !== T.LParen && this.isNext(T.RParen)) return;
    }
  }

  /** Skips to the comma or bracket after a broken property. */
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

  /** Whether the next token can only come after the current map. */
  protected isPropertyEnd(): boolean {
    return behindMap.has(this.LA(1).tokenType);
  }

  /** Skips to the next possible start of a statement: a line that starts like one, or `(` directly after `)`. */
  protected skipStatement(first: Token): void {
    if (this.LA(1) === first) this.SKIP_TOKEN();
    while (!this.isAtEnd() && !this.isStatementStart()) this.SKIP_TOKEN();
  }

  private isStatementStart(): boolean {
    if (this.isNext(T.Import) || this.isNext(T.Export)) return true;
    if (this.isNext(T.LParen)) return this.isNext(T.RParen, 0) || this.isFirstOnLine();
    if (!this.isNext(T.Word) || !this.isFirstOnLine()) return false;
    return this.isNext(T.EdgeOpen, 2) || this.isNext(T.Dot, 2) || this.isNext(T.LParen, 2) || this.isForeignBlock();
  }

  protected isFirstOnLine(): boolean {
    return this.breaksLine(this.LA(0), this.LA(1));
  }

  protected breaksLine(previous: Token, token: Token): boolean {
    const start = previous.tokenType === EOF ? 0 : endOf(previous);
    const end = token.tokenType === EOF ? undefined : token.startOffset;
    return /[\n\r]/.test(this.file.text.slice(start, end));
  }

  /** Whether `word … {` comes next: the head of a block of another language. */
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

const behindBareWord = new Set<TokenType>([T.Comma, T.RCurly]);
const closers = new Set<TokenType>([T.RParen, T.RCurly, T.RSquare, T.EdgeClose]);
const behindMap = new Set<TokenType>([T.RParen, T.EdgeClose, T.EdgeOpen, T.LParen, EOF]);
const inHead = new Set<TokenType>([T.Word, T.StringLiteral, T.NumberLiteral]);

/** More words than this before a brace are prose, not the head of a block. */
const maxHeadTokens = 9;

/** The fields of Chevrotain's parser that its analysis fills. A rule has a number: its place among the names. */
interface ParserInternals {
  selfAnalysisDone: boolean;
  lookAheadFuncsCache: Lookahead[][];
  readonly definedRulesNames: readonly string[];
  readonly currRuleShortName: number;
}

/** Names the expected tokens if no alternative matches: the first tokens of the alternatives. */
function describeChoice(firsts: readonly TokenType[]): string {
  if (firsts.includes(T.StringLiteral)) return 'a value';
  if (firsts.includes(T.NumberLiteral)) return 'the name of a node';
  if (firsts.includes(T.Equals)) return T.Colon.LABEL as string;
  return 'a node';
}
