import { describe, expect, test } from 'vitest';
import { exampleArguments, exampleOf, exampleResult } from '../../src/api/examples.js';
import { defaultSelection } from '../../src/api/selection.js';
import { argument, enumeration, object, scalar, schemaOf, type, union } from '../emit/fixtures.js';

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
    ['String', 'text'],
    ['Int', 1],
    ['Float', 1.5],
    ['Boolean', true],
    ['Status', 'ACTIVE'],
    ['None', null],
    ['Date', 'text'],
    ['[[Int!]!]', [[1]]],
    ['RingInput', { ring: { ring: {} } }],
    ['Ring', { ring: { ring: {} } }],
  ])('of type %s is %j', (text, value) => {
    expect(exampleOf(schema, type(text))).toEqual(value);
  });

  test('is its default where it has one', () => {
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
    expect(exampleOf(inputs, type('AInput!'))).toEqual({ n: 7, a: { n: 7, a: { n: 7 } } });
  });

  test('stays small for types that refer to each other in every way', () => {
    const names = Array.from({ length: 40 }, (_, at) => `T${at}`);
    const dense = schemaOf({
      objects: names.map((name) =>
        object(name, { id: 'ID!', ...Object.fromEntries(names.map((other) => [`to${other}`, other])) }),
      ),
    });
    const example = exampleOf(dense, type('T0Input')) as Record<string, unknown>;
    expect(Object.keys(example)).toHaveLength(41);
    expect(example.toT1).toEqual({ id: '1' });
  });
});

describe('the example of a result', () => {
  test('shows the constants that are served', () => {
    expect(result('User')).toEqual({
      id: '1',
      name: 'Ada',
      nothing: 'text',
      tags: ['a', 'b'],
      team: [{ lead: { id: '1', name: 'Ada', nothing: 'text', tags: ['a', 'b'] } }],
    });
  });

  test('of a union is its first member, and ends with __typename', () => {
    expect(result('[Any]')).toEqual([
      {
        __typename: 'Team',
        lead: { id: '1', name: 'Ada', nothing: 'text', tags: ['a', 'b'], team: [{ __typename: 'Team' }] },
      },
    ]);
    expect(result('Ring')).toEqual({ ring: { ring: { __typename: 'Ring' } } });
  });

  test('of a scalar or an enum is the example of it', () => {
    expect(result('[Float!]')).toEqual([1.5]);
    expect(result('Status!')).toBe('ACTIVE');
  });

  test('does not change with the document that contains it', () => {
    expect(Object.isFrozen(result('User'))).toBe(true);
    expect(Object.isFrozen(exampleOf(schema, type('RingInput')))).toBe(true);
  });
});
