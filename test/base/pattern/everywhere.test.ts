import { describe, expect, test } from 'vitest';
import { importDescription } from '../../../src/analysis/import/import-description.js';
import { createSourceFile } from '../../../src/base/source/source-file.js';
import { patternSample } from '../../../src/compiler/api/example-values.js';
import { compile } from '../../../src/compiler/compile.js';
import { groupFiles } from '../../../src/tools/language-server/workspace/groups.js';
import { checkSchema } from '../../../src/tools/workflows/check-schema.js';

/** Expressions that block a backtracking engine, and a text that does. */
const slow = ['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '(a*)*b', '^(?:(?:a?){20}){20}b'];
const text = `${'a'.repeat(10_000)}!`;

const costly: readonly (readonly [name: string, pattern: string])[] = [
  ['20,000 parentheses', `${'('.repeat(20_000)}a${')'.repeat(20_000)}`],
  ['20,000 open parentheses', '('.repeat(20_000)],
  ['2,000 lookaheads', `${'(?='.repeat(1500)}a${')'.repeat(1500)}`],
  ['a million million characters', '(?:a{1000000}){1000000}'],
  ['an empty group, repeated a million times a million times', '(?:(?:){1000000}){1000000}'],
  ['a back reference', '(a)\\1'],
  ['a lookahead inside', 'b(?=aa)'],
];

describe('a pattern that blocks a backtracking engine', () => {
  test.each(slow)('compiles with its examples: %s', (pattern) => {
    const source = `(root)-[:PROCESS]->(book {\n  /// @pattern ${pattern}\n  /// @example ${text}\n  title: String!\n})`;
    const codes = compile(source).diagnostics.map(({ code }) => code);
    expect(codes).toEqual(['GG2039']);
    expect(compile(source.replace(/\n.*@example.*/, '')).diagnostics).toEqual([]);
  });

  test.each(slow)('is checked in answers of a server: %s', (pattern) => {
    expect(checkSchema({}, { type: 'string', pattern }, text)).toEqual([`the value must match the pattern ${pattern}`]);
  });

  test.each(slow)('is imported unchanged: %s', (pattern) => {
    expect(imported(pattern)).toContain(`@pattern ${pattern}\n`);
  });

  test('never comes from the globs of a project', () => {
    const path = `/project/${'a/'.repeat(2000)}a`;
    expect(groupFiles([path], ['/project'], [`${'**/*'.repeat(20)}.gg`])).toEqual([[]]);
    expect(groupFiles([path], ['/project'], ['**'.repeat(20)])).toEqual([[path]]);
  });
});

describe('a pattern with parts that cannot be searched in linear time', () => {
  test.each(costly)('is GG2050, with %s', (_, pattern) => {
    const source = `(root)-[:PROCESS]->(book {\n  /// @pattern ${pattern}\n  title: String!\n})`;
    expect(compile(source).diagnostics.map(({ code }) => code)).toEqual(['GG2050']);
  });

  test.each(costly)('is omitted by an import, with %s', (_, pattern) => {
    expect(imported(pattern)).not.toContain('@pattern');
  });

  test.each(costly)('has no example, and a check of answers reports it, with %s', (_, pattern) => {
    expect(patternSample(pattern)).toBeUndefined();
    expect(checkSchema({}, { type: 'string', pattern }, text)).toEqual([
      `the value cannot be checked against the pattern ${pattern}`,
    ]);
  });
});

describe('the example of a pattern', () => {
  test.each([
    ['^[A-Z]{3}-\\d{2}$', 'ABC-45'],
    ['^(?:b|c)+\\.\\\\[^a]$', 'b.\\d'],
    ['^(?=.*\\d)[a-z]{2}\\d$', 'ab3'],
    ['\\p{Lu}\\W', 'A.'],
    ['^😀{2}$', '😀😀'],
    ['a{1000}', 'a'.repeat(1000)],
  ])('matches it: %s', (pattern, example) => {
    expect([patternSample(pattern), new RegExp(pattern, 'u').test(example)]).toEqual([example, true]);
  });

  test('is not generated for large patterns, so that a thousand of them compile fast', () => {
    const fields = Array.from({ length: 1000 }, (_, at) => {
      const pattern = `(?:[^-]?${at}?){1500}-(?:.?${at}?){1500}$`;
      return `/// @pattern ${pattern}\n/// @minLength 200\nf${at}: String!`;
    });
    const { diagnostics, artifacts } = compile(`(root)-[:PROCESS]->(book {\n${fields.join(',\n')}\n})`);
    expect(diagnostics).toEqual([]);
    expect(artifacts).toBeDefined();
  });

  test('is missing if the text would be too long or cannot be found', () => {
    expect(['a{1001}', '^(?=.*[A-Z])[a-z]*$', '[]'].map((pattern) => patternSample(pattern))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

/** The topology of an OpenAPI document with one pattern. */
function imported(pattern: string): string | undefined {
  const schema = { type: 'object', properties: { title: { type: 'string', pattern } } };
  const content = { 'application/json': { schema } };
  const get = { operationId: 'readBook', responses: { 200: { description: 'A book.', content } } };
  const document = { openapi: '3.1.0', info: { title: 'Books', version: '1' }, paths: { '/book': { get } } };
  const { value, diagnostics } = importDescription(createSourceFile('api.json', JSON.stringify(document)));
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return (
    value &&
    Object.values(value)
      .filter((part) => typeof part === 'string')
      .join('\n')
  );
}
