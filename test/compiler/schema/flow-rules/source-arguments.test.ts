import { describe, expect, it } from 'vitest';
import { type Analysis, analyze } from '../../../../src/compiler/analyze.js';
import { baseName } from '../../../../src/compiler/graph/type-ref.js';
import { allOperations, type GqlArgument } from '../../../../src/compiler/schema/gql-schema.js';
import { check } from '../check.js';

/** Every source has the word “word”, except for the ones without any. */
const sources = [
  ['a node without fields', '(src)', ['src']],
  ['an object', '(src: Record { word: Int! })', ['src']],
  ['a constant', "(src { word: 'text' })", ['src']],
  ['an input', '(src: Input { word: Int! })', ['src']],
  ['an input without fields', '(src: Input)', ['src']],
  ['an input of one field', '(src: Input:OneOf { word: Int })', ['src']],
  ['an enum', '(src: Enum { values: [word] })', ['src']],
  ['a scalar', '(src: Scalar)', ['src']],
  ['an interface', '(src: Interface { word: Int })', ['src']],
  ['an internal input', '(src: Input { internal: true, word: Int })', ['src']],
  ['an object and an input', '(other: Input { more: Int }) (src { word: Int })', ['src', 'other']],
  ['two inputs', '(other: Input { more: Int }) (src: Input { word: Int })', ['src', 'other']],
] as const;

const own = ['', 'own: ID!', 'own: ID!, word: Int!', 'word: String', 'input: Boolean', 'src: Src'];
const settings = ['', 'status: 201', "route: 'METHOD /done'", "throws: [Taken], note: 'text'"];

const rest = `(taken: Problem { status: 409 }) (done { id: ID! }) (form { y: Int })-[:FOLD { operation: 'f' }]->(done)
(root)-[:PROCESS { operation: 'q', throws: [Taken] }]->(done)\n`;

describe.each(['PROCESS', 'FOLD', 'FORK'])(
  'every word of a %s and its sources is in the API or in a finding',
  (type) => {
    it.each(sources)('from %s', (_, nodes, ids) => {
      for (const args of own) {
        for (const setting of settings) {
          const method = type === 'FOLD' ? 'POST' : 'GET';
          const properties = [args, setting.replace('METHOD', method), "operation: 'it'"].filter(Boolean).join(', ');
          const text = `${rest}${nodes}\n(${ids.join(' | ')})-[:${type} { ${properties} }]->(done)`;
          const analysis = analyze(text);
          // After an error, such as an argument with two types, the findings about the flow are withheld.
          if (analysis.diagnostics.some(({ severity }) => severity === 'error')) continue;
          const taken = wordsOf(analysis);
          const told = toldIn(analysis, text);
          for (const word of ['own', 'more', 'word', 'input', 'status', 'route']) {
            if (!new RegExp(`\\b${word}\\b`).test(`${nodes} ${properties}`)) continue;
            // What a node declares is told with the name of the node.
            const isTold = told.has(word) || (nodes.includes(word) && told.has(word === 'more' ? 'other' : 'src'));
            expect({ text, word, known: taken.has(word) || isTold }).toEqual({ text, word, known: true });
          }
        }
      }
    });
  },
);

describe('typed properties and sources are merged', () => {
  const ends = '(b { id: ID! }) (root)-[:PROCESS]->(b)';
  it.each([
    [
      'the input of a FOLD',
      "(src: Input { text: String! })-[:FOLD { operation: 'change', id: ID!, returns: B! }]->(b)",
      'mutation change(id: ID!, input: Src!): B!',
    ],
    [
      'the inputs among several sources of a FOLD',
      "(src: Input { x: Int } | old { y: Int } | page: Input { z: Int })-[:FOLD { operation: 'change', id: ID! }]->(b)",
      'mutation change(id: ID!, src: Src!, page: Page!): B',
    ],
    [
      'the fields of a PROCESS',
      "(src: Input { text: String! = 'a' })-[:PROCESS { operation: 'find', id: ID! }]->(b)",
      'query find(id: ID!, text: String! = "a"): B',
    ],
    [
      'an input that a typed property has, at its place',
      "(src: Input { x: Int })-[:FOLD { operation: 'change', what: [Src!]!, id: ID! }]->(b)",
      'mutation change(what: [Src!]!, id: ID!): B',
    ],
    [
      'an internal input of a FOLD, by its fields',
      "(src: Input { internal: true, x: Int! })-[:FOLD { operation: 'change', id: ID! }]->(b)",
      'mutation change(id: ID!, x: Int!): B',
    ],
    [
      'an input with the edges of an operation',
      "(one { x: Int })-[:FOLD { operation: 'change' }]->(b) (src: Input { y: Int })-[:FOLD { operation: 'change', id: ID! }]->(b)",
      'mutation change(id: ID!, one: OneInput, src: Src!): B',
    ],
  ])('%s', (_, text, line) => {
    check(`${text} ${ends}`, { has: [line] });
  });

  it.each([
    ['with two types', 'word: String', 'GG3005'],
    ['with one type', 'word: Int!', 'GG3027'],
  ])('and one name %s is a finding with both places', (_, property, code) => {
    const text = `(src: Input { word: Int! })-[:PROCESS { ${property} }]->(b { id: ID! })`;
    const [finding, ...others] = analyze(text).diagnostics;
    expect(others).toEqual([]);
    expect(finding?.code).toBe(code);
    const places = [finding?.span, ...(finding?.labels ?? []).map(({ span }) => span)];
    expect(places.map((place) => text.slice(place?.start, place?.end)).sort()).toEqual(['word: Int!', property].sort());
  });
});

/** The arguments of all operations, with everything in their types, and the settings of the operations. */
function wordsOf({ schema }: Analysis): ReadonlySet<string> {
  const words = new Set<string>();
  const visit = (args: readonly GqlArgument[]): void => {
    for (const { name, type } of args) {
      const inner = baseName(type);
      words.add(name);
      if (words.has(`type ${inner}`)) continue;
      words.add(`type ${inner}`);
      visit(schema.inputs.find((input) => input.name === inner)?.fields ?? []);
      for (const value of schema.enums.find((found) => found.name === inner)?.values ?? []) words.add(value);
    }
  };
  for (const operation of allOperations(schema)) {
    visit(operation.arguments);
    if (operation.name === 'it') for (const key of Object.keys(operation)) words.add(key);
  }
  return words;
}

/** The words at the places of the findings, and the names of the nodes in their messages. */
function toldIn({ diagnostics }: Analysis, text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { span, labels = [], message } of diagnostics) {
    for (const place of [span, ...labels.map((label) => label.span)]) {
      const marked = text.slice(place.start, place.end);
      if (!marked.includes('->')) words.add(/^\w+/.exec(marked)?.[0] ?? '');
    }
    for (const id of ['src', 'other']) if (new RegExp(`\\b${id}\\b`, 'i').test(message)) words.add(id);
  }
  return words;
}
