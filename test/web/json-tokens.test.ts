import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonParts } from '../../web/try/json-tokens.js';

const textOf = (json: string) =>
  jsonParts(json)
    ?.map(({ text }) => text)
    .join('');

test('lays out JSON like JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false } as never), (value) => {
      expect(textOf(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

test('keeps all digits of numbers', () => {
  expect(textOf('{"a":12345678901234567890,"b":1.0}')).toBe('{\n  "a": 12345678901234567890,\n  "b": 1.0\n}');
});

test('distinguishes keys, strings, numbers and words', () => {
  const kinds = jsonParts('{"a":["b",-1e5,null]}')?.map(({ kind }) => kind);
  expect(kinds?.filter((kind) => kind !== 'plain')).toEqual(['key', 'string', 'number', 'word']);
});

test.each(['', 'text', '{', '<html>'])('rejects %j', (text) => {
  expect(jsonParts(text)).toBeUndefined();
});
