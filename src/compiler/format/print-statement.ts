import * as T from '../syntax/tokens.js';
import { divide, printInline, printLeading, printTrailing } from './comments.js';
import { breaks, choice, concat, group, hardLine, indent, type Layout, opened, softLine, type Way } from './layout.js';
import { braces, brackets, parentheses, printCommaList, printPipeList } from './print-list.js';
import type { TokenReader, TokenType } from './token-reader.js';

/** Prints the next statement, from its first token to its last. */
export function printStatement(reader: TokenReader): Layout {
  if (reader.isNext(T.Import)) return printImport(reader);
  if (reader.isNext(T.Export)) return concat([reader.take(T.Export), inline(reader, ' '), printNames(reader)]);
  if (reader.isNext(T.Word) && !reader.isNext(T.EdgeOpen, 1)) return printCallChain(reader);
  return printPipeline(reader);
}

type PrintedHop = ReturnType<typeof printHop>;

/**
 * Prints a pipeline on one line when it fits. Otherwise each edge starts a line, and likewise where the
 * author broke the line before an edge or wrote a comment there. A single edge may also stay on the line
 * of its source, with an open bracket at the end of the line; see `waysOf`.
 */
function printPipeline(reader: TokenReader): Layout {
  const head = printGroup(reader);
  const hops: PrintedHop[] = [];
  while (reader.isNext(T.EdgeOpen)) hops.push(printHop(reader));
  if (hops.length === 0) return head;
  const edges = hops.map(({ leading, type, properties, arrow, target }) =>
    concat([leading, type, properties, arrow, target]),
  );
  const flat = concat([head, ...hops.flatMap(({ before, space }, index) => [before, space, edges[index] as Layout])]);
  const broken = concat([
    head,
    indent(hops.flatMap(({ before }, index) => [before, hardLine, edges[index] as Layout])),
  ]);
  if (hops.some(({ startsLine }) => startsLine)) return broken;
  const [only, ...others] = hops;
  if (only === undefined || others.length > 0) {
    return breaks(flat) ? broken : choice([{ head: flat, tail: '' }], broken);
  }
  return breaks(flat) ? flat : choice([{ head: flat, tail: '' }, ...waysOf(head, only, broken)], broken);
}

/**
 * The ways to break the line of a single edge, best first: inside the target; before the edge, when that
 * is enough; inside the edge; inside the source.
 */
function waysOf(head: Layout, hop: PrintedHop, twoLines: Layout): readonly Way[] {
  const { space, leading, type, properties, arrow, target } = hop;
  const start = [space, leading, type];
  const way = (before: Layout[], broken: Layout | undefined, after: Layout[]): Way[] =>
    broken === undefined ? [] : [{ head: concat(before), tail: concat([broken, ...after]) }];
  return [
    ...way([head, ...start, properties, arrow], opened(target), []),
    { head: twoLines, tail: '' },
    ...way([head, ...start], opened(properties), [arrow, target]),
    ...way([], opened(head), [...start, properties, arrow, target]),
  ];
}

/** An edge, and the layout between it and the group before it. */
function printHop(reader: TokenReader) {
  const gap = reader.gap();
  const { trailing, leading: comments } = divide([], gap.comments, true);
  const leading = printLeading(comments, gap, false);
  const [first] = gap.comments;
  const type = [sign(reader, T.EdgeOpen, '-['), inline(reader), sign(reader, T.Colon, ':')];
  type.push(inline(reader), reader.take(T.Word));
  const properties = printProperties(reader);
  const arrow = concat([inline(reader), sign(reader, T.EdgeClose, ']->'), inline(reader)]);
  return {
    /** Comments that end the line of the group before. */
    before: printTrailing(trailing),
    /** Printed before the edge when it does not start a line. */
    space: comments.length === 0 ? '' : ' ',
    leading,
    /** From the first bracket to the type. */
    type: concat(type),
    properties,
    arrow,
    target: printGroup(reader),
    startsLine: (first ?? gap).startsLine || trailing.length > 0 || breaks(leading),
  };
}

/** Prints a group in parentheses; a bare name gets parentheses. */
function printGroup(reader: TokenReader): Layout {
  if (reader.isNext(T.LParen)) return printPipeList(reader, () => printNode(reader));
  return `(${reader.take(T.Word)})`;
}

function printNode(reader: TokenReader): Layout {
  const parts: Layout[] = [reader.take(reader.isNext(T.Word) ? T.Word : T.NumberLiteral)];
  for (let blank = ' '; reader.isNext(T.Colon); blank = '') {
    parts.push(inline(reader), sign(reader, T.Colon, ':'), inline(reader, blank), reader.take(T.Word));
  }
  return concat([...parts, printProperties(reader)]);
}

