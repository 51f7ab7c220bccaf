import { describe, expect, it } from 'vitest';
import type { GqlOperation } from '../../../src/compiler/schema/gql-schema.js';
import { check, findingOf, project } from './check.js';

const operationOf = (text: string, name: string): GqlOperation => {
  const { schema } = project(text);
  const found = [...schema.queries, ...schema.mutations, ...schema.subscriptions].find(
    (operation) => operation.name === name,
  );
  if (found === undefined) throw new Error(`there is no operation ${name}`);
  return found;
};

describe('a union among the arguments of an edge', () => {
  it('is omitted, and the other arguments stay', () => {
    const text = '(a)-[:PROCESS { x: Int, u: TRace, y: ID! }]->(b) (s)-[:RACE]->(t)';
    check(text, { has: ['query b(x: Int, y: ID!): B'], findings: ['GG3013 «u: TRace»'] });
  });
});

describe('a PROCESS edge', () => {
  it.each([
    ['becomes a query to its target', '(root)-[:PROCESS]->(read_user)', ['query readUser: ReadUser']],
    [
      'takes the declared fields of its source, with their defaults',
      "(q { id: ID!, first: Int = 20, kind: 'all' })-[:PROCESS]->(t)",
      ['query t(id: ID!, first: Int = 20, kind: String! = "all"): T'],
    ],
    [
      'takes the fields of all its sources',
      '(a { x: Int } | b { y: Int })-[:PROCESS]->(t)',
      ['query t(x: Int, y: Int): T'],
    ],
    [
      'takes its own arguments before those of its source',
      '(a { x: Int })-[:PROCESS { y: Int = 1, z: [ID!]! }]->(t)',
      ['query t(y: Int = 1, z: [ID!]!): T'],
    ],
    [
      'takes objects through their inputs and enums as they are',
      '(a { u: U!, us: [U!], e: E, s: S })-[:PROCESS]->(t) (u) (e: Enum { values: [X] }) (s: Scalar)',
      ['query t(u: UInput!, us: [UInput!], e: E, s: S): T'],
    ],
    [
      'takes an input that is named as such',
      '(a)-[:PROCESS { u: UInput!, v: U }]->(t) (u)',
      ['query t(u: UInput!, v: UInput): T'],
    ],
    [
      'does not take the id of a source that declares none, nor anything of an enum',
      '(a | e: Enum { values: [X] })-[:PROCESS]->(t)',
      ['query t: T'],
    ],
    [
      'becomes a query for each target, with the same arguments',
      '(a { x: Int })-[:PROCESS]->(t | u)',
      ['query t(x: Int): T', 'query u(x: Int): U'],
    ],
    ['may return something else', '(a)-[:PROCESS { returns: [U!]! }]->(t) (u)', ['query t: [U!]!']],
    ['may return a scalar or an enum', '(a)-[:PROCESS { returns: Int! }]->(t)', ['query t: Int!']],
    ['may lead to an enum', '(a)-[:PROCESS]->(e: Enum { values: [X] })', ['query e: E']],
    ['may lead to itself', '(a { x: Int })-[:PROCESS]->(a)', ['query a(x: Int): A']],
    ['may have another name', "(a)-[:PROCESS { operation: 'getIt' }]->(t)", ['query getIt: T']],
    [
      'with another name makes a second query of one target',
      "(a)-[:PROCESS { id: ID! }]->(t) (a)-[:PROCESS { operation: 'listT', returns: [T!]! }]->(t)",
      ['query t(id: ID!): T', 'query listT: [T!]!'],
    ],
    [
      'unites with others to the same target',
      '(a { x: Int })-[:PROCESS]->(t) (b { y: Int, x: Int })-[:PROCESS]->(t)',
      ['query t(x: Int, y: Int): T'],
    ],
    [
      'returns the union where its target is raced',
      '(a)-[:PROCESS]->(t) (x | y)-[:RACE]->(t) (a)-[:PROCESS { returns: [T!]! }]->(u)',
      ['query t: TRace', 'query u: [TRace!]!'],
    ],
    ['may return a union by name', '(a)-[:PROCESS { returns: TRace }]->(u) (x)-[:RACE]->(t)', ['query u: TRace']],
    [
      'has its own arguments, however many edges with several targets there are',
      '(a { x: Int } | b { y: Int })-[:PROCESS]->(t | u) (c { z: Int })-[:PROCESS]->(t | u) (d { z: ID })-[:PROCESS]->(v | w) (a)-[:PROCESS]->(v | w)',
      ['query u(x: Int, y: Int, z: Int): U', 'query w(z: ID, x: Int): W'],
    ],
    ['also comes from a call', '/// Doc.\nx.f().g()', ['query f: F', 'query g: G']],
    [
      'takes the input of the raced node, where a field of its source is a union',
      '(a { t: TRace! })-[:PROCESS]->(u) (x)-[:RACE]->(t)',
      ['query u(t: TInput!): U'],
    ],
  ])('%s', (_, text, has) => {
    check(text, { has });
  });
});

