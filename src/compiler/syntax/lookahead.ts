import type { TokenType } from 'chevrotain';
import { vocabulary } from './tokens.js';

/** The decisions of a rule by their method and its number: the tokens that lead into each alternative. */
type Decisions = Readonly<Record<string, string>>;

const value = 'StringLiteral | Word | NumberLiteral | LSquare | LCurly';
const member = { OPTION: 'Equals', OPTION2: 'Comma', OPTION3: 'Bang', OPTION4: 'Bang', OR1: value, OR2: value };
const edge = { OR: 'LParen | Word', OPTION: 'Colon', OPTION1: 'LCurly' };

/**
 * The results of Chevrotain’s analysis of the grammar. Its analysis records every rule and takes as long as reading a small
 * file, so it runs in `test/compiler/syntax/lookahead.test.ts`, which compares this table with it.
 */
const decisionsOf: Readonly<Record<string, Decisions>> = {
  topology: { OR: 'LParen | Word | Import | Export', MANY: 'LParen Word Import Export' },
  pipeline: { ...edge, MANY: 'EdgeOpen' },
  group: { OR: 'Word | NumberLiteral', OPTION: 'LCurly', MANY: 'Colon', AT_LEAST_ONE_SEP: 'Word NumberLiteral' },
  properties: { ...member, OR: 'Colon | Equals | LParen', MANY: 'Word' },
  parameters: { ...member, AT_LEAST_ONE: 'Word' },
  list: {
    OR1: value,
    OPTION: 'Bang',
    OPTION2: 'Comma',
    OPTION3: 'Bang',
    MANY: 'StringLiteral Word NumberLiteral LSquare LCurly',
  },
  named: { ...edge, OR3: 'EdgeOpen | Dot | LParen', MANY: 'Dot', AT_LEAST_ONE: 'EdgeOpen', AT_LEAST_ONE1: 'Dot' },
  call: {},
  argument: { OPTION: 'LParen' },
  importDeclaration: { OPTION: 'LCurly', OPTION1: 'Semicolon' },
  exportDeclaration: { OPTION1: 'Semicolon' },
  names: { OPTION: 'Comma', MANY: 'Word' },
};

/** The numbers of Chevrotain's methods (`lib/src/parse/grammar/keys.js`). */
const methods = ['', 'OR', 'OPTION', 'MANY', 'AT_LEAST_ONE', 'MANY_SEP', 'AT_LEAST_ONE_SEP'];

/** Where a parser is: all that a decision needs. */
interface Place {
  LA_FAST(distance: number): { readonly tokenTypeIdx: number };
}

/** Chooses an alternative of `OR` by its index, and answers for other methods whether their part comes next. */
export type Lookahead = (this: Place) => number | boolean | undefined;

/** The decisions of a rule, by the keys that Chevrotain gives them. */
export function lookaheadOf(rule: string): Lookahead[] {
  const made: Lookahead[] = [];
  for (const [method, tokens] of Object.entries(decisionsOf[rule] as Decisions)) {
    const [, name, occurrence] = /^(\D+)(\d?)$/.exec(method) as unknown as [string, string, string];
    const alternatives = tokens.split(' | ').map((words) => words.split(' ').map(tokenNamed));
    made[(methods.indexOf(name) << 8) | Number(occurrence)] =
      name === 'OR' ? createChoice(alternatives) : createTest(alternatives.flat());
  }
  return made;
}

/** The tokens that a decision of a rule expects. */
export function expectedBy(rule: string, decision: string): readonly TokenType[] {
  const tokens = (decisionsOf[rule] as Decisions)[decision] as string;
  return tokens.split(/ \| | /).map(tokenNamed);
}

function createChoice(alternatives: readonly (readonly TokenType[])[]): Lookahead {
  const chosen: (number | undefined)[] = [];
  alternatives.forEach((tokens, at) => {
    for (const { tokenTypeIdx } of tokens) chosen[tokenTypeIdx as number] = at;
  });
  return function () {
    return chosen[this.LA_FAST(1).tokenTypeIdx];
  };
}

function createTest(tokens: readonly TokenType[]): Lookahead {
  const [first, ...others] = tokens.map(({ tokenTypeIdx }) => tokenTypeIdx as number);
  if (others.length === 0) {
    return function () {
      return this.LA_FAST(1).tokenTypeIdx === first;
    };
  }
  const isExpected: boolean[] = [];
  for (const { tokenTypeIdx } of tokens) isExpected[tokenTypeIdx as number] = true;
  return function () {
    return isExpected[this.LA_FAST(1).tokenTypeIdx] === true;
  };
}

const tokens: ReadonlyMap<string, TokenType> = new Map(vocabulary.map((type) => [type.name, type]));

function tokenNamed(name: string): TokenType {
  return tokens.get(name) as TokenType;
}
