import type { SourceFile } from '../source/source-file.js';
import type { Comment } from '../syntax/ast.js';
import { scan } from '../syntax/scan.js';
import { TapeBuffer, type TokenTape } from '../syntax/token-tape.js';
import { indexOf } from '../syntax/tokens.js';
import type { Gap, PlacedComment } from './comments.js';

/**
 * Goes through the tokens of a source that has no syntax errors, and through the comments between them.
 * The comments before a token must be asked for before it is taken, so that none is ever lost.
 */
export class TokenReader {
  private readonly text: string;
  private readonly tape: TokenTape;
  private at = 0;
  private nextComment = 0;

  constructor(source: SourceFile) {
    this.text = source.text;
    this.tape = scan(source, new TapeBuffer());
  }

  get isAtEnd(): boolean {
    return this.at >= this.tape.length;
  }

  /** Whether the next token (or the one `ahead` of it) is of a type. */
  isNext(type: TokenType, ahead = 0): boolean {
    return this.tape.types[this.at + ahead] === indexOf(type);
  }

  /** Whether comments stand before the next token (or before the one `ahead` of it). */
  hasComments(ahead = 0): boolean {
    const comment = this.tape.comments[this.nextComment];
    return comment !== undefined && comment.start < (this.tape.starts[this.at + ahead] as number);
  }

  /** The comments before the next token. They are given once. */
  gap(): Gap {
    const start = this.tape.starts[this.at] as number;
    const end = this.at === 0 ? 0 : (this.tape.ends[this.at - 1] as number);
    if (this.hasComments()) return this.gapWithComments(start, end);
    const breaks = this.breaksBetween(end, start);
    return breaks > 1 ? emptyLineGap : breaks > 0 ? newLineGap : sameLineGap;
  }

  private gapWithComments(start: number, from: number): Gap {
    const placed: PlacedComment[] = [];
    let breaks = this.breaksBetween(from, this.commentStart());
    // The beginning of a file begins a line.
    if (this.at === 0) breaks = Math.max(breaks, 1);
    while (this.hasComments()) {
      const comment = this.tape.comments[this.nextComment++] as Comment;
      const behind = this.breaksBetween(comment.end, this.hasComments() ? this.commentStart() : start);
      const isLast = this.isAtEnd && !this.hasComments();
      placed.push({
        kind: comment.kind,
        text: this.commentText(comment),
        startsLine: breaks > 0,
        endsLine: behind > 0 || isLast,
        isSpaced: breaks > 1,
      });
      breaks = behind;
    }
    return { comments: placed, startsLine: breaks > 0, isSpaced: breaks > 1 };
  }

  /** Takes the next token, which is of the type given, and returns its text. */
  take(type: TokenType): string {
    if (!this.isNext(type)) throw new Error(`invariant: ${type.name} was to come, at token ${this.at}`);
    if (this.hasComments()) throw new Error(`invariant: a comment before token ${this.at} was not printed`);
    const text = this.text.slice(this.tape.starts[this.at], this.tape.ends[this.at]);
    this.at++;
    return text;
  }

  private commentStart(): number {
    return (this.tape.comments[this.nextComment] as Comment).start;
  }

  private commentText({ start, end }: Comment): string {
    return this.text.slice(start, end).trimEnd().replace(/\r\n?/g, '\n');
  }

  /** The number of line breaks between two offsets, as far as it matters: 0, 1, or more. */
  private breaksBetween(start: number, end: number): number {
    let breaks = 0;
    for (let at = start; at < end && breaks < 2; at++) {
      const code = this.text.charCodeAt(at);
      if (code === lineFeed || (code === carriageReturn && this.text.charCodeAt(at + 1) !== lineFeed)) {
        breaks++;
      }
    }
    return breaks;
  }
}

/** A token type of the language. */
export type TokenType = Parameters<typeof indexOf>[0];

const sameLineGap: Gap = { comments: [], startsLine: false, isSpaced: false };
const newLineGap: Gap = { comments: [], startsLine: true, isSpaced: false };
const emptyLineGap: Gap = { comments: [], startsLine: true, isSpaced: true };

const lineFeed = 10;
const carriageReturn = 13;
