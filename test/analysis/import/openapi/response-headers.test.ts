import { expect, test } from 'vitest';
import { importDescription } from '../../../../src/analysis/import/import-description.js';
import { createSourceFile } from '../../../../src/base/source/source-file.js';

/** Imports an operation with one response. */
function importOf(status: number, response: object) {
  const operation = { operationId: 'make', responses: { [status]: { description: '', ...response } } };
  const headers = { Link: { schema: { type: 'string' } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Test', version: '1' },
    paths: { '/things': { post: operation } },
    components: { headers },
  };
  const { value } = importDescription(createSourceFile('api.json', JSON.stringify(document)));
  const lost = (value?.losses ?? []).filter(({ subject }) => subject.startsWith('response header'));
  return { text: value?.text, lost: lost.map(({ subject, reason }) => `${subject}: ${reason}`) };
}

const location = { description: 'Where it is.', required: true, schema: { type: 'string', format: 'uri' } };

test('makes the headers of a response without content the fields of its result', () => {
  const headers = { Location: location, 'X-Left': { schema: { type: 'integer' } }, 'X-Note': {} };
  const { text, lost } = importOf(201, { headers });
  expect(text).toContain(`(make_result {
  /// Where it is.
  /// @header Location
  /// @format uri
  location: String!,
  /// @header X-Left
  xLeft: Int,
  /// @header X-Note
  xNote: String,
})`);
  expect(text).toContain('status: 201');
  expect(lost).toEqual([]);
});

test('reports the headers of a response with content, and those that the server sets', () => {
  const headers = {
    Location: location,
    ETag: { schema: {} },
    Link: { $ref: '#/components/headers/Link' },
    'X-RateLimit-Limit': {},
  };
  const own = ['ETag', 'Link', 'X-RateLimit-Limit'].map(
    (name) => `response header ${name}: The server sets it itself.`,
  );
  const content = { 'application/json': { schema: { type: 'object', properties: { id: {} } } } };
  expect(importOf(201, { headers, content }).lost).toEqual([
    'response header Location: A field of the result with @header can have its value.',
    ...own,
  ]);
  const { Location: _, ...others } = headers;
  const { text, lost } = importOf(204, { headers: others });
  expect(text).toContain('returns: Boolean');
  expect(lost).toEqual(own);
});
