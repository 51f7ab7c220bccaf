import { describe, expect, it } from 'vitest';
import { builtinScalarNames, builtinScalars } from '../../../src/compiler/graph/builtin-scalars.js';
import type { JsonValue } from '../../../src/compiler/graph/json-value.js';

describe('the built-in scalars', () => {
  it('are five', () => {
    expect([...builtinScalarNames]).toEqual(['ID', 'String', 'Int', 'Float', 'Boolean']);
  });

  it.each<[name: string, text: string, value: JsonValue | undefined]>([
    ['ID', '1', '1'],
    ['String', 'a b', 'a b'],
    ['Int', '-5', -5],
    ['Int', '+5', 5],
    ['Int', '-2147483648', -2147483648],
    ['Int', '2147483648', undefined],
    ['Int', '1.0', undefined],
    ['Int', '', undefined],
    ['Int', '1e3', undefined],
    ['Int', '12 ', undefined],
    ['Int', '0x10', undefined],
    ['Float', '1e3', 1000],
    ...['5', '-5', '+5', '12', '1.', '12.34', '.25', '1E3', '1e-3', '1e+3', '2e10', '-.5e1'].map(
      (text): [string, string, number] => ['Float', text, Number(text)],
    ),
    ...['', '.', ' 1', '1 ', '0x10', '1e', 'e1', '1.5.5', 'Infinity'].map((text): [string, string, undefined] => [
      'Float',
      text,
      undefined,
    ]),
    ['Float', '1e999', undefined],
    ['Float', 'NaN', undefined],
    ['Boolean', 'true', true],
    ['Boolean', 'false', false],
    ['Boolean', '1', undefined],
  ])('parse a string: %s of “%s” is %s', (name, text, value) => {
    expect(builtinScalars.get(name)?.fromText(text)).toBe(value);
  });

  it.each<[name: string, json: JsonValue, value: JsonValue | undefined]>([
    ['ID', 'x', 'x'],
    ['ID', 7, '7'],
    ['ID', 1.5, undefined],
    ['ID', true, undefined],
    ['String', 'x', 'x'],
    ['String', 5, undefined],
    ['Int', -2147483648, -2147483648],
    ['Int', 2147483648, undefined],
    ['Int', 1.5, undefined],
    ['Int', '5', undefined],
    ['Float', 1.5, 1.5],
    ['Float', '1.5', undefined],
    ['Boolean', false, false],
    ['Boolean', 'false', undefined],
  ])('parse JSON: %s of %j is %s', (name, json, value) => {
    expect(builtinScalars.get(name)?.fromJson(json)).toBe(value);
  });

  it('accept their own examples', () => {
    for (const { example, fromJson, fromText } of builtinScalars.values()) {
      expect(fromJson(example)).toEqual(example);
      expect(fromText(String(example))).toEqual(example);
    }
  });
});
