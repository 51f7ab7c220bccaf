import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/compiler/compile.js';
import { docTags } from '../../../src/compiler/graph/doc-tags.js';
import { notesOf } from '../../../src/compiler/graph/value-notes.js';
import { check, findingOf, fixed, project } from '../schema/check.js';

/** A node with one field and its doc comment. */
function field(type: string, ...doc: string[]): string {
  return `(a {\n${doc.map((line) => `  /// ${line}\n`).join('')}  f: ${type}\n})`;
}

function notes(text: string) {
  const [only] = project(text).ir.nodes.get('a')?.fields ?? [];
  return only && { description: only.description, ...notesOf(only) };
}

describe('the tags of a doc comment', () => {
  it('are removed from the description', () => {
    expect(notes(field('Int!', '@minimum 1', 'How many.', '', '@maximum 99', 'At most a crate.'))).toEqual({
      description: 'How many.\n\nAt most a crate.',
      constraints: { minimum: 1, maximum: 99 },
    });
    expect(notes(field('Int!', '@minimum 1'))?.description).toBeUndefined();
  });

  it.each([
    ['Int', '@minimum -1', { minimum: -1 }],
    ['Float', '@exclusiveMinimum 0', { exclusiveMinimum: 0 }],
    ['Float', '@exclusiveMaximum 1e3', { exclusiveMaximum: 1000 }],
    ['[Float!]', '@multipleOf 0.01', { multipleOf: 0.01 }],
    ['String', '@minLength 1', { minLength: 1 }],
    ['ID', '@maxLength 36', { maxLength: 36 }],
    ['String', '@pattern ^\\d{3} \\w+$', { pattern: '^\\d{3} \\w+$' }],
    ['String', '@format email', { format: 'email' }],
    ['[Int]', '@minItems 1', { minItems: 1 }],
    ['[Int!]!', '@maxItems 3', { maxItems: 3 }],
    ['EmailAddress', '@maxLength 90', { maxLength: 90 }],
  ])('limit a value: %s %s', (type, tag, constraints) => {
    expect(notes(field(type, tag))).toEqual({ description: undefined, constraints });
  });

  it.each([
    ['Int', '7', 7],
    ['Float', '19.9', 19.9],
    ['String', 'Ada Lovelace', 'Ada Lovelace'],
    ['String', '"quoted"', 'quoted'],
    ['String', '12', '12'],
    ['ID', '12', '12'],
    ['Boolean', 'false', false],
    ['[String!]', '["a", "b"]', ['a', 'b']],
    ['String', 'null', 'null'],
    ['DateTime', '2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'],
    ['JSON', '{"a":[1]}', { a: [1] }],
    ['JSON', '[1, "a"]', [1, 'a']],
    ['JSONObject', '{"a":1}', { a: 1 }],
  ])('give an example: %s %s', (type, text, value) => {
    expect(notes(field(type, `@example ${text}`))).toEqual({ description: undefined, examples: [value] });
  });

  it('give examples of the types of the topology', () => {
    const text = `(e: Enum { values: [ON, OFF] }) (s: Scalar) (o { x: Int })
      (a {
        /// @example ON
        e: E,
        /// @example {"any": 1}
        s: S,
        /// @example {"x": 1}
        o: O,
      })`;
    const examples = project(text)
      .ir.nodes.get('a')
      ?.fields.map((each) => each.examples);
    expect(examples).toEqual([['ON'], [{ any: 1 }], [{ x: 1 }]]);
  });

  it.each([
    ['E', 'ONN'],
    ['E', '5'],
    ['O', '[1]'],
  ])('are invalid if an example is not a value of %s: %s', (type, example) => {
    check(`(e: Enum { values: [ON, OFF] }) (o { x: Int }) ${field(type, `@example ${example}`)}`, {
      findings: [`GG2039 «@example ${example}»`],
    });
  });

  it.each(['@page 10', '@fields id', '@renamedFrom keys until 2027-06', '@scopes read'])(
    'have no effect on the fields of a declared error: %s',
    (tag) => {
      const text = `(gone: Problem { status: 410,\n/// ${tag}\nids: [ID!]!\n})`;
      expect(findingOf(text, 'GG2037').message).toContain('declared error');
    },
  );

  it('give several examples, in order', () => {
    expect(notes(field('Int', '@example 2', '@example 1'))?.examples).toEqual([2, 1]);
  });

  it.each([
    ['@deprecated Use g.', 'Use g.'],
    ['@deprecated', 'No longer supported'],
  ])('deprecate: %s', (tag, reason) => {
    expect(notes(field('Int!', tag))?.deprecated).toBe(reason);
  });

  it('are allowed on arguments of fields and edges, on enum values and on edges', () => {
    const { schema } = project(`
      (a { list(
        /// @maximum 100
        first: Int = 10): [A] })
      (color: Enum { values: [
        RED,
        /// Like red.
        /// @deprecated Use RED.
        CRIMSON,
      ] })
      /// Reads one.
      /// @deprecated Use b.
      /// @tag Reading
      /// @tag Books
      (root)-[:PROCESS {
        /// @minLength 3
        key: String!
      }]->(a)
      (root)
        /// @tag Second
        -[:PROCESS]->(b)`);
    const [first, second] = schema.queries;
    expect(schema.objects[0]?.fields[0]?.arguments?.[0]?.constraints).toEqual({ maximum: 100 });
    expect(schema.enums[0]?.valueNotes).toEqual([{}, { description: 'Like red.', deprecated: 'Use RED.' }]);
    expect(first).toMatchObject({
      description: 'Reads one.',
      deprecated: 'Use b.',
      tags: ['Reading', 'Books'],
    });
    expect(first?.arguments[0]?.constraints).toEqual({ minLength: 3 });
    expect(second?.tags).toEqual(['Second']);
  });

  it('apply to the input of an object type', () => {
    const { schema } = project(field('Int! = 3', '@minimum 1', '@deprecated Old.'));
    expect(schema.inputs[0]?.fields[0]).toMatchObject({ constraints: { minimum: 1 }, deprecated: 'Old.' });
  });

  it('come from all declarations of a field', () => {
    const text = '(a { /// @minimum 1\n f: Int }) (a { /// @deprecated Old.\n f: Int })';
    expect(notes(text)).toMatchObject({ constraints: { minimum: 1 }, deprecated: 'Old.' });
  });

  it('do not deprecate a required argument that comes from a deprecated field', () => {
    const text = '(a { /// @deprecated Old.\n id: ID! })-[:PROCESS]->(b)';
    const { schema } = project(text);
    expect(schema.queries[0]?.arguments[0]).not.toHaveProperty('deprecated');
    expect(schema.objects[0]?.fields[0]?.deprecated).toBe('Old.');
    check(text, {});
  });
});

