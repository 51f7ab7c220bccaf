import fc from 'fast-check';
import {
  buildSchema,
  type FieldNode,
  type GraphQLField,
  getArgumentValues,
  getVariableValues,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import {
  planArguments,
  planInput,
  planVariables,
  refused,
} from '../../../../src/runtime/execute/compiled/argument-plan.js';
import { runs } from '../../../arbitraries/runs.js';

const schema = buildSchema(`
  enum Status { ACTIVE SUSPENDED }
  scalar Stamp
  input Point { x: Float!, y: Float! = 2, name: String, tags: [String!], next: Point, status: Status = ACTIVE }
  input Odd { constructor: String }
  input Either @oneOf { a: Int, b: String }
  type Query {
    get(id: ID!, n: Int = 5, b: Boolean, f: Float, s: String!, status: Status, at: Point, all: [[Int!]],
      stamp: Stamp, odd: Odd, either: Either): Int
    some(id: ID!, n: Int! = 5, s: String, at: Point = { x: 1 }): Int
  }`);

const texts = [
  'query ($id: ID!, $s: String!) { get(id: $id, s: $s) }',
  'query ($id: ID!, $n: Int, $b: Boolean, $f: Float) { get(id: $id, n: $n, b: $b, f: $f, s: "fixed") }',
  'query ($id: ID!, $status: Status, $at: Point) { get(id: $id, status: $status, at: $at, s: "x") }',
  'query ($id: ID!, $all: [[Int!]]) { get(id: $id, all: $all, s: "x") }',
  'query ($id: ID!, $stamp: Stamp) { get(id: $id, stamp: $stamp, s: "x") }',
  'query ($id: ID!, $odd: Odd, $either: Either) { get(id: $id, odd: $odd, either: $either, s: "x") }',
  'query ($id: ID = 7) { get(id: $id, s: "x") }',
  'query ($f: Float) { get(id: 5, s: "x", f: $f, at: { x: 1.5 }, all: [[1]], status: ACTIVE, b: true) }',
  '{ get(id: "a", s: "x", n: null) }',
  '{ get(id: "a", s: "x") }',
  'query ($n: Int! = 3) { some(id: 1, n: $n) }',
  'query ($n: Int!, $s: String) { some(id: 1, n: $n, s: $s) }',
  '{ some(id: 1) }',
];

const leaf = fc.constantFrom<unknown>(
  ...['a', '', 'ACTIVE', 'NONE', 0, -0, 5, 1.5, 2 ** 31, 1e21, Number.NaN, true, null, undefined],
);
const point = fc.letrec((tie) => ({
  point: fc.record(
    {
      x: fc.oneof({ weight: 4, arbitrary: fc.double({ noNaN: true }) }, { weight: 1, arbitrary: leaf }),
      y: fc.oneof(fc.integer(), leaf),
      name: leaf,
      tags: fc.oneof(fc.array(fc.string(), { maxLength: 2 }), leaf),
      next: fc.option(tie('point'), { depthSize: 'small' }),
      status: leaf,
      other: leaf,
    },
    { requiredKeys: ['x'] },
  ),
})).point;
const given = fc.record(
  {
    id: fc.oneof(fc.string(), fc.integer(), leaf),
    n: leaf,
    b: leaf,
    f: leaf,
    s: fc.oneof(fc.string(), leaf),
    status: leaf,
    at: fc.oneof({ weight: 4, arbitrary: point }, { weight: 1, arbitrary: leaf }),
    all: fc.oneof(fc.array(fc.oneof(fc.array(fc.oneof(fc.integer(), leaf)), leaf)), leaf),
    stamp: leaf,
    odd: fc.constantFrom<unknown>({}, { constructor: 'x' }, null),
    either: fc.constantFrom<unknown>({ a: 1 }, { a: 1, b: 'x' }, null),
  },
  { requiredKeys: ['id'] },
);

function partsOf(text: string) {
  const operation = parse(text).definitions[0] as OperationDefinitionNode;
  const node = operation.selectionSet.selections[0] as FieldNode;
  const field = schema.getQueryType()?.getFields()[node.name.value] as GraphQLField<unknown, unknown>;
  return { operation, node, field };
}

function planned(text: string) {
  const { operation, node, field } = partsOf(text);
  const readVariables = planVariables(schema, operation);
  const readArguments = planArguments(field, node);
  return (given: Record<string, unknown>) => {
    const variables = readVariables(given);
    const args = variables && readArguments(variables);
    return args && { variables, args };
  };
}

/** What graphql-js makes of variables, or undefined where it has something to say about them. */
function byGraphQL(text: string, variables: Record<string, unknown>) {
  const { operation, node, field } = partsOf(text);
  const made = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
  // The name in graphql-js 17, and the one in 16.
  const coerced = 'variableValues' in made ? (made.variableValues as object) : made.coerced;
  if (coerced === undefined) return undefined;
  try {
    return { variables: coerced, args: getArgumentValues(field, node, coerced as Record<string, unknown>) };
  } catch {
    return undefined;
  }
}

describe('planned arguments', () => {
  test('equal the arguments of graphql-js, in the same order', () => {
    fc.assert(
      fc.property(fc.constantFrom(...texts), given, (text, variables) => {
        const made = planned(text)(variables);
        const expected = byGraphQL(text, variables);
        expect(made).toStrictEqual(expected);
        expect(JSON.stringify(made)).toBe(JSON.stringify(expected));
      }),
      { numRuns: runs(1_500) },
    );
  });

  test('are new objects for each call, because a resolver may change them', () => {
    const read = planned(texts[7] as string);
    const [first, second] = [read({}), read({})];
    expect(first?.args.at).toEqual({ x: 1.5, y: 2, status: 'ACTIVE' });
    expect(first?.args.at).not.toBe(second?.args.at);
  });

  test('leave unusual variables to graphql-js', () => {
    const type = (name: string) => schema.getType(name) as never;
    expect(planInput(type('Stamp'))('x')).toBe(refused);
    expect(planInput(type('Odd'))({})).toBe(refused);
    expect(planInput(type('Either'))({ a: 1 })).toBe(refused);
    expect(planInput(type('Point'))({ y: 1 })).toBe(refused);
    expect(planInput(type('Point'))([])).toBe(refused);
    expect(planInput(type('Point'))({ x: 1, next: { x: 2 } })).toEqual({
      x: 1,
      y: 2,
      next: { x: 2, y: 2, status: 'ACTIVE' },
      status: 'ACTIVE',
    });
  });
});
