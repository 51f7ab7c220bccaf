import { describe, expect, it } from 'vitest';
import { check, describeSchema, findingOf, project } from './check.js';

/** Two things that claim one name: one finding, at one of them, with a label at the other. */
const collisions: readonly [text: string, ...findings: string[]][] = [
  // Nodes among each other.
  ['(read_user) (readUser)', 'GG3001 «readUser» + «read_user»'],
  ['(a) (A) (a_)', 'GG3001 «A» + «a»', 'GG3001 «a_» + «a»'],
  ['(2) (_2)', 'GG3009 «2»', 'GG3001 «_2» + «2»'],
  // Nodes that clash drag nothing along.
  ['(x { i: Int } | y)-[:PROCESS]->(read_user | readUser)', 'GG3001 «readUser» + «read_user»'],
  ['(x)-[:FOLD]->(read_user) (y)-[:FOLD]->(readUser)', 'GG3001 «readUser» + «read_user»'],
  ['(x)-[:RACE]->(read_user) (y)-[:RACE]->(readUser)', 'GG3001 «readUser» + «read_user»'],
  ['(read_user) (readUser: Enum { values: [A] })', 'GG3001 «readUser» + «read_user»'],
  ['(user) (USER) (user_input)', 'GG3001 «USER» + «user»', 'GG3003 «user_input» + «user»'],
  // Names of GraphQL.
  ['(query)', 'GG3002 «query»'],
  ['(mutation)-[:PROCESS]->(query)', 'GG3002 «mutation»', 'GG3002 «query»'],
  ['(subscription: Enum { values: [A] })', 'GG3002 «subscription»'],
  ['(string)', 'GG3002 «string»'],
  ['(int { x: Int })', 'GG3002 «int»'],
  ['(a)-[:PROCESS]->(__b)', 'GG3008 «__b»'],
  ['(a)-[:RACE]->(__)', 'GG3008 «__»'],
  // Names that are derived.
  ['(user) (user_input)', 'GG3003 «user_input» + «user»'],
  ['(user_input) (user)', 'GG3003 «user_input» + «user»'],
  ['(c_race) (a | b)-[:RACE]->(c)', 'GG3003 «c_race» + «c»'],
  // Unions by given names.
  ["(a | b)-[:RACE { union: 'A' }]->(c)", "GG3014 «union: 'A'» + «a»"],
  ["(a | b)-[:RACE { union: 'AInput' }]->(c)", "GG3014 «union: 'AInput'» + «a»"],
  ["(a | b)-[:RACE { union: 'Query' }]->(c)", "GG3014 «union: 'Query'»"],
  ["(a)-[:RACE { union: 'U' }]->(c) (b)-[:RACE { union: 'U' }]->(d)", "GG3014 «union: 'U'» + «c»"],
  ["(a)-[:RACE { union: 'U' }]->(c | d)", "GG3014 «union: 'U'» + «c»"],
  ["(a)-[:RACE { union: 'DRace' }]->(c) (b)-[:RACE]->(d)", "GG3014 «union: 'DRace'» + «d»"],
  // Operations.
  [
    '(a)-[:PROCESS]->(api_key) (a)-[:PROCESS]->(APIKey)',
    'GG3004 «(a)-[:PROCESS]->(APIKey)» + «(a)-[:PROCESS]->(api_key)»',
  ],
  ["(a)-[:PROCESS]->(b) (a)-[:PROCESS { operation: 'b' }]->(c)", "GG3004 «operation: 'b'» + «(a)-[:PROCESS]->(b)»"],
  [
    "(a)-[:FORK { operation: 'x' }]->(b) (a)-[:FORK { operation: 'x' }]->(c)",
    "GG3004 «operation: 'x'» + «operation: 'x'»",
  ],
  ["(a)-[:FOLD { operation: 'x' }]->(b | c)", "GG3004 «operation: 'x'» + «operation: 'x'»"],
];

/** What shares a name and may. */
const neighbours: readonly string[] = [
  '(user) (users) (user_2)',
  '(input)-[:PROCESS]->(output)',
  '(status: Enum { values: [A] }) (status_input)',
  '(a)-[:PROCESS]->(t) (a)-[:FOLD]->(t) (a)-[:FORK]->(t)',
  "(a)-[:PROCESS { operation: 'x' }]->(t) (a)-[:FOLD { operation: 'x' }]->(u)",
  "(a)-[:PROCESS { operation: 'b' }]->(t) (a)-[:PROCESS { operation: 'b' }]->(t) (b)",
  "(a)-[:PROCESS { operation: 'fine' }]->(t)",
];

describe('a collision of names', () => {
  it.each(collisions)('%s is reported at both places', (text, ...findings) => {
    check(text, { findings });
  });

  it.each(neighbours)('%s is not reported', (text) => {
    check(text, {});
  });

  it.each([
    ['(read_user) (readUser)', 'GG3001', 'Nodes “read_user” and “readUser” would both become the type ReadUser.'],
    ['(query)', 'GG3002', 'Node “query” would become the type Query, a name that GraphQL reserves.'],
    [
      '(user) (user_input)',
      'GG3003',
      'Node “user_input” would become the type UserInput, which is already derived from “user”.',
    ],
    ["(a)-[:FOLD { operation: 'x' }]->(b | c)", 'GG3004', 'The edges to “b” and “c” would both become the mutation x.'],
    [
      "(a)-[:RACE { union: 'AInput' }]->(c)",
      'GG3014',
      'The union of the race to “c” would be called AInput, which is already the name of the input of “a”.',
    ],
    [
      "(a)-[:RACE { union: 'ID' }]->(c)",
      'GG3014',
      'The union of the race to “c” would be called ID, which is already the name of a type of GraphQL.',
    ],
    [
      "(a)-[:RACE { union: 'U' }]->(c | d)",
      'GG3014',
      'The union of the race to “d” would be called U, which is already the name of the union of the race to “c”.',
    ],
  ])('%s has the message for %s', (text, code, message) => {
    expect(findingOf(text, code).message).toBe(message);
  });
});

