import { createToken, Lexer, type TokenType } from 'chevrotain';

/**
 * The token types of the language. `label` is the name of a token in diagnostics. No pattern can match the
 * same text in two ways, so matching takes linear time (`test/compiler/syntax/tokens.test.ts`).
 */
/** The separator of the nodes of a group: a category of `|` and `,`. */
export const Separator = createToken({ name: 'Separator', label: '“|”', pattern: Lexer.NA });
export const LParen = createToken({ name: 'LParen', label: '“(”', pattern: '(' });
export const RParen = createToken({ name: 'RParen', label: '“)”', pattern: ')' });
export const LCurly = createToken({ name: 'LCurly', label: '“{”', pattern: '{' });
export const RCurly = createToken({ name: 'RCurly', label: '“}”', pattern: '}' });
export const LSquare = createToken({ name: 'LSquare', label: '“[”', pattern: '[' });
export const RSquare = createToken({ name: 'RSquare', label: '“]”', pattern: ']' });
export const Colon = createToken({ name: 'Colon', label: '“:”', pattern: ':' });
export const Comma = createToken({ name: 'Comma', label: '“,”', pattern: ',', categories: Separator });
export const Pipe = createToken({ name: 'Pipe', label: '“|”', pattern: '|', categories: Separator });
export const Equals = createToken({ name: 'Equals', label: '“=”', pattern: '=' });
export const Bang = createToken({ name: 'Bang', label: '“!”', pattern: '!' });
export const Dot = createToken({ name: 'Dot', label: '“.”', pattern: '.' });
export const Semicolon = createToken({ name: 'Semicolon', label: '“;”', pattern: ';' });
/** `-[`, with or without white space between the two. */
export const EdgeOpen = createToken({ name: 'EdgeOpen', label: '“-[”', pattern: /-[\t-\r ]*\[/ });
/** `]->`, with or without white space before the arrow. */
export const EdgeClose = createToken({ name: 'EdgeClose', label: '“]->”', pattern: /\][\t-\r ]*->/ });
/** A name, or any other bare word: `read_user`, `User`, `true`, `1_10`. */
export const Word = createToken({ name: 'Word', label: 'a name', pattern: /\w+/ });
/** `import` as a keyword; `irregular.ts` decides by the neighbours of the word. */
export const Import = createToken({ name: 'Import', label: '“import”', pattern: Lexer.NA });
/** `export` as a keyword; see `Import`. */
export const Export = createToken({ name: 'Export', label: '“export”', pattern: Lexer.NA });
export const NumberLiteral = createToken({
  name: 'NumberLiteral',
  label: 'a number',
  pattern: /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\w)/,
});
/** A string ends on its line. A backslash escapes any character. */
export const StringLiteral = createToken({
  name: 'StringLiteral',
  label: 'a string',
  pattern: /'[^'\\\n\r]*(?:\\[^\n\r][^'\\\n\r]*)*'|"[^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*"/,
});

const comments = 'comments';
const LineComment = createToken({ name: 'LineComment', pattern: /\/\/[^\n\r]*/, group: comments });
const BlockComment = createToken({
  name: 'BlockComment',
  pattern: /\/\*[\s\S]*?\*\//,
  group: comments,
});

const Blank = createToken({ name: 'Blank', pattern: /[\t-\r ]+/, group: Lexer.SKIPPED });
/** Non-ASCII white space, which editors and copy-paste insert. */
const WideBlank = createToken({
  name: 'WideBlank',
  pattern: /[\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+/,
  group: Lexer.SKIPPED,
});

/** Tokens that are not part of the language but occur in texts. `irregular.ts` reports and replaces them. */
const irregular = 'irregular';
/** `<-[` */
export const ReverseOpen = createToken({
  name: 'ReverseOpen',
  pattern: /<-[\t-\r ]*\[/,
  group: irregular,
});
/** `]-` without the arrow head. */
export const HalfClose = createToken({
  name: 'HalfClose',
  pattern: /\][\t-\r ]*-(?![\t-\r ]*\[)/,
  group: irregular,
});
/** `--[:`, `=[:`, `-(:`: another beginning of an edge. */
export const WrongOpen = createToken({
  name: 'WrongOpen',
  pattern: /(?:--+|=+>?)[\t\v\f ]*\[(?=[\t-\r ]*:)|-[\t\v\f ]*\((?=[\t-\r ]*:)/,
  group: irregular,
});
/** `]=>`, `]-->`, `]>`: another end of an edge. */
export const WrongClose = createToken({
  name: 'WrongClose',
  pattern: /\][\t\v\f ]*(?:--+>|=+>|>)/,
  group: irregular,
});
/** `=>` between two nodes, or between a key and its value. */
export const FatArrow = createToken({ name: 'FatArrow', pattern: /=+>/, group: irregular });
/** `->`, `--`, `<--`, `<->`: an edge without brackets. */
export const BareArrow = createToken({
  name: 'BareArrow',
  pattern: /<-+>?|-+>|--+/,
  group: irregular,
});
/** A comment of another language: `#` and `<!--` anywhere, `--` at the beginning of a line. */
export const ForeignComment = createToken({
  name: 'ForeignComment',
  pattern: /#[^\n\r]*|<!--[^\n\r]*|(?<![^\t-\r ][\t\v\f ]*)--(?!-*>)[^\n\r]*/,
  group: irregular,
  start_chars_hint: ['#', '-', '<'],
});
/** The rest of a name with a hyphen in it. */
export const HyphenTail = createToken({
  name: 'HyphenTail',
  pattern: /(?<=[A-Za-z_]\w*)-(?=\w)/,
  group: irregular,
  start_chars_hint: ['-'],
});
export const OpenString = createToken({ name: 'OpenString', pattern: /['"][^\n\r]*/, group: irregular });
export const OpenComment = createToken({
  name: 'OpenComment',
  pattern: /\/\*[\s\S]*/,
  group: irregular,
});
export const Unknown = createToken({
  name: 'Unknown',
  label: 'an unknown character',
  pattern: /[\0-\uffff]/,
  group: irregular,
});

/** Every token type, in the order in which the lexer tries those that begin with the same character. */
export const vocabulary: TokenType[] = [
  Blank,
  HyphenTail,
  EdgeOpen,
  WrongOpen,
  NumberLiteral,
  Word,
  Colon,
  Comma,
  StringLiteral,
  LParen,
  RParen,
  LCurly,
  RCurly,
  LSquare,
  EdgeClose,
  WrongClose,
  HalfClose,
  RSquare,
  Pipe,
  FatArrow,
  Equals,
  Bang,
  Dot,
  Semicolon,
  Separator,
  Import,
  Export,
  LineComment,
  BlockComment,
  WideBlank,
  ReverseOpen,
  ForeignComment,
  BareArrow,
  OpenString,
  OpenComment,
  Unknown,
];
