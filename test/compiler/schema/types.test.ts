import { describe, expect, it } from 'vitest';
import { check, project } from './check.js';

describe('a node', () => {
  it.each([
    [
      'becomes an object type and its input, all of whose fields are optional',
      "(user: Record { id: ID!, name: String!, tags: [String!]!, limit: Int! = 5, role: 'x' })",
      [
        'type User { id: ID!, name: String!, tags: [String!]!, limit: Int! = 5, role: String! = "x" }',
        'input UserInput { id: ID, name: String, tags: [String!], limit: Int, role: String }',
      ],
    ],
    [
      'without fields has its id, which is known',
      '(read_user)',
      ['type ReadUser { id: ID! = "read_user" }', 'input ReadUserInput { id: ID }'],
    ],
    [
      'that contains another type has the input of that type in its input',
      '(a { one: B!, many: [B!]! }) (b { x: Int })',
      ['type A { one: B!, many: [B!]! }', 'input AInput { one: BInput, many: [BInput!] }'],
    ],
    ['may hold itself', '(a { parent: A })', ['type A { parent: A }', 'input AInput { parent: AInput }']],
    [
      'that contains enums and scalars has them unchanged in its input',
      '(a { e: E!, s: [S!] }) (e: Enum { values: [X] }) (s: Scalar)',
      ['input AInput { e: E, s: [S!] }', 'enum E { X }', 'scalar S'],
    ],
    [
      'that contains a raced node returns the union, and takes the input of the raced node',
      '(a { c: C!, cs: [C!] }) (x | y)-[:RACE]->(c { z: Int })',
      ['type A { c: CRace!, cs: [CRace!] }', 'input AInput { c: CInput, cs: [CInput!] }', 'type C { z: Int }'],
    ],
  ])('%s', (_, text, has) => {
    check(text, { has });
  });

  it('cannot contain an input', () => {
    check('(a { b: BInput, bs: [BInput!]! }) (b)', {
      findings: ['GG3013 «b: BInput»', 'GG3013 «bs: [BInput!]!»'],
    });
  });

  it('has its description, its id, labels and place on the type; enums and scalars do too', () => {
    const { schema } = project('/// A user.\n(user: Record:Entity)\n/// An E.\n(e: Enum { values: [A] })\n(s: Scalar)');
    expect(schema.objects[0]).toMatchObject({
      description: 'A user.',
      node: { id: 'user', labels: ['Record', 'Entity'], span: { file: 'test.gg', start: 13, end: 17 } },
    });
    expect(schema.inputs[0]).toMatchObject({ description: 'A user.', of: 'User' });
    expect(schema.enums[0]).toMatchObject({ description: 'An E.', node: { id: 'e', labels: ['Enum'] } });
    expect(schema.enums[0]?.valueSpans).toEqual([{ file: 'test.gg', start: 64, end: 65 }]);
    expect(schema.scalars[0]).toMatchObject({ description: undefined, node: { id: 's' } });
  });
});

describe('the types of a topology', () => {
  it('are in the order of first mention', () => {
    const { schema } = project('(c)-[:PROCESS]->(a) (b) (a: X)');
    expect(schema.objects.map(({ name }) => name)).toEqual(['C', 'A', 'B']);
    expect(schema.inputs.map(({ of }) => of)).toEqual(['C', 'A', 'B']);
  });

  it('are plain data with the lines of the sources', () => {
    const { schema } = project({ 'a.gg': '(a)\n', 'b.gg': '(b)' });
    expect(JSON.parse(JSON.stringify(schema))).toMatchObject({
      sources: [
        { name: 'a.gg', lineStarts: [0, 4] },
        { name: 'b.gg', lineStarts: [0] },
      ],
    });
  });
});
