import { describe, expect, it } from 'vitest';
import { createSourceFile } from '../../../src/base/source/source-file.js';
import { lowerGraph } from '../../../src/compiler/graph/lower/lower.js';
import { check, findingOf, project } from '../schema/check.js';
import { parseTopology } from '../syntax/parse-topology.js';

const nodeOf = (text: string, id: string) => {
  const node = project(text).ir.nodes.get(id);
  if (node === undefined) throw new Error(`there is no node ${id}`);
  return node;
};

describe('a node that is declared again', () => {
  it.each([
    ['unites its properties', '(a { x: Int }) (a { y: Int })', 'type A { x: Int, y: Int }'],
    [
      'may say the same',
      "(a { x: Int = 1, y: 'b' }) (a { y: 'b', x: Int = 1 })",
      'type A { x: Int = 1, y: String! = "b" }',
    ],
    ['may say the same within one map', '(a { x: Int, x: Int })', 'type A { x: Int }'],
    ['may give a value later', "(a { x: String! }) (a { x: 'v' })", 'type A { x: String! = "v" }'],
    ['may give a value before', "(a { x: 'v' }) (a { x: String! })", 'type A { x: String! = "v" }'],
    ['may be declared inside an edge', '(a)-[:MEASURE]->(b { x: Int }) (b { y: Int })', 'type B { x: Int, y: Int }'],
  ])('%s', (_, text, line) => {
    check(text, { has: [line], findings: text.includes('MEASURE') ? ['GG2010 «MEASURE»'] : [] });
  });

  it.each([
    ['two types', '(a { x: Int }) (a { x: String })', 'GG2006 «x: String» + «x: Int»'],
    ['nullable and not', '(a { x: Int }) (a { x: Int! })', 'GG2006 «x: Int!» + «x: Int»'],
    ['two values', "(a { x: 'v' }) (a { x: 'w' })", "GG2006 «x: 'w'» + «x: 'v'»"],
    ['two defaults', '(a { x: Int = 1 }) (a { x: Int = 2 })', 'GG2006 «x: Int = 2» + «x: Int = 1»'],
    ['two types within one map', '(a { x: Int, x: String })', 'GG2006 «x: String» + «x: Int»'],
  ])('may not contradict itself: %s', (_, text, finding) => {
    check(text, { findings: [finding] });
  });

  it('shows both declarations in the message', () => {
    const { message, labels } = findingOf(
      { 'one.gg': '(user { name: String = "long\\n name" })', 'two.gg': '(user { name:   Int! })' },
      'GG2006',
    );
    expect(message).toBe('Node “user” declares “name” twice, as String = "long\\n name" and as Int!.');
    expect(labels[0]?.span.file).toBe('one.gg');
    expect(labels[0]?.message).toBe('declared as String = "long\\n name" here');
  });

  it('cuts long values short in the message', () => {
    const twice = (one: string, other: string) => findingOf(`(a { x: ${one} }) (a { x: ${other} })`, 'GG2006').message;
    expect(twice(`'${'v'.repeat(200)}'`, "[\n  'w']")).toBe(
      `Node “a” declares “x” twice, as '${'v'.repeat(58)}… and as [ 'w'].`,
    );
    const longest = `'${'v'.repeat(58)}'`;
    expect(twice(longest, '1')).toBe(`Node “a” declares “x” twice, as ${longest} and as 1.`);
  });

  it('gives one finding for each place that differs from the first', () => {
    check('(a { x: Int }) (a { y: Int }) (a { x: String, y: String })', {
      findings: ['GG2006 «x: String» + «x: Int»', 'GG2006 «y: String» + «y: Int»'],
    });
  });

  it('merges its labels', () => {
    expect(nodeOf('(a: X) (a: Y:X) (a: X) (b)', 'a').labels).toEqual(['X', 'Y']);
    expect(nodeOf('(a: X:X)', 'a').labels).toEqual(['X']);
    const late = '(a { x: Int }) (b { x: Int }) (a: X)';
    expect([nodeOf(late, 'a').labels, nodeOf(late, 'b').labels]).toEqual([['X'], []]);
    const many = Array.from({ length: 40 }, (_, at) => `L${at}`);
    const mentions = [...many, ...many].map((label) => `(a: ${label})`).join(' ');
    expect(nodeOf(mentions, 'a').labels).toEqual(many);
  });

  it('merges its doc comments as paragraphs', () => {
    const text = '/// One.\n(a: X)\n/// Two.\n(a: X)\n/// One.\n(b: X)\n/// One.\n(b: X)';
    expect(nodeOf(text, 'a').description).toBe('One.\n\nTwo.');
    expect(nodeOf(text, 'b').description).toBe('One.');
  });

  it('takes the doc comment of a property from the first declaration that has one', () => {
    const text = '(a { x: Int }) (a { /// Second.\n x: Int }) (a { /// Third.\n x: Int })';
    expect(nodeOf(text, 'a').fields.map(({ description }) => description)).toEqual(['Second.']);
  });
});

