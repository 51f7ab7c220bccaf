import {
  type ConsumeMethodOpts,
  EmbeddedActionsParser,
  EOF,
  type IOrAlt,
  type IToken,
  type SubruleMethodOpts,
  type TokenType,
} from 'chevrotain';
import type { TokenTape } from './token-tape.js';
import { endOfFile, indexOf, vocabulary } from './tokens.js';

/**
 * A syntax error, as Chevrotain found it: what was expected, and which token stood there instead.
 */
export interface Mismatch {
  /** What was expected, ready for a sentence: `“)”`, `a value`. */
  readonly expected: string;
  /** The index of the token on the tape; the tape's length at the end of the input. */
  readonly token: number;
}

/**
 * Chevrotain's parser on a token tape. Chevrotain looks ahead through `LA` and `LA_FAST` and compares
 * nothing but `tokenTypeIdx`; so one token object for each type stands in for all tokens of the type,
 * and none is made while parsing. Where a token stands, a rule asks the tape.
 *
 * Architecture invariant: no rule reads anything off the token that `CONSUME` returns.
 */
export abstract class TapeParser extends EmbeddedActionsParser {
  /** What Chevrotain found wrong since the last `load`. */
  protected readonly syntaxErrors: Mismatch[] = [];
  /** The index of the token that was consumed last; -1 before the first. Chevrotain moves it. */
  declare protected currIdx: number;
  /** Where in its caller the next rule stands; Chevrotain's repairs look it up. */
  declare protected subruleIdx: number;
  private tape: TokenTape = emptyTape;
  /** The arrays of the tape: type, first and (exclusive) last offset of each token. */
  protected types: Int32Array = emptyTape.types;
  protected starts: Int32Array = emptyTape.starts;
  protected ends: Int32Array = emptyTape.ends;

  /** `describe` says what is expected where the next token begins none of the possible parts. */
  constructor(describe: (firsts: readonly (TokenType | undefined)[]) => string) {
    const found = { report: (_expected: string) => {} };
    super([...vocabulary], {
      recoveryEnabled: true,
      maxLookahead: 2,
      // Chevrotain asks for a message where it raises an error. What matters is noted here and then,
      // while the position is known; the sentence is made later, by the diagnostic registry.
      errorMessageProvider: {
        buildMismatchTokenMessage: ({ expected }) => {
          found.report(expected.LABEL ?? expected.name);
          return '';
        },
        buildNoViableAltMessage: ({ expectedPathsPerAlt }) => {
          found.report(describe(expectedPathsPerAlt.flatMap((paths) => paths.map((path) => path[0]))));
          return '';
        },
        // Neither happens: what repeats at least once is only begun when its first token is there, and
        // the input behind a statement is the next statement.
        buildEarlyExitMessage: noMessage,
        buildNotAllInputParsedMessage: noMessage,
      },
    });
    found.report = (expected) => {
      this.syntaxErrors.push({ expected, token: this.currIdx + 1 });
    };
    // A repetition that ends at an unexpected token leaves the repair to the rules of this grammar,
    // which know where a property or a statement ends; Chevrotain's guess would skip too much.
    Object.assign(this, { attemptInRepetitionRecovery: () => {} });
  }

  /** Takes a tape as the next input and forgets everything about the last one. */
  protected load(tape: TokenTape): void {
    this.reset();
    this.tape = tape;
    this.types = tape.types;
    this.starts = tape.starts;
    this.ends = tape.ends;
    this.syntaxErrors.length = 0;
  }

  /** The token types, `starts` and `ends` of the input. */
  protected get tokens(): TokenTape {
    return this.tape;
  }

  /** Where the token that was consumed last begins. */
  protected lastStart(): number {
    return this.starts[this.currIdx] as number;
  }

  /** Where the token that was consumed last ends. */
  protected lastEnd(): number {
    return this.currIdx < 0 ? 0 : (this.ends[this.currIdx] as number);
  }

  /** Where the next token begins. */
  protected nextStart(): number {
    return this.starts[this.currIdx + 1] as number;
  }

  /** Whether the next token (or the one `ahead` of it) is of a type. */
  protected isNext(type: TokenType, ahead = 0): boolean {
    return this.types[this.currIdx + 1 + ahead] === type.tokenTypeIdx;
  }

  /** Whether all tokens are consumed. */
  protected isAtEnd(): boolean {
    return this.types[this.currIdx + 1] === endOfFile;
  }

  /** Chevrotain's view of the token `howMuch` ahead; 0 is the one consumed last. */
  override LA_FAST(howMuch: number): IToken {
    return tokenOfType[this.types[this.currIdx + howMuch] as number] as IToken;
  }

  protected override LA(howMuch: number): IToken {
    const index = Math.max(0, Math.min(this.currIdx + howMuch, this.tape.length));
    return tokenOfType[this.types[index] as number] as IToken;
  }

