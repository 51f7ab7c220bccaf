import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonPlaces } from '../../../src/base/source/json-places.js';
import { pointerStep } from '../../../src/base/source/json-pointer.js';

/** The pointers of all values inside a value, with the values. */
function* inside(value: unknown, pointer = ''): Iterable<readonly [string, unknown]> {
  yield [pointer, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) yield* inside(member, pointer + pointerStep(name));
}

describe('places in JSON', () => {
  it('are found for every value in any notation', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const { values } = jsonPlaces(text);
        const found = [...values].map(([pointer, [start, end]]) => [pointer, text.slice(start, end)] as const);
        expect(new Map(found.map(([pointer, part]) => [pointer, JSON.parse(part)]))).toEqual(
          new Map([...inside(JSON.parse(text))]),
        );
      }),
    );
  });

  it('include the keys with their quotes', () => {
    const text = '{"a": [{"b\\"/": "}]{["}]}';
    const { keys } = jsonPlaces(text);
    expect([...keys].map(([pointer, [start, end]]) => [pointer, text.slice(start, end)])).toEqual([
      ['/a', '"a"'],
      ['/a/0/b"~1', '"b\\"/"'],
    ]);
  });
});
