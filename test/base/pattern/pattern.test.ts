import { describe, expect, test } from 'vitest';
import { patternOf, readPattern } from '../../../src/base/pattern/pattern.js';
import { standardScalars } from '../../../src/compiler/graph/standard-scalars.js';

const long = 50_000;

/** Expressions that a backtracking engine needs exponential, cubic or quadratic time for, and what they read for it. */
const attacks: readonly (readonly [source: string, text: string])[] = [
  ['^(a+)+$', `${'a'.repeat(long)}!`],
  ['^(a|a)*$', `${'a'.repeat(long)}!`],
  ['^(a|aa)+$', `${'a'.repeat(long)}!`],
  ['^(.*a){12}$', `${'a'.repeat(long)}!`],
  ['(a*)*b', 'a'.repeat(long)],
  ['a*a*a*b', 'a'.repeat(long)],
  ['\\s+$', `${' '.repeat(long)}x`],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(long)],
  [
    '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$',
    'a'.repeat(long),
  ],
  ['^(?=(a+)+$)(?!b).*$', `${'a'.repeat(long)}!`],
  ['^((\\p{L}|😀)+\\s?)*$', `${'é😀'.repeat(long / 2)}!`],
  ['(?:a?){30}a{30}$', `${'a'.repeat(long)}!`],
  ['^(?:a{0,100}){0,100}$', `${'a'.repeat(long)}!`],
];

describe('a pattern', () => {
  test.each(attacks)('%s ends on a text that blocks a backtracking engine', (source, text) => {
    expect(patternOf(source).test(text)).toBe(false);
  });

  test('rejects a text when overlapping repetitions exceed the step limit', () => {
    const { test: matches } = patternOf('(?:a|b)*a(?:a|b){4000}c');
    const random = Array.from({ length: 500_000 }, (_, at) => 'ab'[Math.imul(at, 0x9e37_79b1) >>> 31]).join('');
    expect(matches(`${random}c`)).toBe(false);
    expect(matches(`b${'a'.repeat(400)}c`)).toBe(false);
    expect(patternOf('(?:a|b)*a(?:a|b){400}c').test(`b${'a'.repeat(401)}c`)).toBe(true);
  });

  test('follows ECMA-262, including lookaheads after a leading ^', () => {
    const strong = patternOf('^(?=.*\\d)(?=.*[A-Z])(?!.*--).{8,}$');
    expect(['Abcdefg1', 'abcdefg1', 'Abcdefgh', 'Abcde--1', 'Abc1'].map(strong.test)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(patternOf('^[a-z](?:[a-z]|-(?=[a-z]))*$').test('a-b-c')).toBe(true);
    expect(patternOf('^[a-z](?:[a-z]|-(?=[a-z]))*$').test('a--c')).toBe(false);
    expect(patternOf('^.{0,10000}$').test('😀'.repeat(10_000))).toBe(true);
    expect(patternOf('^.{0,10000}$').test('😀'.repeat(10_001))).toBe(false);
  });

  test.each([
    ['a back reference (\\1)', '(a)\\1'],
    ['a back reference (\\k<word>)', '(?<word>a)\\k<word>'],
    ['a lookahead at more than one character', 'a(?=bc)'],
    ['a lookbehind at more than one character', '(?<=ab)c'],
    ['a lookahead at more than one character', '(?:^(?=.*a)b)+'],
    ['repetitions of more than 10,000 characters', '(?:a{1000}){1000}'],
    ['repetitions of more than 10,000 characters', '(?:){999999999}'],
    ['repetitions of more than 10,000 characters', 'a{99999999999999999999}'],
    ['more than 5000 characters', 'a'.repeat(5001)],
    ['more than 5000 characters', `${'('.repeat(20_000)}a${')'.repeat(20_000)}`],
    ['groups nested more than 100 deep', `${'('.repeat(101)}a${')'.repeat(101)}`],
    ['groups nested more than 100 deep', `${'('.repeat(101)}`],
  ])('rejects %s, which cannot be matched in linear time', (reason, source) => {
    expect(readPattern(source)).toEqual({ ok: false, costly: reason });
    expect(() => patternOf(source)).toThrow(reason);
  });

  test.each(['(', ')', '[', '*a', 'a{2,1}', '\\', '(?<a', '\\p{Nope}', '{', ']', 'a**', '[b-a]', '(?:', '\\u{110000}'])(
    'rejects %s, which is not a regular expression',
    (source) => {
      expect(readPattern(source)).toEqual({ ok: false, costly: undefined });
    },
  );

  test('is accepted for each standard scalar, and matches its example', () => {
    for (const [name, { jsonSchema, example }] of standardScalars) {
      if (jsonSchema.pattern === undefined || typeof example !== 'string') continue;
      expect([name, readPattern(jsonSchema.pattern).ok && patternOf(jsonSchema.pattern).test(example)]).toEqual([
        name,
        true,
      ]);
    }
  });
});