describe('a setting of an edge', () => {
  it.each([
    ["(a)-[:PROCESS { operation: 'list users' }]->(b)", "GG3008 «operation: 'list users'»"],
    ["(a)-[:PROCESS { operation: '__x' }]->(b)", "GG3008 «operation: '__x'»"],
    ['(a)-[:FOLD { operation: 5 }]->(b)', 'GG2018 «operation: 5»'],
    ["(a)-[:RACE { union: '' }]->(b)", "GG3008 «union: ''»"],
    ['(a)-[:RACE { union: true }]->(b)', 'GG2018 «union: true»'],
    ["(a)-[:RACE { operation: 'x' }]->(b)", "GG3012 «operation: 'x'»"],
    ['(a)-[:RACE { returns: A }]->(b)', 'GG3012 «returns: A»'],
    ['(a)-[:RACE { x: Int }]->(b)', 'GG3012 «x: Int»'],
    ['(a)-[:FORK { returns: A }]->(b)', 'GG3012 «returns: A»'],
    ["(a)-[:FORK { union: 'U' }]->(b)", "GG3012 «union: 'U'»"],
    ["(a)-[:PROCESS { union: 'U' }]->(b)", "GG3012 «union: 'U'»"],
    ["(a)-[:FOLD { union: 'U' }]->(b)", "GG3012 «union: 'U'»"],
  ])('%s is reported', (text, finding) => {
    check(text, { findings: [finding] });
  });

  it.each([
    ['(a)-[:FOLD { operation: 5 }]->(b)', 'GG2018', '“operation” must be a name in quotes.'],
    ['(a)-[:RACE { union: 5 }]->(b)', 'GG2018', '“union” must be a name in quotes.'],
    ["(a)-[:PROCESS { operation: '1x' }]->(b)", 'GG3008', '“1x” cannot be a GraphQL name: it begins with a digit.'],
  ])('%s has the message for %s', (text, code, message) => {
    expect(findingOf(text, code).message).toBe(message);
  });

  it.each([
    ["(a)-[:RACE { operation: 'x' }]->(b)", "A union is named with union: 'Name'."],
    ['(a)-[:RACE { x: Int }]->(b)', 'A union takes no arguments; the queries that return it do.'],
    ["(a)-[:FOLD { union: 'U' }]->(b)", "An operation is named with operation: 'name'."],
    ['(a)-[:FORK { returns: A }]->(b)', 'Only PROCESS and FOLD edges declare a result type.'],
  ])('%s comes with the hint: %s', (text, hint) => {
    expect(findingOf(text, 'GG3012').hint).toBe(hint);
  });

  it.each([
    ["(a)-[:RACE { operation: 'x' }]->(b)", '“operation” has no effect on a RACE edge.'],
    ['(a)-[:RACE { x: Int }]->(b)', '“x” has no effect on a RACE edge.'],
    ["(a)-[:FOLD { union: 'U' }]->(b)", '“union” has no effect on a FOLD edge.'],
    ['(a)-[:FORK { returns: A }]->(b)', '“returns” has no effect on a FORK edge.'],
  ])('%s has a warning that it has no effect: %s', (text, message) => {
    expect(findingOf(text, 'GG3012').message).toBe(message);
  });

  it.each([
    ["(root)-[:PROCESS]->(x)\n(a)-[:PROCESS { operation: '1x' }]->(b)", 'query b: B'],
    ["(root)-[:PROCESS]->(x)\n(a)-[:RACE { union: 'no name' }]->(b)", 'union BRace = A'],
  ])('%s projects nothing', (text, line) => {
    const { schema } = project(text);
    expect(describeSchema(schema)).not.toContain(line);
    expect([...schema.queries.map(({ name }) => name), ...schema.unions]).toEqual(['x']);
  });

  it.each([
    ["(a)-[:PROCESS { operation: 'good' }]->(__b)", 'query good'],
    ["(a)-[:RACE { union: 'Good' }]->(__b)", 'union Good'],
  ])('%s has the given name, even if the name of its target is invalid', (text, start) => {
    const lines = describeSchema(project(text).schema);
    expect(lines.filter((line) => line.startsWith(start))).toHaveLength(1);
  });

  it.each(["(a)-[:PROCESS { mode: 'x', weight: 5, after: 'soon' }]->(b)", "(a)-[:RACE { take: 'smallest' }]->(b)"])(
    '%s is a note of its author',
    (text) => {
      check(text, {});
    },
  );

  it('of another edge type is always a note', () => {
    check('(a)-[:MEASURE { operation: 5, union: 5, after: 5, returns: A, x: Int }]->(b)', {
      findings: ['GG2010 «MEASURE»'],
    });
  });
});
