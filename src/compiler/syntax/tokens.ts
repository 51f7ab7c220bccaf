import { createToken, type ITokenConfig, Lexer, type TokenType } from 'chevrotain';

/**
 * Every token type, in the order of this file, in which the lexer tries those that begin with the same character. No
 * pattern can match the same text in two ways, so matching takes linear time (`test/compiler/syntax/tokens.test.ts`).
 */
export const vocabulary: TokenType[] = [];

function add(config: ITokenConfig): TokenType {
  const type = createToken(config);
  vocabulary.push(type);
  return type;
}

/**
 * A token of the language; `label` is its name in diagnostics.
 *
 * @param starts - The characters that it can begin with. Chevrotain would parse each pattern at each start to find them;
 * `test/compiler/syntax/lookahead.test.ts` compares them with what it finds.
 */
function token(
  name: string,
  label: string,
  pattern: string | RegExp,
  starts = '',
  ...categories: TokenType[]
): TokenType {
  return add({ name, label, pattern, categories, ...hintOf(starts) });
}

/** A token that is not part of the language but occurs in texts. `irregular.ts` reports and replaces it. */
function irregular(name: string, pattern: RegExp, starts = ''): TokenType {
  return add({ name, pattern, group: 'irregular', ...hintOf(starts) });
}

function hintOf(starts: string): Pick<ITokenConfig, 'start_chars_hint'> {
  return starts === '' ? {} : { start_chars_hint: [...starts] };
}

const digits = '0123456789';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';

/** The separator of the nodes of a group: a category of `|` and `,`. */
export const Separator = token('Separator', '“|”', Lexer.NA);
add({ name: 'Blank', pattern: /[\t-\r ]+/, group: Lexer.SKIPPED, ...hintOf('\t\n\v\f\r ') });
/** The rest of a name with a hyphen in it. */
export const HyphenTail = irregular('HyphenTail', /(?<=[A-Za-z_]\w*)-(?=\w)/, '-');
/** `-[`, with or without white space between the two. */
export const EdgeOpen = token('EdgeOpen', '“-[”', /-[\t-\r ]*\[/, '-');
/** `--[:`, `=[:`, `-(:`: another beginning of an edge. */
export const WrongOpen = irregular(
  'WrongOpen',
  /(?:--+|=+>?)[\t\v\f ]*\[(?=[\t-\r ]*:)|-[\t\v\f ]*\((?=[\t-\r ]*:)/,
  '-=',
);
export const NumberLiteral = token('NumberLiteral', 'a number', /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\w)/, `-${digits}`);
/** A name, or any other bare word: `read_user`, `User`, `true`, `1_10`. */
export const Word = token('Word', 'a name', /\w+/, digits + letters);
export const Colon = token('Colon', '“:”', ':');
export const Comma = token('Comma', '“,”', ',', ',', Separator);
/** A string ends on its line. A backslash escapes any character. */
export const StringLiteral = token(
  'StringLiteral',
  'a string',
  /'[^'\\\n\r]*(?:\\[^\n\r][^'\\\n\r]*)*'|"[^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*"/,
  '"\'',
);
export const LParen = token('LParen', '“(”', '(');
export const RParen = token('RParen', '“)”', ')');
export const LCurly = token('LCurly', '“{”', '{');
export const RCurly = token('RCurly', '“}”', '}');
export const LSquare = token('LSquare', '“[”', '[');
/** `]->`, with or without white space before the arrow. */
export const EdgeClose = token('EdgeClose', '“]->”', /\][\t-\r ]*->/, ']');
/** `]=>`, `]-->`, `]>`: another end of an edge. */
export const WrongClose = irregular('WrongClose', /\][\t\v\f ]*(?:--+>|=+>|>)/, ']');
/** `]-` without the arrow head. */
export const HalfClose = irregular('HalfClose', /\][\t-\r ]*-(?![\t-\r ]*\[)/, ']');
export const RSquare = token('RSquare', '“]”', ']');
export const Pipe = token('Pipe', '“|”', '|', '|', Separator);
/** `=>` between two nodes, or between a key and its value. */
export const FatArrow = irregular('FatArrow', /=+>/, '=');
export const Equals = token('Equals', '“=”', '=');
export const Bang = token('Bang', '“!”', '!');
export const Dot = token('Dot', '“.”', '.');
export const Semicolon = token('Semicolon', '“;”', ';');
/** `import` as a keyword; `irregular.ts` decides by the neighbours of the word. */
export const Import = token('Import', '“import”', Lexer.NA);
/** `export` as a keyword; see `Import`. */
export const Export = token('Export', '“export”', Lexer.NA);
add({ name: 'LineComment', pattern: /\/\/[^\n\r]*/, group: 'comments', ...hintOf('/') });
add({ name: 'BlockComment', pattern: /\/\*[\s\S]*?\*\//, group: 'comments', ...hintOf('/') });
/** Non-ASCII white space, which editors and copy-paste insert. */
add({
  name: 'WideBlank',
  pattern: /[\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+/,
  group: Lexer.SKIPPED,
});
/** `<-[` */
export const ReverseOpen = irregular('ReverseOpen', /<-[\t-\r ]*\[/, '<');
/** A comment of another language: `#` and `<!--` anywhere, `--` at the beginning of a line. */
export const ForeignComment = irregular(
  'ForeignComment',
  /#[^\n\r]*|<!--[^\n\r]*|(?<![^\t-\r ][\t\v\f ]*)--(?!-*>)[^\n\r]*/,
  '#-<',
);
/** `->`, `--`, `<--`, `<->`: an edge without brackets. */
export const BareArrow = irregular('BareArrow', /<-+>?|-+>|--+/, '-<');
export const OpenString = irregular('OpenString', /['"][^\n\r]*/, '"\'');
export const OpenComment = irregular('OpenComment', /\/\*[\s\S]*/, '/');
export const Unknown = irregular('Unknown', /[\0-\uffff]/);
