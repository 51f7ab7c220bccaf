import { EmbeddedActionsParser, type IToken, type TokenType } from 'chevrotain';
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
 * Chevrotain's parser on a token tape. Chevrotain asks for tokens through `LA`, `LA_FAST` and
 * `consumeToken` and compares nothing but `tokenTypeIdx`; so a handful of token objects, refilled as
 * the parser moves on, stand in for the vector of objects that its own lexer would make.
 *
 * Architecture invariant: a token that a grammar rule gets is only good until the next DSL call.
 * A rule reads the offsets it needs at once and never keeps a token.
 */
export abstract class TapeParser extends EmbeddedActionsParser {
  /** What Chevrotain found wrong since the last `load`. */
  protected readonly syntaxErrors: Mismatch[] = [];
  /** The index of the token that was consumed last; -1 before the first. Chevrotain moves it. */
  declare protected currIdx: number;
  private tape: TokenTape = emptyTape;
  private readonly ring: TapeToken[] = [new TapeToken(), new TapeToken(), new TapeToken(), new TapeToken()];

  constructor(ruleNames: ReadonlyMap<string, string>) {
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
        buildNoViableAltMessage: ({ ruleName }) => {
          found.report(ruleNames.get(ruleName) ?? ruleName);
          return '';
        },
        buildEarlyExitMessage: ({ ruleName }) => {
          found.report(ruleNames.get(ruleName) ?? ruleName);
          return '';
        },
        buildNotAllInputParsedMessage: () => '',
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
    this.syntaxErrors.length = 0;
    for (const token of this.ring) token.index = -2;
  }

  /** The token types, `starts` and `ends` of the input. */
  protected get tokens(): TokenTape {
    return this.tape;
  }

  /** Where the token that was consumed last ends. */
  protected previousEnd(): number {
    return this.currIdx < 0 ? 0 : (this.tape.ends[this.currIdx] as number);
  }

  /** Where the next token begins. */
  protected nextStart(): number {
    return this.tape.starts[this.currIdx + 1] as number;
  }

  /** Whether the next token (or the one `ahead` of it) is of a type. */
  protected isNext(type: TokenType, ahead = 0): boolean {
    return this.tape.types[this.currIdx + 1 + ahead] === indexOf(type);
  }

  /** Whether all tokens are consumed. */
  protected isAtEnd(): boolean {
    return this.tape.types[this.currIdx + 1] === endOfFile;
  }

  /** Chevrotain's view of the token `howMuch` ahead; 0 is the one consumed last. */
  override LA_FAST(howMuch: number): IToken {
    const index = this.currIdx + howMuch;
    const token = this.ring[index & 3] as TapeToken;
    if (token.index !== index) token.fill(this.tape, index);
    return token;
  }

  protected override LA(howMuch: number): IToken {
    const index = Math.max(0, Math.min(this.currIdx + howMuch, this.tape.length));
    return this.LA_FAST(index - this.currIdx);
  }

  /** Chevrotain moves on by one token when it repairs a rule. */
  protected override SKIP_TOKEN(): IToken {
    if (!this.isAtEnd()) this.currIdx++;
    return this.LA_FAST(1);
  }

  /** A token that Chevrotain inserts in a repair is empty and stands where the last one ended. */
  protected override getTokenToInsert(type: TokenType): IToken {
    const token = new TapeToken();
    token.tokenType = type;
    token.tokenTypeIdx = indexOf(type);
    token.startOffset = this.previousEnd();
    token.endOffset = token.startOffset;
    return token;
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

const emptyTape: TokenTape = {
  length: 0,
  types: Int32Array.of(endOfFile, endOfFile, endOfFile, endOfFile),
  starts: new Int32Array(4),
  ends: new Int32Array(4),
  comments: [],
  docs: [],
  diagnostics: [],
};

/** The part of Chevrotain's token that its parser looks at. */
class TapeToken implements IToken {
  index = -2;
  tokenTypeIdx = endOfFile;
  startOffset = 0;
  /** Exclusive, unlike Chevrotain's own; only this grammar reads it. */
  endOffset = 0;
  image = '';
  declare tokenType: TokenType;

  fill(tape: TokenTape, index: number): void {
    this.index = index;
    this.tokenTypeIdx = tape.types[index] as number;
    this.startOffset = tape.starts[index] as number;
    this.endOffset = tape.ends[index] as number;
  }
}
