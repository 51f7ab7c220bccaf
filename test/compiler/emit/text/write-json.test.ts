import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeJson } from '../../../../src/compiler/emit/text/write-json.js';

describe('a JSON text', () => {
  test('is equivalent to the output of JSON.stringify for any document', () => {
    const document = fc.oneof(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), fc.array(fc.jsonValue()));
    fc.assert(
      fc.property(document, (value) => {
        // Only `Object.defineProperty` and `JSON.parse` create an own property of this name.
        fc.pre(!JSON.stringify(value).includes('__proto__'));
        expect(JSON.parse(writeJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('has valid empty lists and objects behind names of any length', () => {
    const name = 'x'.repeat(120);
    expect(writeJson({ list: { [name]: [] }, object: { [name]: {} } })).toBe(
      `{\n  "list": {\n    "${name}": []\n  },\n  "object": {\n    "${name}": {}\n  }\n}\n`,
    );
  });

  test('omits undefined members', () => {
    expect(writeJson({ a: undefined, b: { c: undefined }, d: 1 })).toBe('{\n  "b": {},\n  "d": 1\n}\n');
  });

  test('has members on one line if they fit, otherwise one member per line', () => {
    const long = 'x'.repeat(60);
    const nested = [{ a: ['b'], c: true }, []];
    expect(writeJson({ plain: ['a', 1, null], nested, long: [{ long }, long] })).toBe(
      `{
  "plain": ["a", 1, null],
  "nested": [{ "a": ["b"], "c": true }, []],
  "long": [
    { "long": "${long}" },
    "${long}"
  ]
}
`,
    );
  });

  test('has no line of more than 110 characters with more than one value', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.string({ maxLength: 30 }), { maxLength: 8 })), (rows) => {
        const long = writeJson({ rows })
          .split('\n')
          .filter((line) => line.length > 111);
        expect(long).toEqual([]);
      }),
    );
  });
});
