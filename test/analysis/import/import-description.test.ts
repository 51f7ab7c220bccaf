import { describe, expect, test } from 'vitest';
import { importDescription } from '../../../src/analysis/import/import-description.js';
import { createSourceFile, lineMapOf, positionAt } from '../../../src/base/source/source-file.js';

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