describe('a topology', () => {
  it('shares one object for all equal types', () => {
    for (const type of ['Int', 'Int!', '[Int]', '[Int!]!', '[[Int]!]']) {
      const { nodes } = project(`(a { x: ${type} }) (b { y: ${type}, z: ${type} })`).ir;
      const types = [...nodes.values()].flatMap(({ fields }) => fields.map((field) => field.type));
      expect(types).toHaveLength(3);
      expect(new Set(types).size, type).toBe(1);
    }
  });

  it('does not keep its tree alive', () => {
    const text = '(a: X { x: [Int] = [1] })-[:PROCESS { y: Int = 1 }]->(e: Enum { values: [A] })\nf(x)';
    const { value: ast } = parseTopology([createSourceFile('test.gg', text)]);
    const { nodes, nodesByType, edges } = lowerGraph(ast).value;
    const kept = partsOf([nodes, nodesByType, edges]);
    const tree = partsOf(ast.documents.map(({ statements }) => statements));
    expect([...tree].filter((part) => kept.has(part))).toEqual([]);
  });
});

/** A value and all objects in it, at any depth. */
function partsOf(value: unknown, parts = new Set<unknown>()): ReadonlySet<unknown> {
  if (typeof value !== 'object' || value === null || parts.has(value)) return parts;
  parts.add(value);
  const inner = value instanceof Map ? value.values() : Object.values(value);
  for (const part of inner) partsOf(part, parts);
  return parts;
}

describe('a node', () => {
  it('has the place of its first declaration, or of its first mention', () => {
    const text = '(a)-[:PROCESS]->(b) (b: X) (a) (b: Y)';
    expect(nodeOf(text, 'a').span).toEqual({ file: 'test.gg', start: 1, end: 2 });
    expect(nodeOf(text, 'b').span).toEqual({ file: 'test.gg', start: 21, end: 22 });
  });

  it('takes the doc comment before it, alone, in a group, or inside the parentheses', () => {
    expect(nodeOf('/// Doc.\n(a)', 'a').description).toBe('Doc.');
    expect(nodeOf('/// Doc.\n(a | b)', 'b').description).toBe('Doc.');
    expect(nodeOf('(\n/// Doc.\na)', 'a').description).toBe('Doc.');
    expect(nodeOf('/// Of the edge.\n(a)-[:PROCESS]->(b)', 'a').description).toBeUndefined();
  });

  it('keeps many properties apart', () => {
    const names = Array.from({ length: 40 }, (_, index) => `p${index}`);
    const text = `(a { ${names.map((name) => `${name}: Int`).join(', ')}, p30: Int, p3: Int })`;
    check(text, { has: [`type A { ${names.map((name) => `${name}: Int`).join(', ')} }`] });
    check(`${text} (a { p35: String })`, { findings: ['GG2006 «p35: String» + «p35: Int»'] });
  });

  it.each([
    ['2', 'GG3009 «2»', 'type _2 { id: ID! = "2" }'],
    ['1_10', 'GG3009 «1_10»', 'type _1_10 { id: ID! = "1_10" }'],
  ])('%s begins with a digit and gets a warning with its name', (id, finding, line) => {
    check(`(${id})`, { has: [line], findings: [finding] });
  });
});

