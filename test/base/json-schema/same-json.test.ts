import { expect, it } from 'vitest';
import { sameJson } from '../../../src/base/json-schema/same-json.js';
import type { JsonValue } from '../../../src/compiler/graph/json-value.js';

const values: readonly (JsonValue | undefined)[] = [
  undefined,
  null,
  true,
  0,
  1,
  '',
  '1',
  '[1]',
  [],
  [null],
  [0],
  [1],
  [1, 2],
  [1, 3],
  [2, 2],
  [[1], [2]],
  [[1], [3]],
  {},
  { a: 1 },
  { a: 2 },
  { 0: 1 },
];

it('compares JSON values like their texts', () => {
  for (const one of values) {
    for (const other of values) {
      const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
      expect(sameJson(one, structuredClone(other)), `${a} and ${b}`).toBe(a === b);
    }
  }
});

it('ignores the order of members, but not their names', () => {
  expect(sameJson({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })).toBe(true);
  expect(sameJson({ a: 1 }, { b: 1 })).toBe(false);
  expect(sameJson({ toString: 1 }, { valueOf: 1 })).toBe(false);
});
