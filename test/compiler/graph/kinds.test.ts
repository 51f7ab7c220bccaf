import { describe, expect, it } from 'vitest';
import { check, project } from '../schema/check.js';

describe('a label makes a node', () => {
  it.each([
    ['an input', '(draft: Input { qty: Int! = 1, to: B }) (b)', 'input Draft { qty: Int! = 1, to: BInput }'],
    [
      'an input of one field',
      '(by: Input: OneOf { id: ID, name: String })',
      'input By @oneOf { id: ID, name: String }',
    ],
    [
      'an interface',
      '(named: Interface { name: String! }) (b { implements: [Named], name: String! })',
      'interface Named { name: String! }',
    ],
    ['a declared error', '(gone: Problem { status: 410, at: Int })', 'problem Gone 410 { at: Int }'],
  ])('%s', (_, text, line) => {
    const type = line.split(' ')[1] as string;
    check(text, { has: [line], lacks: [`type ${type} { id: ID! = "${type}" }`] });
  });

  it.each([
    ['an enum and an input', '(a: Enum: Input { values: [X] })', 'GG2016 «Input» + «Enum»'],
    [
      'an interface and a problem',
      '(a: Interface: Problem { x: Int }) (b { implements: [A], x: Int })',
      'GG2016 «Problem» + «Interface»',
    ],
  ])('of one kind only: %s', (_, text, finding) => {
    check(text, { findings: [finding] });
  });

  it.each(['200', '600', '404.5'])('whose status is an error status, not %s', (status) => {
    check(`(gone: Problem { status: ${status} })`, { findings: [`GG2018 «status: ${status}»`] });
  });

  it.each(['Draft', 'Gone'])('whose type fields cannot have: %s', (type) => {
    const text = `(draft: Input { x: Int }) (gone: Problem { x: Int }) (b { x: ${type} })`;
    check(text, { findings: [`GG3030 «x: ${type}» + «${type.toLowerCase()}»`] });
  });
});

describe('a setting of a node', () => {
  const implementing = '(named: Interface { name: String! }) (b { implements: [Named], name: String! })';

  it('names the interfaces of a type', () => {
    check(implementing, { has: ['type B implements Named { name: String! }'] });
  });

  it('is not a field', () => {
    const { ir } = project('(a { internal: true, id: ID! })');
    expect(ir.nodes.get('a')?.fields.map(({ name }) => name)).toEqual(['id']);
    expect(ir.nodes.get('a')?.settings?.get('internal')?.value).toBe(true);
  });

  it.each([
    ['internal: Boolean!', 'type B { internal: Boolean! }'],
    ['internal: false', 'type B { internal: Boolean! = false }'],
    ["implements: ['x']", 'type B { implements: [String!]! = ["x"] }'],
    ['implements: String', 'type B { implements: String }'],
    ['status: 409', 'type B { status: Int! = 409 }'],
  ])('is a field in any other form: %s', (text, line) => {
    check(`(b { ${text} })`, { has: [line] });
  });
});

describe('the arguments of a field', () => {
  it('belong to the field, but not to its input', () => {
    check('(b { list(first: Int = 10, after: ID!): [B!]! })', {
      has: ['type B { list(first: Int = 10, after: ID!): [B!]! }', 'input BInput { list: [BInput!] }'],
    });
  });

  it('take inputs in place of object types', () => {
    check('(b { near(to: B!): Int })', { has: ['type B { near(to: BInput!): Int }'] });
  });

  it.each([
    ['in both declarations', '(b { f(x: Int): Int }) (b { f(x: Int): Int })', []],
    ['in one only', '(b { f(x: Int): Int }) (b { f: Int })', ['GG2006 «f: Int» + «f(x: Int): Int»']],
    ['with two types', '(b { f(x: Int): Int }) (b { f(x: ID): Int })', ['GG2006 «f(x: ID): Int» + «f(x: Int): Int»']],
    ['twice', '(b { f(x: Int, x: Int): Int })', ['GG2006 «x: Int» + «x: Int»']],
    ['with a value and no type', '(b { f(x: 5): Int })', ['GG2018 «5»']],
    ['with a wrong default', "(b { f(x: Int = 'y'): Int })", ["GG2013 «'y'»"]],
    ['with a reserved name', '(b { f(__x: Int): Int })', ['GG3008 «__x»']],
    ['of a raced type', "(b { f(x: CResult): Int }) (d)-[:RACE { union: 'CResult' }]->(c)", ['GG3013 «x: CResult»']],
    ['on a constant', '(b { f(x: Int): 5 })', ['GG2025 «x: Int»']],
    ['on an edge', '(a)-[:PROCESS { f(x: Int, y: Int): Int }]->(b)', ['GG2025 «x: Int, y: Int»']],
    ['on the values of an enum', '(b: Enum { values(x: Int): [Y] })', ['GG2025 «x: Int»']],
  ])('are declared %s', (_, text, findings) => {
    check(text, { findings });
  });
});

describe('a value of an enum', () => {
  it('keeps its doc comment', () => {
    const { schema } = project('(b: Enum { values: [\n/// Warm.\nRED,\nGREEN\n] })');
    expect(schema.enums[0]?.valueNotes).toEqual([{ description: 'Warm.' }, {}]);
  });

  it('has no notes without doc comments', () => {
    expect(project('(b: Enum { values: [RED] })').schema.enums[0]).not.toHaveProperty('valueNotes');
  });
});
