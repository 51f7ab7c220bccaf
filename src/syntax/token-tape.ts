import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { Comment } from './ast.js';
import { endOfFile } from './tokens.js';

/**
 * The tokens of one source as three parallel arrays of numbers. A tape holds no object per token,
 * which is what makes the parser fast: it reads offsets and makes objects for the tree alone.
 */
export interface TokenTape {
  /** How many tokens there are; the arrays hold `sentinels` more, all end-of-file. */
  readonly length: number;
  /** The Chevrotain type index of each token. */
  readonly types: Int32Array;
  /** Where each token begins. */
  readonly starts: Int32Array;
  /** Where each token ends (exclusive). */
  readonly ends: Int32Array;
  /** All comments, in order. */
  readonly comments: readonly Comment[];
  /** The doc comments among them, each with the index of the token that follows it. */
  readonly docs: readonly DocComment[];
  /** What the scanner has to say. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A doc comment and the token it stands before. */
export interface DocComment {
  readonly comment: Comment;
  readonly token: number;
}

/** How many end-of-file entries stand behind the last token, so that looking ahead needs no check. */
export const sentinels = 4;

/**
 * The arrays of a tape, kept from one source to the next, so that parsing many small files does not
 * churn through memory. What was written for one source is good until `makeRoom` is called again.
 */
export class TapeBuffer {
  types = new Int32Array(0);
  starts = new Int32Array(0);
  ends = new Int32Array(0);

  /** Makes room for the tokens that a source of `textLength` characters can be expected to have. */
  makeRoom(textLength: number): void {
    const expected = Math.max(textLength >> 2, 1024) + reserve;
    // Room that a huge file needed is given back as soon as a file of ordinary size comes along.
    if (expected > this.types.length || this.types.length > keptLength) this.allocate(expected);
  }

  /** Doubles the room, for a source of unusually short tokens, and keeps what is written. */
  grow(): void {
    const { types, starts, ends } = this;
    this.allocate(types.length * 2);
    this.types.set(types);
    this.starts.set(starts);
    this.ends.set(ends);
  }

  /** Ends the tape after `length` tokens: the sentinels stand at the end of the text. */
  finish(length: number, textLength: number): void {
    this.types.fill(endOfFile, length, length + sentinels);
    this.starts.fill(textLength, length, length + sentinels);
    this.ends.fill(textLength, length, length + sentinels);
  }

  private allocate(length: number): void {
    this.types = new Int32Array(length);
    this.starts = new Int32Array(length);
    this.ends = new Int32Array(length);
  }
}

/** What must be free behind the last token: for one that comes as two, and for the sentinels. */
export const reserve = sentinels + 2;

/** Arrays up to this length (12 MB together) are kept for the next source. */
const keptLength = 1 << 20;
