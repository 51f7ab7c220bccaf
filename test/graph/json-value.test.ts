import { expect, it } from 'vitest';
import { type JsonValue, sameJson } from '../../src/graph/json-value.js';

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

it('JSON values are the same when their texts are', () => {
  for (const one of values) {
    for (const other of values) {
      const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
      expect(sameJson(one, structuredClone(other)), `${a} and ${b}`).toBe(a === b);
    }
  }
});
