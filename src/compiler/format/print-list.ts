import * as T from '../syntax/tokens.js';
import {
  type BetweenItems,
  type Comments,
  divide,
  printComment,
  printInline,
  printLeading,
  printTrailing,
} from './comments.js';
import {
  concat,
  emptyLine,
  group,
  hardLine,
  indent,
  type Layout,
  line,
  softLine,
  spacedLine,
  whenBroken,
} from './layout.js';
import type { TokenReader, TokenType } from './token-reader.js';

interface ListForm {
  readonly open: TokenType;
  readonly close: TokenType;
  /** Printed inside the brackets when the list is on one line. */
  readonly edge: typeof line;
}

/** `{ key: value }` of nodes and edges, and the names of imports and exports. */
export const braces: ListForm = { open: T.LCurly, close: T.RCurly, edge: line };

export const brackets: ListForm = { open: T.LSquare, close: T.RSquare, edge: softLine };

/** `(a | b)`, and the arguments of a field. */
export const parentheses: ListForm = { open: T.LParen, close: T.RParen, edge: softLine };

interface Item {
  readonly content: Layout;
  readonly leading: Comments;
  readonly isSpaced: boolean;
  readonly behind: BetweenItems;
}

type ReadList = ReturnType<typeof readList>;

/** Prints a list with commas: on one line, or one item per line with a comma after each. */
export function printCommaList(reader: TokenReader, form: ListForm, item: () => Layout): Layout {
  const list = readList(reader, form, item);
  const { items, signs, opening, dangling } = list;
  const parts = items.map(({ content, leading, isSpaced, behind }, index) => {
    const isLast = index === items.length - 1;
    const { isSpaced: leavesEmpty } = leading[0] ?? { isSpaced };
    const comma = isLast ? whenBroken(',') : ',';
    return concat([
      index === 0 ? form.edge : leavesEmpty ? spacedLine : line,
      printLeading(leading, { isSpaced }, true),
      content,
      printInline(behind.kept),
      printTrailing(behind.close),
      comma,
      printTrailing(behind.trailing),
    ]);
  });
  if (items.length + opening.length + dangling.length === 0) return signs.join('');
  return enclose(list, parts, form.edge);
}

/** Prints a list with pipes: on one line, or one item per line with a pipe before each but the first. */
export function printPipeList(reader: TokenReader, item: () => Layout): Layout {
  const list = readList(reader, parentheses, item);
  const { items, opening, dangling } = list;
  const [only, ...others] = items;
  const isAlone = others.length === 0;
  const isBare = opening.length + dangling.length === 0;
  if (only !== undefined && isAlone && isBare && isLonely(only)) return concat(['(', only.content, ')']);
  const parts = items.map(({ content, leading, isSpaced, behind }, index) => {
    const pipeAt = index === 0 ? 0 : beforePipe(leading);
    const body = [
      printLeading(leading.slice(pipeAt), { isSpaced }, false),
      content,
      printInline(behind.kept),
      printTrailing(behind.close),
      printTrailing(behind.trailing),
    ];
    if (isAlone) return concat([softLine, ...body]);
    // The first item is aligned with the items after the pipes.
    const pipe = index === 0 ? whenBroken('  ') : '| ';
    const start = index === 0 ? softLine : line;
    const above = printLeading(leading.slice(0, pipeAt), { isSpaced: false }, false);
    return concat([start, above, pipe, indent(body)]);
  });
  return enclose(list, parts, softLine);
}

/** Prints the brackets of a list, the comments at them, and the printed items. */
function enclose({ signs, items, opening, dangling, isBroken }: ReadList, parts: Layout[], edge: Layout): Layout {
  const inner = indent([...parts, printDangling(dangling)]);
  const content = concat([signs[0], printTrailing(opening), inner, edge, signs[1]]);
  return group(content, isBroken && items.length > 0);
}

function readList(reader: TokenReader, form: ListForm, item: () => Layout) {
  const open = reader.take(form.open);
  const gap = reader.gap();
  /** Whether the author broke the line after the opening bracket. */
  const isBroken = (gap.comments[0] ?? gap).startsLine;
  // Comments on the line of the opening bracket.
  const { trailing: opening, leading: first } = divide([], gap.comments, true);
  const items: Item[] = [];
  let leading = first;
  let { isSpaced } = gap;
  while (!reader.isNext(form.close)) {
    const content = item();
    const before = reader.gap();
    let after = before;
    const hasSeparator = reader.isNext(T.Comma) || reader.isNext(T.Pipe);
    if (hasSeparator) {
      reader.take(reader.isNext(T.Comma) ? T.Comma : T.Pipe);
      after = reader.gap();
    }
    const behind = divide(before.comments, hasSeparator ? after.comments : [], !reader.isNext(form.close));
    items.push({ content, leading, isSpaced, behind });
    leading = behind.leading;
    isSpaced = after.isSpaced;
  }
  const signs = [open, reader.take(form.close)] as const;
  // Dangling are the comments after the last item, on lines of their own.
  return { signs, items, opening, dangling: leading, isBroken };
}

/** Prints comments after the last item: each on its own line, unless it continues the line before it. */
function printDangling(comments: Comments): Layout {
  return concat(
    comments.flatMap((comment) => {
      const isInline = comment.kind === 'block' && !comment.startsLine;
      const start = isInline ? ' ' : comment.isSpaced ? emptyLine : hardLine;
      return [start, printComment(comment)];
    }),
  );
}

/**
 * How many of the comments between two items are printed above the pipe: all but doc comments, which must
 * directly precede the item they document, and block comments on the line of the item.
 */
function beforePipe(leading: Comments): number {
  const firstDoc = leading.findIndex(({ kind }) => kind === 'doc');
  const others = firstDoc === -1 ? leading : leading.slice(0, firstDoc);
  return others.findLastIndex(({ endsLine }) => endsLine) + 1;
}

function isLonely({ leading, behind }: Item): boolean {
  const { close, trailing } = behind;
  return leading.length + close.length + trailing.length === 0;
}
