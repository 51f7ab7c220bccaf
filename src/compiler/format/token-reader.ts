import type { SourceFile } from '../../base/source/source-file.js';
import type { Comment } from '../syntax/ast.js';
import { endOf, type Token, tokenize } from '../syntax/lexer.js';
import type { Gap, PlacedComment } from './comments.js';

/** Reads the tokens and comments of a valid source. Ask for a token's comments before taking the token. */
export class TokenReader {
  private readonly tokens: readonly Token[];
  private readonly comments: readonly Comment[];
  private at = 0;
  private nextComment = 0;

  constructor(private readonly source: SourceFile) {
    ({ tokens: this.tokens, comments: this.comments } = tokenize(source));
  }

  get isAtEnd(): boolean {
    return this.at >= this.tokens.length;
  }

  /** Whether the next token (or the one `ahead` of it) is of a type. */
  isNext(type: TokenType, ahead = 0): boolean {
    return this.tokens[this.at + ahead]?.tokenType === type;
  }

  /** Whether there are comments before the next token (or before the one `ahead` of it). */
  hasComments(ahead = 0): boolean {
    const comment = this.comments[this.nextComment];
    return comment !== undefined && comment.start < this.startOf(this.at + ahead);
  }

  /** The comments before the next token. Each comment is returned once. */
  gap(): Gap {
    const start = this.startOf(this.at);
    const end = this.at === 0 ? 0 : endOf(this.tokens[this.at - 1] as Token);
    if (this.hasComments()) return this.gapWithComments(start, end);
    const breaks = this.breaksBetween(end, start);
    return breaks > 1 ? emptyLineGap : breaks > 0 ? newLineGap : sameLineGap;
  }

  private gapWithComments(start: number, from: number): Gap {
    const placed: PlacedComment[] = [];
    let breaks = this.breaksBetween(from, this.commentStart());
    // A comment at the beginning of the file starts a line.
    if (this.at === 0) breaks = Math.max(breaks, 1);
    while (this.hasComments()) {
      const comment = this.comments[this.nextComment++] as Comment;
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

  take(type: TokenType): string {
    if (!this.isNext(type)) throw new Error(`invariant: expected ${type.name} at token ${this.at}`);
    if (this.hasComments()) throw new Error(`invariant: comments before token ${this.at} were not printed`);
    return (this.tokens[this.at++] as Token).image;
  }

  /** The offset of a token; after the last one, the end of the text. */
  private startOf(index: number): number {
    return this.tokens[index]?.startOffset ?? this.source.text.length;
  }

  private commentStart(): number {
    return (this.comments[this.nextComment] as Comment).start;
  }

  private commentText({ start, end }: Comment): string {
    return this.source.text.slice(start, end).trimEnd().replace(/\r\n?/g, '\n');
  }

  /** The number of line breaks between two offsets: 0, 1, or 2 for more than one. */
  private breaksBetween(start: number, end: number): number {
    let breaks = 0;
    for (let at = start; at < end && breaks < 2; at++) {
      const code = this.source.text.charCodeAt(at);
      if (code === lineFeed || (code === carriageReturn && this.source.text.charCodeAt(at + 1) !== lineFeed)) {
        breaks++;
      }
    }
    return breaks;
  }
}

export type TokenType = Token['tokenType'];

const sameLineGap: Gap = { comments: [], startsLine: false, isSpaced: false };
const newLineGap: Gap = { comments: [], startsLine: true, isSpaced: false };
const emptyLineGap: Gap = { comments: [], startsLine: true, isSpaced: true };

const lineFeed = 10;
const carriageReturn = 13;
