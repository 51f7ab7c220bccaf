import { describe, expect, test } from 'vitest';
import { exampleArgument, exampleArguments } from '../../src/compiler/api/examples.js';
import { isRequired } from '../../src/compiler/api/is-required.js';
import type { GqlArgument } from '../../src/compiler/schema/gql-schema.js';
import {
  argumentsOf,
  type Draft,
  draftOf,
  exampleDraft,
  fitDrafts,
  initialDrafts,
  jsonOf,
  problemOf,
} from '../../web/try/drafts.js';
import { operationNamed, operations, schemaOf } from './examples.js';

const schema = schemaOf(`
(color: Enum { values: [RED, GREEN] })
(size: Input { width: Int!, height: Int })
(target: Input:OneOf { url: String, size: Size })
(custom: Scalar)
(shop)-[:PROCESS {
  operation: 'find',
  text: String!,
  /// @minimum 1
  /// @maximum 5
  count: Int!,
  ratio: Float!,
  on: Boolean!,
  color: Color!,
  /// @minItems 2
  sizes: [Size!]!,
  target: Target!,
  data: JSON!,
  custom: Custom,
  maybe: Int = 3,
}]->(box { id: ID! })
`);
const find = operationNamed(schema, 'find');
const argument = (name: string) => find.arguments.find((each) => each.name === name) as GqlArgument;

describe('a form', () => {
  test.each(operations)('has the examples of all arguments of %s', (_, schema, { arguments: args }) => {
    for (const each of args) {
      const example = exampleArgument(schema, each);
      expect(jsonOf(schema, each.type, draftOf(schema, each.type, example))).toEqual(example);
    }
  });

  test.each(operations)('begins with the required arguments of %s, each valid', (_, schema, { arguments: args }) => {
    const drafts = initialDrafts(schema, args);
    expect(Object.keys(drafts)).toEqual(args.filter(isRequired).map(({ name }) => name));
    expect(fitDrafts(schema, args, drafts)).toEqual(drafts);
  });

  test('omits optional members of inputs, except one of @oneOf', () => {
    expect(initialDrafts(schema, find.arguments)).toMatchObject({
      sizes: [{ width: expect.any(String) }, { width: expect.any(String) }],
      target: { url: expect.any(String) },
    });
    expect(initialDrafts(schema, find.arguments).sizes).not.toContainEqual({ height: expect.anything() });
  });

  test('sends the default of an optional argument that is ticked', () => {
    expect(exampleDraft(schema, argument('maybe'))).toBe('3');
  });
});

describe('a text in a control', () => {
  test.each([
    ['Int', '7', 7],
    ['Int', ' 7 ', 7],
    ['Float', '1e3', 1000],
    ['Boolean', 'false', false],
    ['String', ' 7 ', ' 7 '],
    ['ID', '7', '7'],
    ['Color', 'GREEN', 'GREEN'],
    ['JSON', '{"a": [1, null]}', { a: [1, null] }],
    ['Custom', 'free text', 'free text'],
    ['Custom', '[1]', [1]],
  ])('of %s is parsed to its value: %j', (name, text, value) => {
    expect(problemOf(schema, name, text, undefined)).toBeUndefined();
    expect(jsonOf(schema, { kind: 'named', name }, text)).toEqual(value);
  });

  test.each([
    ['Int', ''],
    ['Int', '1.5'],
    ['Int', '3000000000'],
    ['Float', 'x'],
    ['Boolean', 'yes'],
    ['JSON', '{'],
  ])('of %s that is not a valid value has a problem: %j', (name, text) => {
    expect(problemOf(schema, name, text, undefined)).toMatch(/^Expected .+\.$/);
  });

  test('that breaks a constraint has a problem', () => {
    const { constraints } = argument('count');
    expect(problemOf(schema, 'Int', '6', constraints)).toBe('The value must be at most 5.');
    expect(problemOf(schema, 'Int', '5', constraints)).toBeUndefined();
  });

  test.each(['1', 'null', '"a"', 'plain', '{'])('of a custom scalar keeps the string %j', (value) => {
    const draft = draftOf(schema, argument('custom').type, value);
    expect(jsonOf(schema, argument('custom').type, draft)).toBe(value);
  });
});

describe('drafts of another topology', () => {
  const drafts = (given: Readonly<Record<string, Draft>>) => fitDrafts(schema, find.arguments, given);

  test('lose members that the operation does not have', () => {
    expect(drafts({ text: 'a', former: 'b' })).toEqual({ text: 'a' });
    expect(drafts({ sizes: [{ width: '1', depth: '2' }] })).toEqual({ sizes: [{ width: '1' }] });
  });

  test('lose values of another form', () => {
    expect(drafts({ text: ['a'], sizes: 'b', target: [], color: 'BLUE', maybe: null })).toEqual({
      maybe: null,
    });
  });

  test('keep arguments as they were typed, valid or not', () => {
    expect(drafts({ count: 'many' })).toEqual({ count: 'many' });
    expect(argumentsOf(schema, find.arguments, { count: 'many' })).toEqual({ count: 'many' });
  });
});

test('keeps all examples of all arguments through the form', () => {
  for (const [, schema, { arguments: args }] of operations) {
    const drafts = Object.fromEntries(
      args.map((each) => [each.name, draftOf(schema, each.type, exampleArgument(schema, each))]),
    );
    expect(argumentsOf(schema, args, drafts)).toEqual(exampleArguments(schema, args));
  }
});
