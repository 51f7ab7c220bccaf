import { describe, expect, test } from 'vitest';
import { patternSample } from '../../../src/compiler/api/example-values.js';
import { exampleArgument, exampleArguments, exampleResult } from '../../../src/compiler/api/examples.js';
import { defaultSelection } from '../../../src/compiler/api/selection.js';
import { argument, enumeration, object, scalar, schemaOf, type, union } from '../emit/fixtures.js';
import { project } from './check.js';

const schema = schemaOf({
  objects: [
    object('User', {
      id: 'ID!',
      name: { type: type('String!'), fallback: 'Ada' },
      nothing: { type: type('String'), fallback: null },
      tags: { type: type('[String!]!'), fallback: ['a', 'b'] },
      team: '[Team!]!',
    }),
    object('Team', { lead: 'User' }),
    object('Ring', { ring: 'Ring!' }),
  ],
  enums: [enumeration('Status', ['ACTIVE', 'SUSPENDED']), enumeration('None', [])],
  scalars: [scalar('Date')],
  unions: [union('Any', ['Team', 'User'])],
});

const result = (text: string) => exampleResult(schema, type(text), defaultSelection(schema, type(text)));

describe('the example of an argument', () => {
  test.each([
    ['ID!', '1'],
    ['String', 'Example xyz'],
    ['Int', 1],
    ['Float', 1.5],
    ['Boolean', true],
    ['Status', 'ACTIVE'],
    ['None', null],
    ['Date', '2026-01-15'],
    ['[[Int!]!]', [[1]]],
    ['RingInput', { ring: { ring: {} } }],
    ['Ring', { ring: { ring: {} } }],
  ])('of type %s is %j', (text, value) => {
    expect(exampleArgument(schema, argument('xyz', text))).toEqual(value);
  });

  test('is its default, if there is one', () => {
    expect(
      exampleArguments(schema, [
        argument('a', 'Int', 20),
        argument('b', 'Boolean', false),
        argument('c', 'Status', null),
        argument('constructor', 'ID'),
      ]),
    ).toEqual({ a: 20, b: false, c: 'ACTIVE', constructor: '1' });
  });

  test('is an input with its defaults, to three levels', () => {
    const inputs = schemaOf({
      inputs: [
        {
          name: 'AInput',
          description: undefined,
          of: 'A',
          fields: [argument('n', 'Int', 7), argument('a', 'AInput')],
        },
      ],
    });
    expect(exampleArgument(inputs, argument('a', 'AInput!'))).toEqual({ n: 7, a: { n: 7, a: { n: 7 } } });
  });

  test('has no id of an object that a store inserts, unless it is required', () => {
    const { schema: stored } = project(`
      (order: Stored { id: ID!, lines: [Line!]!, note: Note })
      (line: Stored { id: ID!, sku: String! })
      (note { id: ID! })
      (new_line: Input { id: ID!, sku: String! })
      (root)-[:FOLD { operation: 'add', input: OrderInput!, given: [NewLine!]!, returns: Order! }]->(order)`);
    const [add] = stored.mutations;
    const line = { sku: 'SKU-1001' };
    expect(exampleArguments(stored, add?.arguments ?? [])).toEqual({
      input: { id: '1', lines: [line], note: { id: '1' } },
      given: [{ id: '1', ...line }],
    });
  });

  test('stays small for types that refer to each other in every way', () => {
    const names = Array.from({ length: 40 }, (_, at) => `T${at}`);
    const dense = schemaOf({
      objects: names.map((name) =>
        object(name, { id: 'ID!', ...Object.fromEntries(names.map((other) => [`to${other}`, other])) }),
      ),
    });
    const example = exampleArgument(dense, argument('a', 'T0Input')) as Record<string, unknown>;
    expect(Object.keys(example)).toHaveLength(41);
    expect(example.toT1).toEqual({ id: '1' });
  });
});

