import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPattern } from '../../../src/base/pattern/pattern.js';
import { runs } from '../../arbitraries/runs.js';

/** Few characters, so that texts match often; a surrogate pair and its halves among them. */
const character = fc.constantFrom('a', 'b', 'B', '1', '_', '-', '.', ' ', '\n', 'é', 'ſ', '😀', '\ud83d', '\ude00');
const text = fc.array(character, { maxLength: 8 }).map((characters) => characters.join(''));

const set = fc.constantFrom(
  ...['a', 'b', '1', 'é', '😀', '.', '\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '\\.', '\\x61', '\\u0062'],
  ...['\\u{1F600}', '\\ud83d\\ude00', '\\ud83d', '\\n', '\\cJ', '\\p{L}', '\\P{L}', '\\p{Script=Latin}'],
  ...['[ab]', '[^ab]', '[a-z_]', '[\\d-]', '[^]', '[]', '[\\]b]', '[😀é]', '[^😀]', '[\\w.]', '[\\b]', '\\/', '/'],
);
const quantifier = fc.constantFrom(
  '',
  '',
  '',
  '*',
  '+',
  '?',
  '{2}',
  '{0}',
  '{1,}',
  '{0,2}',
  '{1,3}',
  '*?',
  '+?',
  '??',
  '{2,3}?',
);

const { expression } = fc.letrec<{ expression: string; sequence: string; atom: string; part: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'pattern' },
    { weight: 3, arbitrary: tie('sequence') },
    fc.tuple(tie('sequence'), tie('sequence')).map((options) => options.join('|')),
  ),
  sequence: fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
  part: fc.oneof(
    { weight: 6, arbitrary: fc.tuple(tie('atom'), quantifier).map((parts) => parts.join('')) },
    fc.constantFrom('^', '$', '\\b', '\\B'),
    fc.tuple(fc.constantFrom('?=', '?!', '?<=', '?<!'), set).map(([look, of]) => `(${look}${of})`),
    fc.constantFrom('(?=a|$)', '(?!a|b)', '(?<=^|a)', '(?<!^|[ab])', '(?=\\d|😀)'),
  ),
  atom: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'pattern' },
    { weight: 3, arbitrary: set },
    tie('expression').map((inner) => `(${inner})`),
    tie('expression').map((inner) => `(?:${inner})`),
  ),
}));
const anchored = fc
  .tuple(fc.array(fc.tuple(fc.constantFrom('?=', '?!'), expression), { maxLength: 2 }), expression)
  .map(([looks, rest]) => `^${looks.map(([look, of]) => `(${look}${of})`).join('')}(?:${rest})`);

describe('a pattern and the native expression with the flag u', () => {
  test('agree on every text', () => {
    let matched = 0;
    fc.assert(
      fc.property(fc.oneof(expression, anchored), fc.array(text, { minLength: 6, maxLength: 6 }), (source, texts) => {
        const reading = readPattern(source);
        expect(reading).toMatchObject({ ok: true });
        if (!reading.ok) return;
        for (const one of texts) {
          const expected = matches(source, one);
          matched += Number(expected);
          expect([source, one, reading.pattern.test(one)]).toEqual([source, one, expected]);
        }
      }),
      { numRuns: Number(process.env.FAST_CHECK_RUNS ?? runs(1500)) },
    );
    expect(matched).toBeGreaterThan(runs(500));
  });
});

/**
 * As RegExpBuiltinExec (ECMA-262, section 22.2.7.2) says: from each character on. V8 itself also begins in the middle
 * of two surrogates, and so finds `\B` in `a😀a`.
 */
function matches(source: string, text: string): boolean {
  const native = new RegExp(source, 'uy');
  for (let at = 0; at <= text.length; at += (text.codePointAt(at) ?? 0) > 0xff_ff ? 2 : 1) {
    native.lastIndex = at;
    if (native.test(text)) return true;
  }
  return false;
}