describe('an enum', () => {
  it.each([
    ['(e: Enum { values: [A, B_1, c] })', 'enum E { A, B_1, c }'],
    ['(e: Enum { values: [\'A\', "B"] })', 'enum E { A, B }'],
    ['(e: Enum { values: [A, B] }) (e: Enum { values: [ A,B ] })', 'enum E { A, B }'],
    ["(e: Kind:Enum { values = ['A'] }) (e { values: ['A'] })", 'enum E { A }'],
    ['(e) (e: Enum { values: [Int, E] })', 'enum E { Int, E }'],
  ])('%s has its values', (text, line) => {
    check(text, { has: [line], lacks: ['type E { id: ID! = "e" }'] });
  });

  it.each([
    ['(e: Enum)', 'GG2011 «e»'],
    ['(e: Enum { values: [] })', 'GG2011 «values: []»'],
    ["(e: Enum { values: 'A, B' })", "GG2018 «'A, B'»"],
    ['(e: Enum { values: [A]! })', 'GG2018 «[A]!»'],
    ['(e: Enum { values: [A] = [A] })', 'GG2018 «[A]»'],
    ['(e: Enum { values: [A, true] })', 'GG2012 «true»'],
    ["(e: Enum { values: [A, 'null'] })", "GG2012 «'null'»"],
    ['(e: Enum { values: [A, __B] })', 'GG2012 «__B»'],
    ["(e: Enum { values: [A, 'B C'] })", "GG2012 «'B C'»"],
    ['(e: Enum { values: [A, 5] })', 'GG2012 «5»'],
    ['(e: Enum { values: [A, B!] })', 'GG2012 «B!»'],
    ['(e: Enum { values: [A, [B]] })', 'GG2012 «[B]»'],
    ['(e: Enum { values: [A, B, A] })', 'GG2012 «A» + «A»'],
    ...['[A, B]', '[B]', '[A!]', "['A']", '[A]!', '[[A]]', 'A', "'A'", 'null'].map((other) => [
      `(e: Enum { values: [A] }) (e { values: ${other} })`,
      `GG2006 «values: ${other}» + «values: [A]»`,
    ]),
    ['(e: Enum { values: [A, null] }) (e { values: [A, null] })', 'GG2012 «null»'],
    ['(e: Enum { values: A }) (e { values: A })', 'GG2018 «A»'],
    [
      '(e: Enum { values: [A, null] }) (e { values: [A, 1] })',
      'GG2012 «null»',
      'GG2006 «values: [A, 1]» + «values: [A, null]»',
    ],
  ])('%s is an error', (text, ...findings) => {
    check(text, { findings });
  });

  it.each([
    ['values: []', 'GG2011', 'The enum “e” has no values.'],
    ["values: 'A'", 'GG2018', '“values” must be a list of names, such as [ACTIVE, SUSPENDED].'],
    ['values: [A, A]', 'GG2012', 'A cannot be an enum value: it is listed twice.'],
    ['values: [5]', 'GG2012', '5 cannot be an enum value: it is not a name.'],
    ...['true', 'false', 'null'].map((name) => [
      `values: ['${name}']`,
      'GG2012',
      `'${name}' cannot be an enum value: true, false and null are reserved by GraphQL.`,
    ]),
    ['values: [__A]', 'GG2012', '__A cannot be an enum value: names that begin with __ are reserved by GraphQL.'],
    ['values: [A], values: [B]', 'GG2006', 'Node “e” declares “values” twice, as [A] and as [B].'],
  ])('with %s is reported as %s: %s', (properties, code, message) => {
    expect(findingOf(`(e: Enum { ${properties} })`, code).message).toBe(message);
  });

  it('has a label at the first of two equal values in the finding', () => {
    const { labels } = findingOf('(e: Enum { values: [A, A] })', 'GG2012');
    expect(labels.map(({ message }) => message)).toEqual(['first listed here']);
  });

  it('gives one warning for each property without meaning', () => {
    check('(e: Enum { values: [A], color: String }) (e { color: Int, size: Int })', {
      has: ['enum E { A }'],
      findings: ['GG2017 «color: String»', 'GG2017 «size: Int»'],
    });
  });

  it('with an error causes no further errors in defaults of its type', () => {
    check('(e: Enum) (a { x: E = A })', { has: ['type A { x: E = "A" }'], findings: ['GG2011 «e»'] });
    check('(e: Enum { values: [A, 5] }) (a { x: E = B })', { findings: ['GG2012 «5»'] });
    check('(e: Enum { values: [A, 5] }) (a { x: E = 6 })', { findings: ['GG2012 «5»', 'GG2013 «6»'] });
  });

  it('cannot also be a scalar', () => {
    check('(e: Enum:Scalar { values: [A] })', {
      has: ['enum E { A }'],
      findings: ['GG2016 «Scalar» + «Enum»'],
    });
    check('(e: Scalar) (e) (e: X:Enum { values: [A] })', {
      has: ['scalar E'],
      findings: ['GG2016 «Enum» + «Scalar»', 'GG2017 «values: [A]»'],
    });
  });
});

describe('a custom scalar', () => {
  it.each([
    ['(s: Scalar)', 'scalar S'],
    ["(s: Scalar { specifiedBy: 'https://example.com/s' })", 'scalar S https://example.com/s'],
  ])('%s', (text, line) => {
    check(text, { has: [line] });
  });

  it.each([
    ['(s: Scalar { specifiedBy: 5 })', 'GG2018 «5»'],
    ["(s: Scalar { specifiedBy: 'a' = 'b' })", "GG2018 «'a'»"],
    ["(s: Scalar { value: '3.0' })", "GG2017 «value: '3.0'»"],
    ["(s: Scalar { specifiedBy: 'a' }) (s { specifiedBy: 'b' })", "GG2006 «specifiedBy: 'b'» + «specifiedBy: 'a'»"],
  ])('%s is reported', (text, finding) => {
    check(text, { findings: [finding] });
  });

  it.each([
    ['specifiedBy: 5', 'GG2018', '“specifiedBy” must be a URL in quotes.'],
    ['value: 5', 'GG2017', '“value” has no meaning on “s”, which is a Scalar.'],
  ])('with %s is reported as %s: %s', (property, code, message) => {
    expect(findingOf(`(s: Scalar { ${property} })`, code).message).toBe(message);
  });
});
