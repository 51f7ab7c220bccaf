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

/** Collects tokens into growing arrays. */
export class TapeWriter {
  length = 0;
  private capacity: number;
  private types: Int32Array;
  private starts: Int32Array;
  private ends: Int32Array;

  /** `textLength` is the length of the source, from which the number of tokens is estimated. */
  constructor(textLength: number) {
    this.capacity = (textLength >> 2) + 16 + sentinels;
    this.types = new Int32Array(this.capacity);
    this.starts = new Int32Array(this.capacity);
    this.ends = new Int32Array(this.capacity);
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
    this.capacity *= 2;
    this.types = enlarged(this.types, this.capacity);
    this.starts = enlarged(this.starts, this.capacity);
    this.ends = enlarged(this.ends, this.capacity);
  }
}

function enlarged(array: Int32Array, capacity: number): Int32Array {
  const larger = new Int32Array(capacity);
  larger.set(array);
  return larger;
}