  /**
   * `OPTION` for a part that can only begin with the token `first`: one comparison instead of a
   * computed look-ahead. While Chevrotain records the grammar, it is the `OPTION` it stands for.
   */
  protected maybe<Result>(index: number, first: TokenType, part: () => Result): Result | undefined {
    if (this.RECORDING_PHASE) return this.option(index, part);
    return this.isNext(first) ? part() : undefined;
  }

  /** `OPTION` of a single token; whether it was there. See `maybe`. */
  protected takes(index: number, type: TokenType): boolean {
    if (this.RECORDING_PHASE) this.option(index, () => this.consume(index, type));
    else if (this.isNext(type)) {
      this.currIdx++;
      return true;
    }
    return false;
  }

  /** `MANY` for a part that can only begin with the token `first`; see `maybe`. */
  protected several(index: number, first: TokenType, part: () => void): void {
    if (this.RECORDING_PHASE) this.many(index, part);
    else while (this.isNext(first)) part();
  }

  /** `AT_LEAST_ONE_SEP` with a second way to write the separator; see `maybe`. */
  protected separated(separator: TokenType, other: TokenType, part: () => void): void {
    if (this.RECORDING_PHASE) this.AT_LEAST_ONE_SEP({ SEP: separator, DEF: part });
    else for (part(); this.isNext(separator) || this.isNext(other); part()) this.currIdx++;
  }

  /** `OR` between parts that the first token tells apart; where none fits, Chevrotain reports it. */
  protected oneOf<Result>(index: number, choice: Choice<Result>): Result {
    const part = choice.byType[this.types[this.currIdx + 1] as number];
    return part === undefined || this.RECORDING_PHASE ? this.or(index, choice.alternatives) : part();
  }

  /** The token that is expected is taken here; Chevrotain sees to the others, and to their repair. */
  protected consumeInternal(type: TokenType, index: number, options?: ConsumeMethodOpts): IToken {
    if (this.types[this.currIdx + 1] !== type.tokenTypeIdx) {
      return chevrotain.consumeInternal.call(this, type, index, options);
    }
    this.currIdx++;
    return anyToken;
  }

  /** Chevrotain's own keeps a concrete syntax tree besides, which this parser does not build. */
  protected subruleInternal<Result>(
    rule: Rule<Result>,
    index: number,
    options?: SubruleMethodOpts<unknown[]>,
  ): Result {
    this.subruleIdx = index;
    return options?.ARGS === undefined ? rule.coreRule.call(this) : rule.coreRule.apply(this, options.ARGS);
  }

  /** Chevrotain moves on by one token when it repairs a rule. */
  protected override SKIP_TOKEN(): IToken {
    if (!this.isAtEnd()) this.currIdx++;
    return this.LA_FAST(1);
  }

  /** Only punctuation can be inserted: an invented name or value would say what nobody wrote. */
  protected override canTokenTypeBeInsertedInRecovery(type: TokenType): boolean {
    return type.PATTERN !== undefined && !['Word', 'StringLiteral', 'NumberLiteral'].includes(type.name);
  }

  /** A broken statement leaves the position where it broke; the caller decides where to go on. */
  moveToTerminatedState(): void {}

  /** Chevrotain pads its token vector here; a tape ends in sentinels already. */
  onBeforeParse(): void {}

  /** Chevrotain complains of input that is left here; a rule of this grammar is one statement. */
  onAfterParse(): void {}
}

/** Alternatives, as Chevrotain takes them, and by the type of the token that each begins with. */
export interface Choice<Result> {
  readonly alternatives: IOrAlt<Result>[];
  readonly byType: readonly ((() => Result) | undefined)[];
}

/** Makes a choice of parts, each with the token that it begins with. */
export function choice<Result>(...parts: readonly (readonly [TokenType, () => Result])[]): Choice<Result> {
  const byType: (() => Result)[] = [];
  for (const [first, part] of parts) byType[indexOf(first)] = part;
  return { alternatives: parts.map(([, part]) => ({ ALT: part })), byType };
}

const emptyTape: TokenTape = {
  length: 0,
  types: Int32Array.of(endOfFile, endOfFile, endOfFile, endOfFile),
  starts: new Int32Array(4),
  ends: new Int32Array(4),
  comments: [],
  docs: [],
  diagnostics: [],
};

const noMessage = () => '';

/** One token for each type, by its index. */
const tokenOfType: IToken[] = [];
for (const type of [...vocabulary, EOF]) {
  tokenOfType[indexOf(type)] = { image: '', startOffset: 0, tokenType: type, tokenTypeIdx: indexOf(type) };
}
const anyToken = tokenOfType[endOfFile] as IToken;

/** What Chevrotain makes of a rule, as far as it is used here; it is not among its declared types. */
interface Rule<Result> {
  readonly coreRule: (this: TapeParser, ...args: unknown[]) => Result;
}

/** Chevrotain's own `consumeInternal`, which is not among its declared types. */
const chevrotain = EmbeddedActionsParser.prototype as unknown as {
  consumeInternal(this: TapeParser, type: TokenType, index: number, options?: ConsumeMethodOpts): IToken;
};
