import fc from 'fast-check';
import { type Expression, type Grammar, isToken, matchesClass } from './ebnf.js';
import { isWhole } from './recognize.js';

/** Random sentences of a rule, bounded in length and depth, with random space between the tokens. */
export function sentences(grammar: Grammar, start: string): fc.Arbitrary<string> {
  const tokensOf = fc.letrec<Record<string, readonly string[]>>((tie) =>
    Object.fromEntries(
      [...grammar]
        .filter(([name]) => !isToken(name))
        .map(([name, expression]) => [name, phrase(grammar, expression, (rule) => tie(rule))]),
    ),
  )[start];
  if (tokensOf === undefined) throw new Error(`there is no rule ${start}`);
  return tokensOf.chain((tokens) =>
    fc
      .array(space(grammar), { minLength: tokens.length + 1, maxLength: tokens.length + 1 })
      .map((spaces) => join(tokens, spaces)),
  );
}

/** The tokens of an expression outside tokens. */
function phrase(
  grammar: Grammar,
  expression: Expression,
  tie: (rule: string) => fc.Arbitrary<readonly string[]>,
): fc.Arbitrary<readonly string[]> {
  const inner = (item: Expression) => phrase(grammar, item, tie);
  switch (expression.kind) {
    case 'reference':
      return isToken(expression.name) ? token(grammar, expression).map((text) => [text]) : tie(expression.name);
    case 'sequence':
      return fc.tuple(...expression.items.map(inner)).map((parts) => parts.flat());
    case 'choice':
      // Past the depth, the first alternative is taken; the rules name the flat one first.
      return fc.oneof({ maxDepth: 10, depthIdentifier: 'phrase' }, ...expression.items.map(inner));
    case 'repeat':
      return fc
        .array(inner(expression.item), { minLength: expression.min, maxLength: expression.max ?? 3 })
        .map((parts) => parts.flat());
    case 'literal':
      return fc.constant([expression.text]);
    case 'class':
    case 'except':
      throw new Error('a character class belongs into a token');
  }
}

/** The text of one token. */
function token(grammar: Grammar, expression: Expression): fc.Arbitrary<string> {
  const inner = (item: Expression) => token(grammar, item);
  switch (expression.kind) {
    case 'literal':
      return fc.constant(expression.text);
    case 'class':
      return fc.constantFrom(...samples(expression));
    case 'reference': {
      const rule = grammar.get(expression.name);
      if (rule === undefined) throw new Error(`there is no rule ${expression.name}`);
      return inner(rule);
    }
    case 'sequence':
      return fc.tuple(...expression.items.map(inner)).map((parts) => parts.join(''));
    case 'choice':
      return fc.oneof(...expression.items.map(inner));
    case 'repeat':
      return fc
        .array(inner(expression.item), { minLength: expression.min, maxLength: expression.max ?? 6 })
        .map((parts) => parts.join(''));
    case 'except':
      return inner(expression.item).filter((text) => !isWhole(grammar, expression.exception, text));
  }
}

/** The characters that are worth trying: marks of the language, other scripts, and both halves of a pair. */
const interesting = [...'abzAZ019_ \t\'"\\()[]{}|,;:=!.-<>/*#@$%&?^~`+éß中∑β\u0000\u00a0\u2028', '😀'];

function samples(expression: Expression & { kind: 'class' }): string[] {
  const edges = expression.negated ? [] : expression.ranges.flat().map((code) => String.fromCharCode(code));
  return [...edges, ...interesting].filter((text) =>
    [...Array(text.length).keys()].every((at) => matchesClass(expression, text.charCodeAt(at))),
  );
}

/** SPACE; a line comment is closed by a line break here, or it would swallow the token behind it. */
function space(grammar: Grammar): fc.Arbitrary<string> {
  const rule = grammar.get('SPACE');
  if (rule?.kind !== 'repeat') throw new Error('SPACE is a repetition');
  return fc
    .array(
      token(grammar, rule.item).map((text) => (text.startsWith('//') ? `${text}\n` : text)),
      { maxLength: 2 },
    )
    .map((parts) => parts.join(''));
}

function join(tokens: readonly string[], spaces: readonly string[]): string {
  let text = spaces[0] ?? '';
  for (const [at, current] of tokens.entries()) {
    // Two words side by side would become one.
    const touches = /\w$/.test(text) && /^\w/.test(current);
    text += (touches ? ' ' : '') + current + (spaces[at + 1] ?? '');
  }
  return text;
}