describe('a FOLD edge', () => {
  it.each([
    [
      'becomes a mutation with the input of its source',
      '(input_user)-[:FOLD]->(save_user)',
      ['mutation saveUser(input: InputUserInput): SaveUser'],
    ],
    [
      'takes one argument for each of two sources',
      '(user_form | api_key)-[:FOLD]->(t)',
      ['mutation t(userForm: UserFormInput, apiKey: ApiKeyInput): T'],
    ],
    [
      'from each of two sources is the same as one from both',
      '(a)-[:FOLD]->(t) (b)-[:FOLD]->(t)',
      ['mutation t(a: AInput, b: BInput): T'],
    ],
    [
      'twice from one source is the same as once',
      '(a)-[:FOLD]->(t) (a)-[:FOLD]->(t)',
      ['mutation t(input: AInput): T'],
    ],
    ['takes its own arguments before its source', '(a { x: Int })-[:FOLD { y: Int }]->(t)', ['mutation t(y: Int): T']],
    [
      'unites its own arguments with the source of another',
      '(a)-[:FOLD { y: Int }]->(t) (b)-[:FOLD]->(t)',
      ['mutation t(y: Int, input: BInput): T'],
    ],
    [
      'takes an enum and a scalar as they are',
      '(e: Enum { values: [X] } | s: Scalar)-[:FOLD]->(t)',
      ['mutation t(e: E, s: S): T'],
    ],
    [
      'may return something else and have another name',
      "(a)-[:FOLD { operation: 'do', returns: [U!] }]->(t) (u)",
      ['mutation do(input: AInput): [U!]'],
    ],
    [
      'returns the union where its target is raced',
      '(a)-[:FOLD]->(t) (x | y)-[:RACE]->(t)',
      ['mutation t(input: AInput): TRace'],
    ],
    [
      'may have the name of a query',
      '(a)-[:FOLD]->(t) (b)-[:PROCESS]->(t)',
      ['mutation t(input: AInput): T', 'query t: T'],
    ],
  ])('%s', (_, text, has) => {
    check(text, { has });
  });
});

describe('a FORK edge', () => {
  it.each([
    [
      'becomes a subscription for each target',
      '(a { x: Int })-[:FORK]->(b | c)',
      ['subscription b: B', 'subscription c: C'],
    ],
    ['takes its own arguments as filters', '(a)-[:FORK { x: ID }]->(b)', ['subscription b(x: ID): B']],
    ['may have another name', "(a)-[:FORK { operation: 'onB' }]->(b)", ['subscription onB: B']],
    ['may lead to itself', '(q)-[:FORK]->(q)', ['subscription q: Q']],
  ])('%s', (_, text, has) => {
    check(text, { has });
  });
});

const twelve = 'abcdefghijkl'.split('').join(' | ');