/** Prints the property map and the blank before it, if there is one. An empty map is removed. */
function printProperties(reader: TokenReader): Layout {
  if (!reader.isNext(T.LCurly)) return '';
  if (reader.isNext(T.RCurly, 1) && !reader.hasComments(1)) {
    reader.gap();
    reader.take(T.LCurly);
    reader.take(T.RCurly);
    return '';
  }
  return concat([inline(reader, ' '), printCommaList(reader, braces, () => printProperty(reader))]);
}

function printProperty(reader: TokenReader): Layout {
  const parts: Layout[] = [reader.take(T.Word), inline(reader)];
  if (reader.isNext(T.LParen)) {
    parts.push(
      printCommaList(reader, parentheses, () => printProperty(reader)),
      inline(reader),
    );
  }
  parts.push(sign(reader, reader.isNext(T.Colon) ? T.Colon : T.Equals, ':'), inline(reader, ' '));
  parts.push(printValue(reader));
  if (reader.isNext(T.Equals)) {
    parts.push(inline(reader, ' '), sign(reader, T.Equals, '='), inline(reader, ' '), printValue(reader));
  }
  return concat(parts);
}

function printValue(reader: TokenReader): Layout {
  if (reader.isNext(T.StringLiteral)) return requote(reader.take(T.StringLiteral));
  if (reader.isNext(T.NumberLiteral)) return reader.take(T.NumberLiteral);
  const value = reader.isNext(T.LSquare)
    ? printCommaList(reader, brackets, () => printValue(reader))
    : reader.take(T.Word);
  if (!reader.isNext(T.Bang)) return value;
  return concat([value, inline(reader), sign(reader, T.Bang, '!')]);
}

/** Prints a call chain; one that does not fit on one line has one call per line. */
function printCallChain(reader: TokenReader): Layout {
  const first: Layout[] = [reader.take(T.Word)];
  if (reader.isNext(T.LParen)) first.push(printArgument(reader));
  const calls: Layout[] = [];
  let startsLine = false;
  while (reader.isNext(T.Dot)) {
    const gap = reader.gap();
    startsLine ||= (gap.comments[0] ?? gap).startsLine || gap.startsLine;
    calls.push(printInline(gap.comments), softLine, sign(reader, T.Dot, '.'), inline(reader));
    calls.push(reader.take(T.Word), printArgument(reader));
  }
  return group(concat([...first, indent(calls)]), startsLine);
}

/** Prints the argument of a call: `()`, `(x)` or `(f(x))`. */
function printArgument(reader: TokenReader): Layout {
  const parts: Layout[] = [inline(reader), sign(reader, T.LParen, '('), inline(reader)];
  if (reader.isNext(T.Word)) {
    parts.push(reader.take(T.Word));
    if (reader.isNext(T.LParen)) parts.push(printArgument(reader));
    parts.push(inline(reader));
  }
  parts.push(sign(reader, T.RParen, ')'));
  return concat(parts);
}

function printImport(reader: TokenReader): Layout {
  const parts: Layout[] = [reader.take(T.Import), inline(reader, ' ')];
  if (reader.isNext(T.LCurly)) {
    parts.push(printNames(reader), inline(reader, ' '), reader.take(T.Word), inline(reader, ' '));
  }
  parts.push(requote(reader.take(T.StringLiteral)));
  return concat(parts);
}

function printNames(reader: TokenReader): Layout {
  return printCommaList(reader, braces, () => reader.take(T.Word));
}

/** Takes a token and returns its only spelling. */
function sign(reader: TokenReader, type: TokenType, spelling: string): string {
  reader.take(type);
  return spelling;
}

/** The comments before the next token, in a place where comments are unusual; `plain` when there are none. */
function inline(reader: TokenReader, plain = ''): Layout {
  return printInline(reader.gap().comments, plain);
}

/**
 * A string literal in the formatter's spelling, with the same value: in single quotes, or in double quotes if that
 * saves an escape. A backslash before anything but a quote stays, because it belongs to the value (`textOfString` in
 * `syntax/literals.ts`).
 */
function requote(literal: string): string {
  if (!literal.includes('\\') && literal.indexOf("'", 1) === literal.length - 1) return literal;
  const pieces = literal.slice(1, -1).match(/\\[\s\S]|[^\\]+/g) ?? [];
  const parts = pieces.map((piece) => (piece === "\\'" || piece === '\\"' ? piece.slice(1) : piece));
  const holds = (quote: string) => parts.some((part) => part.includes(quote));
  const quote = holds("'") && !holds('"') ? '"' : "'";
  const escaped = parts.map((part) => (isEscape(part) ? part : part.replaceAll(quote, `\\${quote}`)));
  return quote + escaped.join('') + quote;
}

/** Whether a part is a backslash and the character after it, both of them part of the value. */
function isEscape(part: string): boolean {
  return part.length === 2 && part.startsWith('\\');
}
