import { concat, emptyLine, hardLine, type Layout, note } from './layout.js';

/** A comment between two tokens, and its position relative to line breaks. */
export interface PlacedComment {
  readonly kind: 'line' | 'block' | 'doc';
  /** The text with its marks, without trailing blanks; `\n` separates the lines of a block. */
  readonly text: string;
  readonly startsLine: boolean;
  readonly endsLine: boolean;
  /** Whether an empty line precedes it. */
  readonly isSpaced: boolean;
}

export type Comments = readonly PlacedComment[];

/** The comments before a token, and the line breaks between the last of them and the token. */
export interface Gap {
  readonly comments: Comments;
  /** Whether a line break directly precedes the token. */
  readonly startsLine: boolean;
  readonly isSpaced: boolean;
}

/** The comments between two items of a list. */
export interface BetweenItems {
  /** Must stay before the separator: after it, a doc comment would document the next item. */
  readonly kept: Comments;
  /** Block comments directly after the item, before its separator. */
  readonly close: Comments;
  readonly trailing: Comments;
  readonly leading: Comments;
}

/**
 * Decides which comments belong to the item before them and which to the item after.
 *
 * @param before - Comments before the separator; empty when there is none.
 * @param after - Comments after the separator.
 * @param next - Whether another item follows.
 */
export function divide(before: Comments, after: Comments, next: boolean): BetweenItems {
  if (before.length + after.length === 0) return nothing;
  // The separator after the last item depends on the line breaks, so it divides nothing.
  if (!next) return divideHere([], joined(before, after), []);
  const keptCount = before.findLastIndex(isDoc) + 1;
  const kept = before.slice(0, keptCount);
  const divided = divideHere(kept, before.slice(keptCount), after);
  const { trailing } = divided;
  // A block comment between two items on one line belongs to the second item.
  if (trailing.length === 0 || trailing.at(-1)?.endsLine) return divided;
  return { ...divided, trailing: [], leading: [...trailing, ...divided.leading] };
}

const none: readonly never[] = [];
const nothing: BetweenItems = { kept: none, close: none, trailing: none, leading: none };

function divideHere(kept: Comments, before: Comments, after: Comments): BetweenItems {
  let closeCount = 0;
  if (kept.length === 0) while (isClose(before[closeCount])) closeCount++;
  const others = joined(before.slice(closeCount), after, kept.at(-1));
  let trailingCount = 0;
  while (isBehind(others[trailingCount])) trailingCount++;
  return {
    kept,
    close: before.slice(0, closeCount),
    trailing: others.slice(0, trailingCount),
    leading: others.slice(trailingCount),
  };
}

/** Prints comments before their token: each on its own line, or a block comment on the token's line. */
export function printLeading(comments: Comments, token: Pick<Gap, 'isSpaced'>, keepsEmptyLines: boolean): Layout {
  if (comments.length === 0) return '';
  const parts: Layout[] = [];
  for (const [index, comment] of comments.entries()) {
    const { isSpaced } = comments[index + 1] ?? token;
    parts.push(printComment(comment));
    if (comment.kind === 'block' && !comment.endsLine) parts.push(' ');
    else parts.push(isSpaced && keepsEmptyLines ? emptyLine : hardLine);
  }
  return concat(parts);
}

/** Prints comments at the end of a line. A comment that ends its line in the source also ends it here. */
export function printTrailing(comments: Comments): Layout {
  if (comments.length === 0) return '';
  return concat(comments.flatMap((comment) => [' ', note(comment.text, comment.endsLine)]));
}

/**
 * Comments in unusual places, such as between a key and its colon: printed one after another on the same line.
 *
 * @param plain - The text to print if there are none.
 */
export function printInline(comments: Comments, plain = ''): Layout {
  if (comments.length === 0) return plain;
  const parts = comments.flatMap((comment) => [printComment(comment), comment.kind === 'block' ? ' ' : hardLine]);
  return concat([' ', ...parts]);
}

/** Prints a comment. A block whose lines all begin with a star is re-indented; any other is unchanged. */
export function printComment({ text }: PlacedComment): Layout {
  if (!text.includes('\n')) return text;
  const [first, ...others] = text.split('\n').map((part) => part.trim());
  if (!others.every((part) => part.startsWith('*'))) return note(text, true);
  return concat([first as string, ...others.flatMap((part) => [hardLine, ` ${part}`])]);
}

function isDoc({ kind }: PlacedComment): boolean {
  return kind === 'doc';
}

function isClose(comment: PlacedComment | undefined): boolean {
  return comment?.kind === 'block' && !comment.startsLine;
}

/** Whether a comment trails the item before it. A doc comment never does: it documents the next item. */
function isBehind(comment: PlacedComment | undefined): boolean {
  return comment !== undefined && comment.kind !== 'doc' && !comment.startsLine;
}

/** Joins the comments of both sides of a separator. After a line comment, the next one starts a line. */
function joined(before: Comments, after: Comments, earlier?: PlacedComment): Comments {
  const last = before.at(-1) ?? earlier;
  const [first, ...others] = after;
  if (first === undefined || last === undefined || last.kind === 'block') return [...before, ...after];
  return [...before, { ...first, startsLine: true }, ...others];
}