describe('the description of an operation', () => {
  it.each([
    ['(root)-[:PROCESS]->(read_user)', 'readUser', 'Query from topology edge root to read_user'],
    ['(a | b)-[:PROCESS]->(t)', 't', 'Query from topology edge a | b to t'],
    ['(a)-[:PROCESS]->(t) (b)-[:PROCESS]->(t)', 't', 'Query from topology edges a to t, b to t'],
    ['(a)-[:PROCESS]->(t) (a)-[:PROCESS]->(t)', 't', 'Query from topology edge a to t'],
    ['(a)-[:FOLD]->(t)', 't', 'Mutation (fold) from a to t'],
    ['(a)-[:FOLD]->(t) (b)-[:FOLD]->(t)', 't', 'Mutation (fold) from a to t, b to t'],
    ['(a)-[:FORK]->(t | u)', 'u', 'Subscription (fork) from a to u'],
    [`(${'abcdefghijkl'.split('').join('|')})-[:FORK]->(t)`, 't', `Subscription (fork) from ${twelve} to t`],
    [
      `(${'abcdefghijklmn'.split('').join('|')})-[:FORK]->(t)`,
      't',
      `Subscription (fork) from ${twelve} and 2 more to t`,
    ],
    ['(a)-[:FORK]->(t) (b)-[:FORK]->(t) (a)-[:FORK]->(t)', 't', 'Subscription (fork) from a to t, b to t'],
    ['/// Reads it.\n(a)-[:PROCESS]->(t)', 't', 'Reads it.'],
    ['/// Reads it.\n(a)-[:PROCESS]->(t)\n(b)-[:PROCESS]->(t)', 't', 'Reads it.'],
    ['/// One.\n(a)-[:PROCESS]->(t)\n/// Two.\n(b)-[:PROCESS]->(t)', 't', 'One.\n\nTwo.'],
  ])('names its edges or has their comments: %s', (text, name, description) => {
    expect(operationOf(text, name).description).toBe(description);
  });
});

