import { describe, expect, test } from 'vitest';
import { federationShapes } from '../../src/federation/bundle.js';
import { checkerOf, integer, list, object, oneOf, type Shape, text, textWhere } from '../../src/federation/shape.js';

/** What a shape says of a value: `path must be expected`; undefined if the value has the shape. */
function said(shape: Shape, value: unknown): string | undefined {
  const misfit = checkerOf(shape)(value);
  return misfit === undefined ? undefined : `${misfit.path} must be ${misfit.expected}`;
}

describe('an object', () => {
  const shape = () => object({ a: integer(0, 9), b: integer(0, 9) }, { c: integer(0, 9), d: integer(0, 9) });

  test.each([
    { a: 1, b: 2 },
    { b: 2, a: 1 },
    { d: 4, a: 1, b: 2 },
    { a: 1, b: 2, c: 3, d: 4 },
    { a: 1, b: 2, d: undefined },
  ])('accepts %j: members in any order, with or without optional ones', (value) => {
    expect(said(shape(), value)).toBeUndefined();
  });

  test.each<[unknown, string]>([
    [null, ' must be an object'],
    [undefined, ' must be an object'],
    [[], ' must be an object'],
    ['text', ' must be an object'],
    [7, ' must be an object'],
    [() => 1, ' must be an object'],
    [{ b: 2 }, '.a must be present'],
    [{ a: 1 }, '.b must be present'],
    [{ a: 1, c: 3 }, '.b must be present'],
    [{ a: 10, b: 2 }, '.a must be an integer from 0 to 9'],
    [{ a: 1, b: 2, c: 10 }, '.c must be an integer from 0 to 9'],
    [{ a: 1, b: 2, c: 3, e: 5 }, '.e must be absent: it is not a known member'],
    [{ a: 1, b: 2, toString: 5 }, '.toString must be absent: it is not a known member'],
    [Object.create({ a: 1, b: 2 }), '.a must be present'],
  ])('rejects %j', (value, expected) => {
    expect(said(shape(), value)).toBe(expected);
  });
});

describe('a list', () => {
  test('has a minimum and a maximum number of items, each with the shape', () => {
    const shape = list(list(integer(0, 9), 0, 1), 1, 2);
    const wrongLength = ' must be a list of 1 to 2 items';
    const cases: [unknown, string | undefined][] = [
      [[[]], undefined],
      [[[1], [2]], undefined],
      [[], wrongLength],
      [[[], [], []], wrongLength],
      [{ length: 1, 0: [] }, ' must be a list'],
      ['a', ' must be a list'],
      [[[1], 2], '[1] must be a list'],
      [[[1], ['x']], '[1][0] must be an integer from 0 to 9'],
    ];
    for (const [value, expected] of cases) expect([value, said(shape, value)]).toEqual([value, expected]);
  });
});

describe('a text', () => {
  test('matches a pattern, and has at most 2048 characters', () => {
    const shape = text(/^a+$/, 'a word');
    for (const length of [1, 2047, 2048]) expect(said(shape, 'a'.repeat(length))).toBeUndefined();
    for (const value of ['', 'b', 'a'.repeat(2049), 7, null, ['a']]) {
      expect(said(shape, value)).toBe(' must be a word');
    }
  });

  test('may be checked by a function that gets only strings', () => {
    const shape = textWhere((given) => given.endsWith('!'), 'loud');
    expect(said(shape, 'yes!')).toBeUndefined();
    for (const value of ['yes', 7, null, ['!']]) expect(said(shape, value)).toBe(' must be loud');
  });

  test('may be one of several values', () => {
    const shape = oneOf('a', 'b"');
    for (const value of ['a', 'b"']) expect(said(shape, value)).toBeUndefined();
    for (const value of ['c', '', undefined, ['a']]) expect(said(shape, value)).toBe(' must be "a" or "b\\""');
  });
});

