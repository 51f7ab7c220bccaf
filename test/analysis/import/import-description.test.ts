import { describe, expect, test } from 'vitest';
import { importDescription, isYaml } from '../../../src/analysis/import/import-description.js';
import { createSourceFile, lineMapOf, positionAt } from '../../../src/base/source/source-file.js';
import { compile } from '../../../src/compiler/compile.js';
import { printTypeRef } from '../../../src/compiler/graph/type-ref.js';
import type { GqlArgument } from '../../../src/compiler/schema/gql-schema.js';

function read(text: string) {
  return importDescription(createSourceFile('description', text));
}

/** The code, the message and the line of the only finding. */
function finding(text: string) {
  const { value, diagnostics } = read(text);
  const [{ code, message, span } = expect.fail('there is no finding')] = diagnostics;
  expect(value).toBeUndefined();
  expect(diagnostics).toHaveLength(1);
  const { line, column } = positionAt(lineMapOf(createSourceFile('description', text)), span.start);
  return { code, message, place: `${line}:${column}` };
}

describe('the format of a description', () => {
  const paths = { '/a': { get: { operationId: 'a', responses: { 204: { description: 'Done.' } } } } };

  test.each([
    ['OpenAPI', JSON.stringify({ openapi: '3.1.0', info: {}, paths })],
    ['OpenAPI', `\ufeff\n ${JSON.stringify({ openapi: '3.0.3', paths })}`],
    ['GraphQL', 'type Query { a: Int }'],
    ['GraphQL', '"""{"openapi": "3.1.0"}""" type Query { a: Int }'],
  ])('is detected by content: %s', (format, text) => {
    expect(read(text).value?.format).toBe(format);
  });

  test.each([
    ['GG4021', '{}'],
    ['GG4021', '[]'],
    ['GG4021', '{ "constructor": { "openapi": "3.1.0" } }'],
    ['GG4022', '{ "swagger": "2.0" }'],
    ['GG4022', '{ "openapi": "4.0.0" }'],
    ['GG4022', '{ "openapi": "33.0" }'],
    ['GG4022', '{ "asyncapi": "3.1.0" }'],
    ['GG4022', '{ "data": { "__schema": {} } }'],
    ['GG4022', '# A comment.\nopenapi: 3.1.0\n'],
    ['GG4023', '{ "openapi": "3.1.0", "paths": {} }'],
    ['GG4023', '{ "openapi": "3.1.0", "paths": 3 }'],
    ['GG4023', 'type Book { id: ID }'],
    ['GG4023', '{ "openapi": "3.1.0", "paths": { "/a": { "head": {} } } }'],
  ])('is rejected with %s: %s', (code, text) => {
    expect(finding(text).code).toBe(code);
  });

  test('is unknown for truncated JSON, with the place of its end', () => {
    expect(finding('{\n  "openapi": "3.1.0",\n  "paths": ')).toMatchObject({ code: 'GG4020', place: '3:12' });
  });

  test('is unknown for invalid GraphQL, with the place of the error', () => {
    expect(finding('type Query {\n  a: [Int\n}')).toMatchObject({ code: 'GG4020', place: '3:1' });
  });

  test('is detected in deeply nested texts without overflowing the stack', () => {
    expect(finding(`type Query { a: ${'['.repeat(200_000)}`).code).toBe('GG4020');
    expect(['GG4020', 'GG4021']).toContain(finding(`${'['.repeat(200_000)}${']'.repeat(200_000)}`).code);
  });
});

describe('YAML', () => {
  test.each([
    'openapi: 3.1.0\n',
    '# The API.\n---\n"openapi": 3.1.0\n',
    'components:\n  schemas: {}\ninfo: {}\nopenapi: 3.0.1\n',
    '  swagger: "2.0"',
  ])('is detected by the version of the description, wherever it stands: %j', (text) => {
    expect(isYaml(text)).toBe(true);
  });

  test.each([
    'type Query { openapi: String }',
    '# openapi: 3\ntype Query { a: Int }',
    'name: Test\ninfo:\n  openapi: 3',
    `${'#'.repeat(200_000)}\n${'-'.repeat(200_000)}\ntype Query { a: Int }`,
  ])('is not detected in other texts, whatever their length', (text) => {
    expect(isYaml(text)).toBe(false);
  });
});

describe('an input of a GraphQL schema', () => {
  const text = (sdl: string) => read(sdl).value?.text ?? '';

  test('keeps its name beside the object type that the name is made of, and takes the place of its derived input', () => {
    const sdl = `type Query { issue(id: ID!): Issue }
      type Mutation { addIssue(input: IssueInput!): Issue, moveIssue(like: IssueInput): Issue }
      type Issue { id: ID!, title: String!, parent: Issue }
      input IssueInput { title: String!, parentId: ID }`;
    const { value } = read(sdl);
    expect(value?.losses.filter(({ reason }) => reason.startsWith('It is named'))).toEqual([]);
    const { schema, ok } = compile(value?.text ?? '');
    expect(ok).toBe(true);
    expect(schema.inputs.map(({ name, fields }) => [name, ...fields.map((field) => field.name)])).toContainEqual([
      'IssueInput',
      'title',
      'parentId',
    ]);
    expect(schema.mutations.map((one) => printTypeRef((one.arguments[0] as GqlArgument).type))).toEqual([
      'IssueInput!',
      'IssueInput',
    ]);
  });

  test('takes the operations along that require it, where topologies cannot express it', () => {
    const sdl = `type Query { a(by: Loop!, n: Int): Int, b(by: Loop, n: Int): Int }
      input Loop { loop: Loop! }`;
    const { losses = [] } = read(sdl).value ?? {};
    expect(text(sdl)).not.toContain("operation: 'a'");
    expect(text(sdl)).toContain("operation: 'b', returns: Int, n: Int }");
    const left = losses.filter(({ reason }) => reason === 'The type Loop is left out.');
    expect(left.map(({ subject }) => subject)).toEqual(['query a', 'by of query b']);
  });
});
