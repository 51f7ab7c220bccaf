import { expect, test } from 'vitest';
import { importDescription } from '../../../../src/analysis/import/import-description.js';
import { createSourceFile } from '../../../../src/base/source/source-file.js';
import { compile } from '../../../../src/compiler/compile.js';

/** Imports an operation with one response, and one with the same result, or with a response more. */
function importOf(status: number, response: object, other?: object, otherStatus?: string) {
  const more = other === undefined || otherStatus === undefined ? {} : { [otherStatus]: { description: '', ...other } };
  const operation = {
    operationId: 'make',
    responses: { [status]: { description: '', ...response }, ...more },
  };
  const headers = { Link: { schema: { type: 'string' } } };
  const twin = otherStatus === '201' ? { put: { ...operation, operationId: 'replace' } } : {};
  const document = {
    openapi: '3.1.0',
    info: { title: 'Test', version: '1' },
    paths: { '/things': { post: operation, ...twin } },
    components: { headers, schemas: { Thing: { type: 'object', properties: { id: { type: 'string' } } } } },
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

const content = (schema: object) => ({ 'application/json': { schema } });
const thing = { type: 'object', properties: { id: { type: 'string' } } };

test('makes the headers of a response with content nullable fields of its result, once for a type', () => {
  const list = { type: 'array', items: { type: 'string' } };
  const headers = { Location: location, 'X-Parts': { schema: list } };
  const { text, lost } = importOf(201, { headers, content: content(thing) });
  expect(text).toContain(`(make_result {
  id: ID,
  /// Where it is.
  /// @header Location
  /// @format uri
  location: String,
  /// @header X-Parts
  xParts: String,
})`);
  expect(lost).toEqual([]);
  const once = importOf(200, { headers, content: content({ $ref: '#/components/schemas/Thing' }) }, undefined, '201');
  expect(once.text?.match(/@header Location/g)).toHaveLength(1);
  expect(compile(once.text ?? '').ok).toBe(true);
});

test('reports the headers that the result has no field for', () => {
  const headers = { Location: location };
  const lostOf = (schema: object) => importOf(201, { headers, content: content(schema) }).lost;
  const noObject = 'response header Location of make: Only a result that is an object has fields.';
  expect(lostOf({ type: 'array', items: thing })).toEqual([noObject]);
  expect(lostOf({ type: 'string' })).toEqual([noObject]);
  expect(lostOf({ type: 'object', properties: { location: { type: 'string' } } })).toEqual([
    'response header Location of make: The result has another field “location”.',
  ]);
});

test('reports the headers that the server sets, and those of errors', () => {
  const headers = {
    ETag: { schema: {} },
    Link: { $ref: '#/components/headers/Link' },
    'X-RateLimit-Limit': {},
  };
  const own = [
    'response header ETag: Responses to GET have it, with “etag: true”.',
    ...['Link', 'X-RateLimit-Limit'].map((name) => `response header ${name}: The server sets it itself.`),
  ];
  expect(importOf(201, { headers, content: content(thing) }).lost).toEqual(own);
  const { text, lost } = importOf(204, { headers });
  expect(text).toContain('returns: Boolean');
  expect(lost).toEqual(own);
  const error = { headers: { 'X-Reason': {} }, content: { 'application/problem+json': {} } };
  expect(importOf(204, {}, error, '409').lost).toEqual([
    'response header X-Reason: Only the successful response has it.',
  ]);
});
