import { expect, test } from 'vitest';
import { withOldNames } from '../../../../src/compiler/api/old-names.js';
import { project } from '../check.js';

const topology = (ofRead: string, ofWrite: string, args = '') => `
  (user { id: ID! })
  (root)-[:PROCESS { id: ID!, ${args} route: 'GET /users/{id}', ${ofRead} }]->(user)
  (root)-[:FOLD { key: ID!, route: 'PUT /users/{key}', ${ofWrite} }]->(saved { id: ID! })`;

const codesOf = (source: string) => project(source).diagnostics.map(({ code }) => code);

test.each(['true', "'required'"])('gives reads an ETag, and a write with %s its precondition', (value) => {
  const { schema, diagnostics } = project(topology('etag: true', `etag: ${value}`));
  expect(diagnostics).toEqual([]);
  expect(schema.queries[0]?.etag).toBe(true);
  expect(schema.mutations[0]?.etag).toBe(value === 'true' ? true : 'required');
});

test.each(['false', "'optional'", '1'])('rejects %s as a value of etag', (value) => {
  expect(codesOf(topology(`etag: ${value}`, ''))).toEqual(['GG2018']);
  expect(codesOf(topology('etag: true', `etag: ${value}`))).toEqual(['GG2018']);
});

test('rejects a required ETag of a read', () => {
  const { diagnostics } = project(topology("etag: 'required'", ''));
  expect(diagnostics.map(({ message }) => message)).toEqual(['“etag” must be true.']);
});

test.each([
  [topology('', 'etag: true'), 'user, the GET of the same path, has no etag: true'],
  [topology('etag: true, status: 204', 'etag: true'), 'the response of user, the GET of the same path, has no content'],
  [
    topology('etag: true', 'etag: true', 'kind: String!,'),
    'user, the GET of the same path, requires “kind” outside the path',
  ],
  [topology('etag: true', 'etag: true').replace('PUT /users', 'PUT /people'), 'there is no GET of the same path'],
])('rejects a write whose ETag cannot be compared', (source, reason) => {
  expect(project(source).diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
    `GG2062 The etag of saved cannot be compared: ${reason}.`,
  ]);
});

test.each([
  topology('etag: true, /// @header If-None-Match\n tag: String', ''),
  topology('etag: true', 'etag: true, /// @header if-match\n tag: String'),
])('rejects an argument in the header that etag reads', (source) => {
  expect(codesOf(source)).toContain('GG2061');
});

test('finds a misspelt setting for ETags, and one without a meaning', () => {
  expect(codesOf(topology('etags: true', ''))).toEqual(['GG2041']);
  expect(codesOf('(a { id: ID! })-[:FORK { etag: true }]->(b { id: ID! })')).toContain('GG3012');
});

test('is no precondition of the old name of a write, whose path has no read', () => {
  const named = topology('etag: true', 'etag: true').replaceAll(
    '(root)-[:',
    '/// @renamedFrom old until 2027-01\n(root)-[:',
  );
  const { queries, mutations } = withOldNames(project(named).schema).value;
  expect(queries.map(({ etag }) => etag)).toEqual([true, true]);
  expect(mutations.map(({ etag }) => etag)).toEqual([true, undefined]);
});
