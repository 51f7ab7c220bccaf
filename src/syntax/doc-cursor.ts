import type { Comment } from './ast.js';
import type { DocComment } from './token-tape.js';

/** Hands out the doc comments of a source, token by token from the first to the last. */
export class DocCursor {
  private index: number;
  /** The token that the next doc comment stands before. */
  private token: number;

  /** Begins at a token; what stands before earlier ones is left out. */
  constructor(
    private readonly text: string,
    private readonly docs: readonly DocComment[],
    first: number,
  ) {
    this.index = first === 0 ? 0 : firstFrom(docs, first);
    this.token = docs[this.index]?.token ?? noToken;
  }

  /** The text of the doc comments directly before a token, which is not before one that was asked for. */
  before(token: number): string | undefined {
    return token < this.token ? undefined : this.take(token);
  }

  /** Passes over the comments up to a token and returns the text of those that stand right before it. */
  private take(token: number): string | undefined {
    const lines: string[] = [];
    while (this.token <= token) {
      const { comment } = this.docs[this.index++] as DocComment;
      if (this.token === token) lines.push(docLine(this.text, comment));
      this.token = this.docs[this.index]?.token ?? noToken;
    }
    return lines.length === 0 ? undefined : lines.join('\n');
  }
}

/** The index of the first comment that stands before `token` or a later one. */
function firstFrom(docs: readonly DocComment[], token: number): number {
  let low = 0;
  let high = docs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((docs[middle] as DocComment).token < token) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A line of documentation without its slashes and the one space after them. */
function docLine(text: string, { start, end }: Comment): string {
  const line = text.slice(start + 3, end).trimEnd();
  return line.startsWith(' ') ? line.slice(1) : line;
}

/** Greater than the index of any token. */
const noToken = Number.MAX_SAFE_INTEGER;
