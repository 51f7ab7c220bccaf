import { Lexer } from 'chevrotain';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSourceFile } from '../../../src/base/source/source-file.js';
import { Grammar } from '../../../src/compiler/syntax/grammar.js';
import { tokenize } from '../../../src/compiler/syntax/lexer.js';
import { vocabulary } from '../../../src/compiler/syntax/tokens.js';

describe('the definition of the language', () => {
  beforeAll(() => {
    // Chevrotain validates with a function that Node 20 lacks.
    if ('groupBy' in Object) return;
    const groupBy = <T>(items: Iterable<T>, keyOf: (item: T) => string) => {
      const groups: Record<string, T[]> = {};
      for (const item of items) {
        const key = keyOf(item);
        groups[key] = [...(groups[key] ?? []), item];
      }
      return groups;
    };
    Object.assign(Object, { groupBy });
  });

  it('is a valid grammar for Chevrotain: no ambiguity, no empty repetition, no left recursion', () => {
    expect(() => new Grammar(false)).not.toThrow();
  });

  it('is a valid vocabulary for Chevrotain', () => {
    const lexer = new Lexer(vocabulary, { positionTracking: 'onlyOffset', ensureOptimizations: true });
    expect(lexer.lexerDefinitionErrors).toEqual([]);
  });
});

describe('the lexer', () => {
  const kindsOf = (text: string) =>
    tokenize(createSourceFile('t.gg', text)).tokens.map(({ tokenType, image }) => [tokenType.name, image]);

  it('gives each token its place in the text', () => {
    const text = "/* c */ (a: X { k: 'v', n: -1.5 }) // d\n-[:T]-> (b)";
    const { tokens, comments } = tokenize(createSourceFile('t.gg', text));
    for (const { image, startOffset } of tokens) {
      expect(text.slice(startOffset, startOffset + image.length)).toBe(image);
    }
    expect(comments.map(({ start, end }) => text.slice(start, end))).toEqual(['/* c */', '// d']);
  });

  it('reads a part of a text with its places in the whole text', () => {
    const text = '(a)\n/// doc\n(import é)\n(b)';
    const whole = tokenize(createSourceFile('t.gg', text));
    const part = tokenize(createSourceFile('t.gg', text), 4);
    expect(part.tokens).toEqual(whole.tokens.slice(3));
    expect(part.comments).toEqual(whole.comments);
    expect(part.diagnostics).toEqual(whole.diagnostics);
  });

  it.each([
    ['import { a } from "x"', 'Import'],
    ['import "x"', 'Import'],
    ['export { a }', 'Export'],
    ['export "x"', 'Word'],
    ['import -[:T]-> (b)', 'Word'],
    ['import', 'Word'],
    ['important { a }', 'Word'],
  ])('reads the first word of %j as %s', (text, kind) => {
    expect(kindsOf(text)[0]?.[0]).toBe(kind);
  });

  /** Texts on which a pattern that backtracks would take quadratic time or worse. */
  const attacks: readonly (readonly [string, (length: number) => string])[] = [
    ['open strings', (length) => `'${"\\'".repeat(length)}`],
    ['open strings on many lines', (length) => "'a\n".repeat(length)],
    ['backslashes', (length) => `'${'\\\\'.repeat(length)}`],
    ['digits', (length) => `${'1'.repeat(length)}x`],
    ['digits with points', (length) => '1.'.repeat(length)],
    ['exponents', (length) => `${'1e1'.repeat(length)}`],
    ['stars', (length) => `/*${'*'.repeat(length)}`],
    ['open comments', (length) => '/*/'.repeat(length)],
    ['blanks behind a bracket', (length) => `]${' '.repeat(length)}`],
    ['blanks behind many brackets', (length) => `] ${' '.repeat(9)}`.repeat(length)],
    ['dashes', (length) => '-'.repeat(length)],
    ['dashes behind less-than', (length) => `<${'-'.repeat(length)}`],
    ['dashes on many lines', (length) => ' -- \n'.repeat(length)],
    ['blanks before dashes', (length) => `${' '.repeat(length)}--`],
    ['hyphens in a name', (length) => 'a-'.repeat(length)],
    ['letters outside ASCII', (length) => 'é'.repeat(length)],
    ['import', (length) => 'import /* '.repeat(length)],
  ];

  it.each(attacks)('reads %s in linear time', (_, attack) => {
    // A hundred thousand repetitions end at once, or, squared, not within the time of a test.
    const text = attack(100_000);
    const { tokens, comments } = tokenize(createSourceFile('t.gg', text));
    expect(tokens.length + comments.length).toBeGreaterThan(0);
  });
});