describe('the example of a value without an explicit example', () => {
  /** The example of an argument with these tags. */
  const of = (name: string, type: string, ...tags: readonly string[]) => {
    const doc = tags.map((tag) => `/// ${tag}\n`).join('');
    const { schema: own } = project(`(root)-[:PROCESS {\n${doc} ${name}: ${type} }]->(b)`);
    return exampleArguments(own, own.queries[0]?.arguments ?? [])[name];
  };

  test.each([
    ['email', 'String', 'ada@example.com'],
    ['customerEmail', 'String!', 'ada@example.com'],
    ['homepageUrl', 'String', 'https://example.com'],
    ['title', 'String', 'A Study in Scarlet'],
    ['first_name', 'String', 'Ada'],
    ['createdAt', 'String', '2026-01-15T09:30:00Z'],
    ['tags', '[String!]!', ['news']],
    ['categories', '[String]', ['news']],
    ['price', 'Float', 19.9],
    ['unitPrice', 'Int', 20],
    ['count', 'Int', 3],
    ['xyzCounts', '[[Int]]', [[3]]],
    ['orderId', 'ID', '1'],
    ['xyz', 'String', 'Example xyz'],
    ['somethingOdd', 'String', 'Example something odd'],
    ['xyz', 'Int', 1],
    ['constructor', 'Int', 1],
  ])('follows its name: %s: %s', (name, type, value) => {
    expect(of(name, type)).toEqual(value);
  });

  test.each([
    ['Int', ['@minimum 5'], 5],
    ['Int', ['@exclusiveMaximum 0'], -1],
    ['Float', ['@minimum 0', '@maximum 0.2'], 0],
    ['Float', ['@exclusiveMinimum 0', '@exclusiveMaximum 0.2'], 0.1],
    ['Float', ['@minimum 2', '@multipleOf 0.3'], 2.1],
    ['Int', ['@multipleOf 12'], 12],
    ['String', ['@format email'], 'ada@example.com'],
    ['String', ['@format date-time'], '2026-01-15T09:30:00Z'],
    ['String', ['@format unheard-of'], 'Example xyz'],
    ['String', ['@maxLength 4'], 'abc'],
    ['String', ['@minLength 20'], 'Example xyz Example '],
    ['String', ['@pattern ^[A-Z]{3}-\\d{3}$'], 'ABC-456'],
    ['ID', ['@pattern ^(?:EAN|SKU)-[^a-z-]{2}$'], 'EAN-AB'],
    ['ID', ['@minLength 4'], '0001'],
    ['[Int!]', ['@minItems 2', '@minimum 9'], [9, 9]],
    ['[Int!]', ['@maxItems 0'], []],
  ])('is within its constraints: %s %j', (type, tags, value) => {
    expect(of('xyz', type, ...tags)).toEqual(value);
  });

  test.each([
    '^[A-Z]{3}-\\d{4}$',
    '^(GB|DE)?\\d+(?:\\.\\d{2})?$',
    '^#[0-9a-f]{6}$',
    '^\\p{Lu}\\p{L}*$',
    '^[^\\s@]+@[^\\s@]+\\.[a-z]{2,}$',
    '^(?<year>\\d{4})-(0[1-9]|1[0-2])$',
    '^\\/\\u0041\\x42$',
    'a|b|',
    '^$',
  ])('matches the pattern %s', (pattern) => {
    expect(patternSample(pattern)).toMatch(new RegExp(pattern, 'u'));
  });

  test.each(['^(?=.*\\d)\\w{3,8}$', '^(a)\\1b$', '^(?!a)a', '^a{2000}$'])(
    'is missing for the pattern %s',
    (pattern) => {
      expect(patternSample(pattern)).toBeUndefined();
    },
  );

  test('is the first @example, which precedes the default', () => {
    expect(of('xyz', 'Int = 3', '@example 7', '@example 8')).toBe(7);
    const { schema: own } = project('(b { /// @example 7\n x: Int = 3 })');
    const b = type('B');
    expect(exampleResult(own, b, defaultSelection(own, b))).toEqual({ x: 7 });
  });
});

describe('the example of a result', () => {
  test('shows the constants', () => {
    expect(result('User')).toEqual({
      id: '1',
      name: 'Ada',
      nothing: 'Example nothing',
      tags: ['a', 'b'],
      team: [
        {
          lead: {
            id: '1',
            name: 'Ada',
            nothing: 'Example nothing',
            tags: ['a', 'b'],
            team: [{ __typename: 'Team' }],
          },
        },
      ],
    });
  });

  test('of a union is its first member, and ends with __typename', () => {
    expect(result('[Any]')).toEqual([
      {
        __typename: 'Team',
        lead: {
          id: '1',
          name: 'Ada',
          nothing: 'Example nothing',
          tags: ['a', 'b'],
          team: [{ __typename: 'Team' }],
        },
      },
    ]);
    expect(result('Ring')).toEqual({ ring: { ring: { __typename: 'Ring' } } });
  });

  test('of a scalar or an enum is the example of that type', () => {
    expect(result('[Float!]')).toEqual([1.5]);
    expect(result('Status!')).toBe('ACTIVE');
  });

  test('does not change with the document that contains it', () => {
    expect(Object.isFrozen(result('User'))).toBe(true);
    expect(Object.isFrozen(exampleArgument(schema, argument('a', 'RingInput')))).toBe(true);
  });
});