describe('a word with @', () => {
  it.each(['@param x', '@returns', '@see this', '@author Ada', '@todo', 'a@b.c', 'see @minimum'])(
    'that is not a tag is text: %s',
    (line) => {
      const text = field('Int', line);
      check(text, {});
      expect(notes(text)).toEqual({ description: line });
    },
  );

  it.each([
    ['@minimun 1', 'minimum'],
    ['@MinLength 1', 'minLength'],
    ['@min 1', 'minimum'],
    ['@deprecate', 'deprecated'],
    ['@examples 1', 'example'],
  ])('that is nearly a tag is a warning with a fix: %s', (line, tag) => {
    const text = field('Int', line);
    check(text, { findings: [`GG2035 «${line.split(' ')[0]}»`] });
    expect(fixed(text, 'GG2035')).toContain(`/// @${tag}`);
  });

  it.each([...docTags.keys()])('gives at most one finding: %s', (tag) => {
    expect(
      project(field('[String]', `@${tag}`)).diagnostics.filter(({ code }) => code !== 'GG3010').length,
    ).toBeLessThanOrEqual(1);
  });
});

describe('a tag is reported at its place', () => {
  it.each([
    ['Int', '@minimum', 'GG2036 «@minimum»'],
    ['Int', '@minimum one', 'GG2036 «@minimum one»'],
    ['Int', '@minimum 0x10', 'GG2036 «@minimum 0x10»'],
    ['Int', '@multipleOf 0', 'GG2036 «@multipleOf 0»'],
    ['String', '@minLength -1', 'GG2036 «@minLength -1»'],
    ['String', '@pattern (', 'GG2036 «@pattern (»'],
    ['String', '@format e mail', 'GG2036 «@format e mail»'],
    ['String', '@example', 'GG2036 «@example»'],
  ])('if its value is invalid: %s %s', (type, line, finding) => {
    check(field(type, 'Text.', `  ${line} `), { findings: [finding] });
  });

  it.each([
    ['Int', '@minLength 1'],
    ['Boolean', '@minimum 1'],
    ['String', '@maximum 1'],
    ['A', '@pattern x'],
    ['String', '@minItems 1'],
    ['String', '@tag Books'],
  ])('if it does not fit the value: %s %s', (type, line) => {
    const text = field(type, line);
    check(text, { findings: [`GG2037 «${line}»`] });
    expect(notes(text)).toEqual({ description: undefined });
  });

  it.each([
    ['a node', '/// @deprecated Old.\n(a { x: Int })', '@deprecated Old.'],
    ['an edge', '/// @minimum 1\n(a)-[:PROCESS]->(b)', '@minimum 1'],
    ['a race', '(a | b)\n/// @deprecated\n-[:RACE]->(c)', '@deprecated'],
    ['a value of an enum', '(e: Enum { values: [\n/// @example 1\nX] })', '@example 1'],
    ['a call', '/// @example 1\nf(x)', '@example 1'],
  ])('if it does not fit %s', (_, text, tag) => {
    const findings = project(text).diagnostics.filter(({ code }) => code === 'GG2037');
    expect(findings.map(({ span: { start, end } }) => text.slice(start, end))).toEqual([tag]);
  });

  it.each([
    ['Int', '@minimum 2', '@maximum 1'],
    ['Int', '@exclusiveMinimum 1', '@maximum 1'],
    ['Int', '@minimum 1', '@exclusiveMaximum 1'],
    ['Float', '@exclusiveMinimum 1', '@exclusiveMaximum 1'],
    ['String', '@maxLength 1', '@minLength 2'],
    ['[Int]', '@minItems 2', '@maxItems 1'],
    ['Int', '@minimum 2', '@minimum 1'],
  ])('if it contradicts another: %s %s %s', (type, one, other) => {
    check(field(type, one, other), { findings: [`GG2038 «${other}» + «${one}»`] });
  });

  it.each([
    ['Int', '@minimum 1', '@example 0'],
    ['Int', '@maximum 3', '@example 1.5'],
    ['[String]', '@maxLength 3', '@example ["long"]'],
    ['[Int!]', '@minItems 2', '@example [1]'],
    ['[Int!]', '@minItems 1', '@example [null]'],
    ['String', '@pattern ^a', '@example b'],
    ['DateTime', '', '@example today'],
  ])('if an example is not valid: %s %s %s', (type, limit, example) => {
    check(field(type, limit, example), { findings: [`GG2039 «${example}»`] });
  });

  it('if a default is not valid', () => {
    check(field('Int = 0', '@minimum 1'), { findings: ['GG2039 «0»'] });
    check("(a { /// @maxLength 1\n f: 'long' })", { findings: ["GG2039 «'long'»"] });
    check('(a)-[:PROCESS { /// @minimum 1\n n: Int = 0 }]->(b)', { findings: ['GG2039 «0»'] });
  });

  it('if it deprecates a required argument', () => {
    const argument = (type: string) => `(a)-[:PROCESS { /// @deprecated Old.\n n: ${type} }]->(b)`;
    check(argument('Int!'), { findings: ['GG3033 «@deprecated Old.»'] });
    check('(a: Input { /// @deprecated Old.\n n: Int! })', { findings: ['GG3033 «@deprecated Old.»'] });
    check('(a { f(/// @deprecated Old.\n n: Int!): Int })', { findings: ['GG3033 «@deprecated Old.»'] });
    check(argument('Int'), {});
    check(argument('Int! = 1'), {});
  });

  it('if two edges of an operation constrain an argument differently', () => {
    const edge = (from: string, most: number) => `(${from})-[:PROCESS { /// @maximum ${most}\n n: Int }]->(b)\n`;
    expect(findingOf(edge('a', 1) + edge('c', 2), 'GG3034').message).toContain('“n” of b');
    check(edge('a', 1) + edge('c', 1), {});
  });
});

