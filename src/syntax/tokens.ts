import { createToken, EOF, type TokenType } from 'chevrotain';

/**
 * The token types of the language. `LABEL` is how a diagnostic speaks of the token. The scanner in
 * `scan.ts` finds the tokens, so no pattern is needed here; Chevrotain only compares types.
 */
export const LParen = token('LParen', '“(”');
export const RParen = token('RParen', '“)”');
export const LCurly = token('LCurly', '“{”');
export const RCurly = token('RCurly', '“}”');
export const LSquare = token('LSquare', '“[”');
export const RSquare = token('RSquare', '“]”');
export const Colon = token('Colon', '“:”');
export const Comma = token('Comma', '“,”');
export const Pipe = token('Pipe', '“|”');
export const Equals = token('Equals', '“=”');
export const Bang = token('Bang', '“!”');
export const Dot = token('Dot', '“.”');
export const Semicolon = token('Semicolon', '“;”');
/** `-[`, with or without white space between the two. */
export const EdgeOpen = token('EdgeOpen', '“-[”');
/** `]->`, with or without white space before the arrow. */
export const EdgeClose = token('EdgeClose', '“]->”');
/** `import`, where it can only begin an import. */
export const Import = token('Import', '“import”');
/** `export`, where it can only begin an export. */
export const Export = token('Export', '“export”');
/** A name, or any other bare word: `read_user`, `User`, `true`, `1_10`. */
export const Word = token('Word', 'a name');
export const NumberLiteral = token('NumberLiteral', 'a number');
export const StringLiteral = token('StringLiteral', 'a text in quotes');
/** What no other token is made of; it has been reported by the scanner. */
export const Unknown = token('Unknown', 'an unknown character');

/** Every token type, for the parser. */
export const vocabulary: readonly TokenType[] = [
  LParen,
  RParen,
  LCurly,
  RCurly,
  LSquare,
  RSquare,
  Colon,
  Comma,
  Pipe,
  Equals,
  Bang,
  Dot,
  Semicolon,
  EdgeOpen,
  EdgeClose,
  Import,
  Export,
  Word,
  NumberLiteral,
  StringLiteral,
  Unknown,
];

/** The number that Chevrotain compares a token by; it is given when the type is made. */
export function indexOf(type: TokenType): number {
  const { tokenTypeIdx } = type;
  if (tokenTypeIdx === undefined) throw new Error(`invariant: ${type.name} was not registered`);
  return tokenTypeIdx;
}

/** The numbers by which the tokens of well-formed nodes and edges stand on a tape. */
export const tokenIndex = {
  word: indexOf(Word),
  string: indexOf(StringLiteral),
  number: indexOf(NumberLiteral),
  leftParen: indexOf(LParen),
  rightParen: indexOf(RParen),
  leftCurly: indexOf(LCurly),
  rightCurly: indexOf(RCurly),
  leftSquare: indexOf(LSquare),
  rightSquare: indexOf(RSquare),
  edgeOpen: indexOf(EdgeOpen),
  edgeClose: indexOf(EdgeClose),
  colon: indexOf(Colon),
  comma: indexOf(Comma),
  pipe: indexOf(Pipe),
  equals: indexOf(Equals),
  bang: indexOf(Bang),
} as const;

/** The index of the end of the input. */
export const endOfFile = indexOf(EOF);

function token(name: string, label: string): TokenType {
  return createToken({ name, label, pattern: /NOT_USED/ });
}
