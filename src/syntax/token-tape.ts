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
 * Collects tokens into growing arrays. A writer is used for one source after the other: what it
 * wrote last is good until `begin`, so that parsing many small files does not churn through memory.
 */
export class TapeWriter {
  length = 0;
  private capacity = 0;
  private types = new Int32Array(0);
  private starts = new Int32Array(0);
  private ends = new Int32Array(0);

  /** Makes room for a source of `textLength` characters and forgets the last one. */
  begin(textLength: number): void {
    this.length = 0;
    const estimate = (textLength >> 2) + 16 + sentinels;
    // Room that a huge file needed is given back as soon as a file of ordinary size comes along.
    if (estimate > this.capacity || this.capacity > keptCapacity) this.resize(Math.max(estimate, 1024));
  }

  /** Adds a token. */
  push(type: number, start: number, end: number): void {
    const at = this.length++;
    if (at + sentinels >= this.capacity) this.grow();
    this.types[at] = type;
    this.starts[at] = start;
    this.ends[at] = end;
  }

  /** Lets the last token begin earlier; it becomes `otherwise` unless it is of the type `expected`. */
  widenLast(start: number, expected: number, otherwise: number): void {
    const at = this.length - 1;
    this.starts[at] = start;
    if (this.types[at] !== expected) this.types[at] = otherwise;
  }

  /** Whether the token before the last is of a type. */
  isAfter(type: number): boolean {
    return this.length > 1 && this.types[this.length - 2] === type;
  }

  /** The type index of the last token; end-of-file when there is none. */
  lastType(): number {
    return this.length === 0 ? endOfFile : (this.types[this.length - 1] as number);
  }

  /** Ends the tape: the sentinels stand at the end of the text. */
  finish(
    textLength: number,
    comments: readonly Comment[],
    docs: readonly DocComment[],
    diagnostics: readonly Diagnostic[],
  ): TokenTape {
    const { length, types, starts, ends } = this;
    types.fill(endOfFile, length, length + sentinels);
    starts.fill(textLength, length, length + sentinels);
    ends.fill(textLength, length, length + sentinels);
    return { length, types, starts, ends, comments, docs, diagnostics };
  }

  private grow(): void {
    const { types, starts, ends } = this;
    this.resize(this.capacity * 2);
    this.types.set(types);
    this.starts.set(starts);
    this.ends.set(ends);
  }

  private resize(capacity: number): void {
    this.capacity = capacity;
    this.types = new Int32Array(capacity);
    this.starts = new Int32Array(capacity);
    this.ends = new Int32Array(capacity);
  }
}

/** Arrays up to this many tokens (12 MB together) are kept for the next source. */
const keptCapacity = 1 << 20;