test('an integer is in its range', () => {
  const shape = integer(2, 4);
  for (const value of [2, 3, 4]) expect(said(shape, value)).toBeUndefined();
  for (const value of [1, 5, 2.5, Number.NaN, '3', null, 3n, [3]]) {
    expect(said(shape, value)).toBe(' must be an integer from 2 to 4');
  }
  expect(said(integer(0, 2 ** 53), 2 ** 54)).toMatch(/^ must be an integer/);
});

describe('the form of a value in a bundle', () => {
  const a = (length: number) => 'a'.repeat(length);
  test.each<[keyof typeof federationShapes, string, readonly unknown[], readonly unknown[]]>([
    ['count', 'an integer from 0 to 2147483647', [0, 2 ** 31 - 1], [-1, 2 ** 31, '1']],
    [
      'line',
      'one line of 1 to 512 characters',
      ['a', a(512), 'ä ö', '\u{1f600}'.repeat(512)],
      ['', a(513), 'a\nb', 'a\n', '\na', '\0', '\x7f', '\ud800', `a\udc00b`],
    ],
    [
      'id',
      'an id: up to 128 letters, digits and . _ : -',
      ['a', 'A', '0', 'a.b_c:d-E9', a(128)],
      ['', '.a', '-a', 'a/b', 'a+b', 'a b', ' a', 'a\n', 'ä', a(129)],
    ],
    [
      'token',
      'a name: up to 128 letters, digits and . _ : / + -',
      ['a', 'Z', '7', 'text/x+json;v=1'.replace(';v=1', ''), 'a._:/+-Z', a(128)],
      ['', '/a', '+a', 'a b', 'a;b', ' a', 'a\n', a(129)],
    ],
    [
      'url',
      'a URL such as https://chain.example',
      ['https://a', 'a+b.c-d9://x', `w://${a(2044)}`],
      ['', 'https:/a', 'https://', 'HTTPS://a', '9p://a', 'https://a b', ' https://a', 'https://ä', `w://${a(2045)}`],
    ],
    ['time', 'a time in UTC such as 2026-03-01T12:00:00Z', ['2026-03-01T12:00:00Z'], ['2026-03-01', 0, null]],
    [
      'issuer',
      'an issuer: a name, # and 16 digits of 0-9a-f',
      ['a#0123456789abcdef', `A.b_c-9#${'f'.repeat(16)}`, `${a(64)}#${'0'.repeat(16)}`],
      [
        '#0123456789abcdef',
        'a#0123456789abcde',
        'a#0123456789abcdef0',
        'a#0123456789ABCDEF',
        '.a#0123456789abcdef',
      ].concat([`${a(65)}#${'0'.repeat(16)}`, 'a b#0123456789abcdef', 'a#0123456789abcdeg', ' a#0123456789abcdef']),
    ],
    [
      'digest',
      'a digest: sha256: and 64 digits of 0-9a-f',
      [`sha256:${'0f'.repeat(32)}`],
      [`sha256:${a(63)}`, `sha256:${a(65)}`, `sha256:${'g'.repeat(64)}`, `sha512:${a(64)}`, a(64), ` sha256:${a(64)}`],
    ],
    ...(['publicKey', 'privateKey'] as const).map(
      (name): [typeof name, string, readonly unknown[], readonly unknown[]] => [
        name,
        `a ${name === 'publicKey' ? 'public' : 'private'} key: ed25519: and 43 characters of base64url`,
        [`ed25519:${a(43)}`, `ed25519:${'aZ0-_'.repeat(8)}abc`],
        [`ed25519:${a(42)}`, `ed25519:${a(44)}`, `ed25519:${a(42)}=`, `ed25519:${a(42)}+`, a(43), ` ed25519:${a(43)}`],
      ],
    ),
  ])('%s is %s', (name, expected, good, bad) => {
    const shape = federationShapes[name];
    for (const value of good) expect([value, said(shape, value)]).toEqual([value, undefined]);
    for (const value of bad) expect([value, said(shape, value)]).toEqual([value, ` must be ${expected}`]);
  });
});
