import { expect, test } from 'vitest';
import type { Column } from '../../../src/analysis/store/model.js';
import { toDatabase } from '../../../src/runtime/store/values.js';

const column = (kind: Column['kind']): Column => ({ name: 'a', kind, isNullable: true });

test.each([
  ['text', 'a\0b', 'it contains the character U+0000'],
  ['text', 'a\ud800', 'it contains half of a surrogate pair'],
  ['json', { a: ['\0'] }, 'it contains the character U+0000 or half of a surrogate pair'],
  ['json', ['\\\udfff'], 'it contains the character U+0000 or half of a surrogate pair'],
  ['json', () => 1, 'it has no JSON form'],
  ['long', 2n ** 63n, 'it is no 64-bit integer'],
  ['long', -(2n ** 63n) - 1n, 'it is no 64-bit integer'],
  ['instant', 'yesterday', 'it is no time'],
  ['instant', '9999-12-31T23:59:59-01:00', 'its year is not between 0 and 9999'],
  ['instant', new Date(-1e15), 'its year is not between 0 and 9999'],
] as const)('rejects a value that a column of %s cannot keep: %o', (kind, value, reason) => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    expect(() => toDatabase(engine, column(kind), value)).toThrow(
      expect.objectContaining({
        message: `The value of “a” cannot be stored: ${reason}.`,
        extensions: { code: 'BAD_USER_INPUT' },
      }),
    );
  }
});

test.each([
  ['sqlite', 'text', new Uint8Array([104, 105]), 'aGk='],
  ['sqlite', 'text', new Date(0), '1970-01-01T00:00:00.000Z'],
  ['sqlite', 'text', new URL('https://a.b/c'), 'https://a.b/c'],
  ['sqlite', 'text', '😀', '😀'],
  ['sqlite', 'json', { a: 2n ** 60n, b: '\\u0000' }, '{"a":"1152921504606846976","b":"\\\\u0000"}'],
  ['sqlite', 'boolean', true, 1],
  ['postgres', 'boolean', true, true],
  ['sqlite', 'long', '5', 5n],
  ['sqlite', 'float', 0.1, 0.1],
  ['sqlite', 'instant', '0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
  ['postgres', 'instant', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z BC'],
  ['postgres', 'integer', undefined, null],
] as const)('writes to %s a value of %s: %o', (engine, kind, value, expected) => {
  expect(toDatabase(engine, column(kind), value)).toEqual(expected);
});