const tooLarge = ['1e999', '-1e999', '[1e999]', '{ "a": [1e999] }'];
const placesOfNumbers = ['Float', 'Int', '[Float!]', 'JSON', 'BigInt', 'Money', 'Part'].flatMap((type) =>
  tooLarge.flatMap((number) => [
    `/// @example ${number}\n value: ${type}`,
    `/// @minimum ${number}\n value: ${type}`,
    `/// @multipleOf ${number}\n value: ${type}`,
    `value: ${type} = ${number}`,
    `value(first: ${type} = ${number}): Int`,
  ]),
);

it.each(placesOfNumbers)('documents contain only numbers that JSON can represent: %s', (field) => {
  const { artifacts } = compile(`(money: Scalar) (part { id: ID }) (root)-[:PROCESS]->(a { ${field} })`, {
    artifacts: 'all',
  });
  for (const [file, text] of Object.entries({ ...artifacts })) {
    if (file.endsWith('.json')) expect(() => JSON.parse(text)).not.toThrow();
  }
});

describe('@value', () => {
  const spelt = (...docs: readonly string[]) =>
    `(state: Enum { values: [\n${docs.map((doc, at) => `/// ${doc}\nV${at},\n`).join('')}OPEN] })`;

  it('gives the spelling of a value of an enum', () => {
    const { schema } = project(spelt('@value in-progress', 'Said.', '@value V2'));
    expect(schema.enums[0]?.spellings).toEqual(['in-progress', 'V1', 'V2', 'OPEN']);
    expect(schema.enums[0]?.valueNotes).toEqual([{}, { description: 'Said.' }, {}, {}]);
    expect(project(spelt('Said.')).schema.enums[0]).not.toHaveProperty('spellings');
  });

  it.each([
    ['is empty', ['@value'], 'GG2036'],
    ['is given twice', ['@value a\n/// @value b'], 'GG2038'],
    ['is that of another value', ['@value a', '@value a'], 'GG2065'],
    ['is the name of another value', ['@value OPEN'], 'GG2065'],
  ])('is rejected if it %s', (_, docs, code) => {
    const { diagnostics } = project(spelt(...docs));
    expect(diagnostics.map((found) => found.code).filter((found) => found < 'GG3')).toEqual([code]);
  });

  it('has no meaning elsewhere', () => {
    expect(findingOf(field('Int', '@value 1'), 'GG2037')).toBeDefined();
  });
});
