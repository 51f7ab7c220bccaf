import { endOf, tokenize } from '../../../src/compiler/syntax/lexer.js';
import * as T from '../../../src/compiler/syntax/tokens.js';

/** A part of a line with the kind that gives its colour. */
export interface ColouredPart {
  readonly kind?: 'comment' | 'string' | 'number' | 'keyword' | 'node' | 'label' | 'edge' | 'property' | 'type';
  readonly text: string;
}

/** The lines of a topology file in coloured parts, by its tokens; what a name means follows from its neighbours. */
export function colourLines(text: string): readonly (readonly ColouredPart[])[] {
  const { tokens, comments } = tokenize({ name: '', text });
  const marks = [
    ...comments.map(({ start, end }) => ({ start, end, kind: 'comment' as const })),
    ...tokens.flatMap((token, at) => {
      const kind = kindOf(tokens, at);
      return kind === undefined ? [] : [{ start: token.startOffset, end: endOf(token), kind }];
    }),
  ].sort((one, other) => one.start - other.start);
  const lines: ColouredPart[][] = [[]];
  const add = (part: string, kind?: ColouredPart['kind']) => {
    part.split(/\r\n|\n|\r/).forEach((line, at) => {
      if (at > 0) lines.push([]);
      if (line !== '') lines.at(-1)?.push(kind === undefined ? { text: line } : { kind, text: line });
    });
  };
  let at = 0;
  for (const { start, end, kind } of marks) {
    if (start < at) continue;
    add(text.slice(at, start));
    add(text.slice(start, end), kind);
    at = end;
  }
  add(text.slice(at));
  return lines;
}

type Tokens = ReturnType<typeof tokenize>['tokens'];

function kindOf(tokens: Tokens, at: number): ColouredPart['kind'] {
  const token = tokens[at];
  switch (token?.tokenType) {
    case T.StringLiteral:
      return 'string';
    case T.NumberLiteral:
      return 'number';
    case T.Import:
    case T.Export:
      return 'keyword';
    case T.Word:
      break;
    default:
      return undefined;
  }
  if (token !== undefined && keywords.has(token.image)) return 'keyword';
  const [before, after] = [tokens[at - 1]?.tokenType, tokens[at + 1]?.tokenType];
  if (before === T.EdgeOpen) return 'edge';
  if (before === T.Colon) {
    // `(node: Label`, `-[:EDGE`, `property: Type`
    const owner = tokens[at - 2]?.tokenType;
    if (owner === T.EdgeOpen) return 'edge';
    return isNodeName(tokens, at - 2) ? 'label' : 'type';
  }
  if (isNodeName(tokens, at)) return 'node';
  if (after === T.Colon || after === T.LParen) return 'property';
  return before === T.LSquare || before === T.Equals ? 'type' : undefined;
}

/** A name after `(` or after a separator of a group is a node, unless it is the argument of a field. */
function isNodeName(tokens: Tokens, at: number): boolean {
  const before = tokens[at - 1]?.tokenType;
  if (before === T.LParen) return tokens[at - 2]?.tokenType !== T.Word;
  return before === T.Pipe;
}

const keywords = new Set(['true', 'false', 'null', 'from']);
