import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/compiler/graph/json-value.js';
import { leafText, queryPairs, queryParameterStyle } from '../../../src/compiler/schema/wire.js';
import { argument, enumeration, object, scalar, schemaOf, type } from '../emit/fixtures.js';

const schema = schemaOf({
  objects: [
    object('Flat', { id: 'ID!', status: 'Status', when: 'Date' }),
    object('Listed', { ids: '[ID!]' }),
    object('Nested', { flat: 'Flat' }),
    object('Mixed', { id: 'ID!', flat: 'Flat' }),
    object('Self', { self: 'Self' }),
    object('Empty', {}),
  ],
  enums: [enumeration('Status', ['ACTIVE'])],
  scalars: [scalar('Date')],
});

describe('the style of an argument in a query string', () => {
  test.each([
    ['String', 'text'],
    ['ID!', 'text'],
    ['Status', 'text'],
    ['Date!', 'text'],
    ['[Int]', 'repeated'],
    ['[Status!]!', 'repeated'],
    ['[Date]', 'repeated'],
    ['FlatInput', 'deepObject'],
    ['FlatInput!', 'deepObject'],
    ['Flat', 'deepObject'],
    ['ListedInput', 'json'],
    ['NestedInput', 'json'],
    ['MixedInput', 'json'],
    ['SelfInput', 'json'],
    ['EmptyInput', 'json'],
    ['[FlatInput!]', 'json'],
    ['[[Int]]', 'json'],
    ['[[Int!]!]!', 'json'],
  ])('of %s is %s', (text, style) => {
    expect(queryParameterStyle(schema, type(text))).toBe(style);
  });

  test('throws an invariant for a type that the schema lacks', () => {
    expect(() => queryParameterStyle(schema, type('Nowhere'))).toThrow('invariant: the schema has no type Nowhere');
  });
});

describe('the pairs of an argument', () => {
  test.each<[string, JsonValue, [string, string][]]>([
    ['String', 'a b', [['a', 'a b']]],
    ['Int', 5, [['a', '5']]],
    ['Boolean', false, [['a', 'false']]],
    ['String', null, []],
    ['Date', { any: 1 }, [['a', '{"any":1}']]],
    [
      '[Int]',
      [1, 2],
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    ['[Int]', [], [['a', '']]],
    ['[String!]', [], [['a', '']]],
    [
      'FlatInput',
      { id: '1', status: null, when: 'now' },
      [
        ['a[id]', '1'],
        ['a[when]', 'now'],
      ],
    ],
    ['NestedInput', { flat: null }, [['a', '{"flat":null}']]],
    ['[[Int]]', [[1], null], [['a', '[[1],null]']]],
    ['[[Int]]', null, [['a', 'null']]],
  ])('of type %s with %j are %j', (text, value, pairs) => {
    expect(queryPairs(schema, argument('a', text), value)).toEqual(pairs);
  });

  test('write a string unchanged and anything else as JSON', () => {
    expect(['"', 1.5, true, [1]].map(leafText)).toEqual(['"', '1.5', 'true', '[1]']);
  });
});