describe('an operation', () => {
  it('lists every edge that it comes from', () => {
    const text = '(a | b)-[:PROCESS]->(t) (c)-[:PROCESS]->(t)';
    const { edges } = operationOf(text, 't');
    expect(edges.map(({ edge, from, to }) => [edge, from, to])).toEqual([
      ['PROCESS', ['a', 'b'], 't'],
      ['PROCESS', ['c'], 't'],
    ]);
    expect(edges.map(({ span }) => text.slice(span.start, span.end))).toEqual(text.split(/ (?=\(c)/));
  });

  it('has the place and the description of its arguments', () => {
    const text = '(a { /// How many.\n n: Int })-[:PROCESS]->(t)';
    const [argument] = operationOf(text, 't').arguments;
    expect(argument).toMatchObject({ name: 'n', description: 'How many.' });
    expect(text.slice(argument?.span?.start, argument?.span?.end)).toBe('n: Int');
  });

  it.each([
    [
      'two types of one argument, from two sources',
      '(a { x: Int } | b { x: ID })-[:PROCESS]->(t)',
      'GG3005 «x: ID» + «x: Int»',
    ],
    [
      'two types of one argument, from two edges',
      '(a { x: Int })-[:PROCESS]->(t) (b)-[:PROCESS { x: Int! }]->(t)',
      'GG3005 «x: Int!» + «x: Int»',
    ],
    [
      'two types of one argument, once for all targets of two edges',
      '(a { x: Int })-[:PROCESS]->(t | u | v) (b { x: ID })-[:PROCESS]->(t | u | v)',
      'GG3005 «x: ID» + «x: Int»',
    ],
    [
      'two types of one argument, once for all targets of the edge',
      '(a { x: Int } | b { x: ID })-[:PROCESS]->(t | u | v)',
      'GG3005 «x: ID» + «x: Int»',
    ],
    [
      'an argument that is also a source',
      '(a)-[:FOLD { input: ID }]->(t) (b)-[:FOLD]->(t)',
      'GG3005 «b» + «input: ID»',
    ],
    [
      'two sources that would be arguments of one name',
      '(api_key { x: Int } | APIKey { y: Int })-[:FOLD]->(t)',
      'GG3005 «APIKey» + «api_key»',
    ],
    ['a union as an argument', '(a)-[:PROCESS { u: TRace }]->(b) (x)-[:RACE]->(t)', 'GG3013 «u: TRace»'],
    ['an input as the result', '(a)-[:PROCESS { returns: [TInput!] }]->(b) (t)', 'GG3013 «returns: [TInput!]»'],
    [
      'two results',
      '(a)-[:PROCESS { returns: A }]->(t) (b)-[:PROCESS { returns: [A] }]->(t)',
      'GG3006 «returns: [A]» + «returns: A»',
    ],
    [
      'an explicit result beside that of the target',
      '(a)-[:FOLD]->(t) (a)-[:FOLD { returns: A }]->(t)',
      'GG3006 «returns: A» + «(a)-[:FOLD]->(t)»',
    ],
  ])('may not have %s', (_, text, finding) => {
    check(text, { findings: [finding] });
  });

  it('may have its result set by one edge if that is the target anyway', () => {
    check('(a)-[:PROCESS { returns: T }]->(t) (b)-[:PROCESS]->(t)', { has: ['query t: T'] });
  });

  it('has no default if the defaults of its sources differ', () => {
    const text = "(a { x: 'one', y: Int = 1 } | b { x: 'two', y: Int } | c { x: 'three' })-[:PROCESS]->(t)";
    check(text, {
      has: ['query t(x: String!, y: Int): T'],
      findings: ["GG3017 «x: 'two'» + «x: 'one'»"],
    });
    expect(findingOf(text, 'GG3017').message).toBe(
      'The argument “x” of t has two defaults, "one" and "two"; neither is used.',
    );
  });

  it.each([
    ['(a)-[:PROCESS { u: TRace }]->(b) (x)-[:RACE]->(t)', 'TRace cannot be used in an argument.'],
    ['(a)-[:PROCESS { returns: [TInput!] }]->(b) (t)', '[TInput!] cannot be used in a result.'],
    ['(a { t: TInput }) (t)', 'TInput cannot be used in a field.'],
  ])('%s is reported: %s', (text, message) => {
    expect(findingOf(text, 'GG3013').message).toBe(message);
  });

  it('points at both places of an argument, a default or a result that clash', () => {
    const words = (text: string, code: string) => findingOf(text, code).labels.map(({ message }) => message);
    expect(words('(a { x: Int } | b { x: ID })-[:PROCESS]->(t)', 'GG3005')).toEqual(['“x” is first declared here']);
    expect(words("(a { x: 'y' } | b { x: 'z' })-[:PROCESS]->(t)", 'GG3017')).toEqual(['“x” is first declared here']);
    expect(words('(a)-[:FOLD]->(t) (a)-[:FOLD { returns: A }]->(t)', 'GG3006')).toEqual(['T here']);
    expect(words("(a)-[:FOLD { operation: 'x' }]->(b | c)", 'GG3004')).toEqual(['x for “b” comes from here']);
  });

  it('names the two types in the message of a clash', () => {
    const { message } = findingOf('(a { x: U! } | b { x: ID })-[:PROCESS]->(t) (u)', 'GG3005');
    expect(message).toBe('t would get the argument “x” twice, as UInput! and as ID.');
  });
});

describe('a topology without a query', () => {
  it('is reported once, at its beginning', () => {
    check('(a)-[:FOLD]->(b)', { has: ['mutation b(input: AInput): B'], findings: ['GG3010 «»'] });
    check({ 'a.gg': '// Nothing here.', 'b.gg': '(a)' }, { findings: ['GG3010 «»'] });
  });

  it('is not reported if it has no node at all, or if its query has an error', () => {
    check('', { findings: ['GG1017 «»'] });
    expect(project('').diagnostics.map(({ code }) => code)).toEqual(['GG1017']);
    expect(project("(a)-[:PROCESS { operation: '' }]->(b)").diagnostics.map(({ code }) => code)).toEqual(['GG3008']);
  });
});

describe('edges of other types', () => {
  it('stay in the graph, but not in the API, and are reported once for each type with their number', () => {
    const text = '(a)-[:MEASURE]->(b)-[:VENT]->(c) (a)-[:MEASURE { x: Int }]->(c) (a)-[:PROCESS]->(b)';
    check(text, { has: ['query b: B'], findings: ['GG2010 «MEASURE»', 'GG2010 «VENT»'] });
    expect(project(text).ir.edges).toHaveLength(4);
    expect(findingOf(text, 'GG2010').message).toContain('(2 in this topology)');
  });
});
