import { expect, test } from 'vitest';
import { readKey, storeFull } from '../../../src/runtime/repeats/repeat-refused.js';

test.each([
  ['8e03978e-40d5', '8e03978e-40d5'],
  ['"8e03978e-40d5"', '8e03978e-40d5'],
  ['~'.repeat(255), '~'.repeat(255)],
])('accepts the key %s', (given, key) => {
  expect(readKey(given)).toBe(key);
});

test.each([
  '',
  '""',
  '"',
  'a b',
  'a,b',
  'a"b',
  '"a"b"',
  '"a b"',
  '"a,b"',
  'a\\b',
  'ä',
  'a\n',
  '\u007f',
  'a'.repeat(256),
])('rejects the key %j', (given) => {
  expect(() => readKey(given)).toThrow(expect.objectContaining({ status: 400, code: 'IDEMPOTENCY_KEY_INVALID' }));
});

test.each([
  [-5, '1'],
  [0, '1'],
  [1_001, '2'],
  [9e9, '3600'],
])('rounds a wait of %d ms to whole seconds', (wait, seconds) => {
  expect(storeFull({ kind: 'full', isGreedy: false, wait }).headers).toEqual({ 'retry-after': seconds });
});
