import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importDescription } from '../../../src/analysis/import/import-description.js';
import { createSourceFile } from '../../../src/base/source/source-file.js';
import { compile } from '../../../src/compiler/compile.js';
import { docTags } from '../../../src/compiler/graph/doc-tags.js';
import { runs } from '../../arbitraries/runs.js';

const deep = (open: string, close: string, count: number) => `${open.repeat(count)}a${close.repeat(count)}`;
const numRuns = Number(process.env.FAST_CHECK_RUNS ?? runs(300));

/** Values that are wrong, extreme, or expressions that block a backtracking engine. */
const value = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.replace(/[\r\n\u2028\u2029]/g, ' ')),
  fc.constantFrom('', '0', '-0', '1e400', '-1e-400', '9'.repeat(400), '0.1', '2147483648', 'null', '[1]', '{"a":[]}'),
  fc.constantFrom('^(a+)+$', '(?:(?:a{100}){100}){100}', '(?:){2147483648}', '[', '(?<=ab)', '(a)\\1', '\\p{L}+'),
  fc.constantFrom(deep('(', ')', 20_000), deep('[', ']', 20_000), deep('(?=', ')', 90), deep('(?:', '){9}', 9)),
  fc
    .tuple(fc.constantFrom('a', '(', ')', '[', ']', '\\', '{1,', '}', '*', '|', '(?'), fc.nat(300))
    .map(([part, count]) => part.repeat(count)),
  fc.jsonValue().map((one) => JSON.stringify(one)),
);
const tag = fc.constantFrom(...docTags.keys(), 'patern', 'constructor', '__proto__');
const type = fc.constantFrom(
  'String!',
  'ID',
  'Int',
  'Float!',
  '[String!]!',
  '[[Int]]',
  'Other',
  'DateTime',
  'Boolean',
  'Book',
);
const field = fc.tuple(fc.array(fc.tuple(tag, value), { maxLength: 4 }), type);

function lines(tags: readonly (readonly [string, string])[]): string {
  return tags.map(([name, text]) => `/// @${name} ${text}\n`).join('');
}

describe('tags of doc comments', () => {
  test('with any value give findings or artifacts, and never throw', () => {
    fc.assert(
      fc.property(fc.array(field, { minLength: 1, maxLength: 4 }), field, (fields, [tags, argument]) => {
        const body = fields.map(([of, type], at) => `${lines(of)}f${at}: ${type}`).join(',\n');
        const source = `(book {\n${body}\n})\n(root)-[:PROCESS {\n${lines(tags)}id: ${argument}\n}]->(book)`;
        const { diagnostics, artifacts } = compile(source);
        expect(diagnostics.some(({ severity }) => severity === 'error') || artifacts !== undefined).toBe(true);
      }),
      { numRuns },
    );
  });
});

describe('the limits of an imported schema', () => {
  const word = fc.constantFrom(
    'pattern',
    'format',
    'minLength',
    'maxLength',
    'minimum',
    'maximum',
    'multipleOf',
    'minItems',
    'example',
    'default',
    'enum',
  );
  const schema = fc.tuple(
    fc.constantFrom('string', 'integer', 'number', 'array', 'object', 'boolean'),
    fc.dictionary(word, fc.oneof(value, fc.double(), fc.jsonValue()), { maxKeys: 5 }),
  );

  test('with any value give a topology without errors, or findings, and never throw', () => {
    fc.assert(
      fc.property(fc.array(schema, { minLength: 1, maxLength: 3 }), (schemas) => {
        const properties = Object.fromEntries(schemas.map(([type, words], at) => [`f${at}`, { type, ...words }]));
        const content = { 'application/json': { schema: { type: 'object', properties } } };
        const get = { operationId: 'readBook', responses: { 200: { description: 'A book.', content } } };
        const document = {
          openapi: '3.1.0',
          info: { title: 'Books', version: '1' },
          paths: { '/book': { get } },
        };
        const { value: imported } = importDescription(createSourceFile('api.json', JSON.stringify(document)));
        if (imported === undefined) return;
        const errors = compile(imported.text).diagnostics.filter(({ severity }) => severity === 'error');
        expect(errors.map(({ code, message }) => `${code} ${message}`)).toEqual([]);
      }),
      { numRuns },
    );
  });
});

describe('imports', () => {
  test('with any specifier give findings, and never throw', () => {
    const part = fc.constantFrom(
      '..',
      '.',
      '/',
      '\\',
      '%2e',
      'file:',
      'https://',
      'c:',
      'a.gg',
      '\0',
      '?',
      '#',
      '@',
      '//',
      '😀',
      '{',
      '*',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), part, (parts, name) => {
        const source = `import '${parts.join('').replaceAll('\\', '\\\\')}'\n(root)-[:PROCESS]->(book { x: Int! })`;
        const { diagnostics } = compile([{ name: name + parts.join(''), source }]);
        expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
      }),
      { numRuns },
    );
  });
});
