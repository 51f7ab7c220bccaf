import { describe, expect, test } from 'vitest';
import { importDescription } from '../../../../src/analysis/import/import-description.js';
import { createSourceFile } from '../../../../src/base/source/source-file.js';
import { analyze } from '../../../../src/compiler/analyze.js';
import { printTypeRef } from '../../../../src/compiler/graph/type-ref.js';

/** Imports one operation; its arguments as texts, and the losses. */
function argumentsOf(method: string, path: string, operation: object, components: object = {}) {
  const responses = { 204: { description: '' } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Test', version: '1' },
    paths: { [path]: { [method]: { operationId: 'change', responses, ...operation } } },
    components,
  };
  const { value, diagnostics } = importDescription(createSourceFile('api.json', JSON.stringify(document)));
  expect(diagnostics).toEqual([]);
  const { schema } = analyze({ name: 'api.gg', source: value?.text ?? '' });
  const found = [...schema.queries, ...schema.mutations].find(({ name }) => name === 'change');
  return {
    shown: (found?.arguments ?? []).map(({ name, type }) => `${name}: ${printTypeRef(type)}`).join(', '),
    losses: value?.losses ?? [],
  };
}

const object = (properties: object, ...required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
});
const string = { type: 'string' };
const integer = { type: 'integer' };

describe('a body', () => {
  const bodyOf = (schema: object, schemas: object = {}) =>
    argumentsOf('post', '/change', { requestBody: { content: { 'application/json': { schema } } } }, { schemas });
  const place = '#/paths/~1change/post/requestBody/content/application~1json/schema';

  test('that is one of several objects keeps the members of all of them, required if all require them', () => {
    const { shown, losses } = bodyOf({
      oneOf: [object({ size: string, name: string }, 'size', 'name'), object({ size: string, names: {} }, 'size')],
    });
    expect(shown).toBe('size: String!, name: String, names: JSON');
    expect(losses).toContainEqual(expect.objectContaining({ place, subject: 'body of change' }));
  });

  test('keeps the members of its options that are objects if others are lists or texts', () => {
    expect(bodyOf({ anyOf: [object({ labels: { type: 'array', items: string } }), string] }).shown).toBe(
      'labels: [String!]',
    );
  });

  test('is one argument if none of its options has members', () => {
    expect(bodyOf({ oneOf: [string, integer] }).shown).toBe('body: JSON');
  });

  test('gives a member whose type differs between options a type that holds both', () => {
    const schema = (kind: object, at: object) => object({ kind, at, same: integer });
    const [one, two] = [
      { enum: ['a', 'b'], ...string },
      { enum: ['c', 'd'], ...string },
    ];
    expect(bodyOf({ oneOf: [schema(one, string), schema(two, integer)] }).shown).toBe(
      'kind: String, at: JSON, same: Int',
    );
  });

  test('keeps the members of options beside its own, and of options that refer back to it', () => {
    const Thing = {
      ...object({ name: string }, 'name'),
      anyOf: [object({ size: integer }), { required: ['name'] }, { $ref: '#/components/schemas/Thing' }],
    };
    expect(bodyOf({ $ref: '#/components/schemas/Thing' }, { Thing }).shown).toBe('name: String!, size: Int');
  });

  test('keeps the members that a schema requires of its only part', () => {
    const Part = object({ name: string, size: integer }, 'size');
    const part = { $ref: '#/components/schemas/Part' };
    expect(bodyOf({ allOf: [part], required: ['name'] }, { Part }).shown).toBe('name: String!, size: Int!');
    expect(bodyOf({ allOf: [part], required: ['size'] }, { Part }).shown).toBe('name: String, size: Int!');
  });
});

describe('a form', () => {
  const file = { type: 'string', format: 'binary' };
  const formOf = (
    schema: object,
    { encoding = undefined as object | undefined, others = {}, method = 'post' } = {},
  ) => {
    const content = { 'multipart/form-data': { schema, ...(encoding && { encoding }) }, ...others };
    const { shown, losses } = argumentsOf(method, '/change', { requestBody: { required: true, content } });
    const reported = losses.filter(({ place }) => place.includes('requestBody'));
    return { shown, reported: reported.map(({ subject, reason }) => `${subject}: ${reason}`) };
  };

  test('has its files and its texts as arguments, and nothing of it is reported', () => {
    const Size = { oneOf: [{ type: 'object', properties: { width: integer } }] };
    const { shown, reported } = formOf(object({ id: string, size: Size, one: file, two: file }, 'one', 'two'));
    expect(shown).toBe('id: ID, size: ChangeSize, one: File!, two: File!');
    expect(reported).toEqual([]);
  });

  test.each([
    ['of a format', file, {}],
    ['of OpenAPI 3.1', { contentMediaType: 'image/png' }, {}],
    ['with a media type beside the schema', {}, { encoding: { at: { contentType: 'image/png' } } }],
    ['that may be null', { oneOf: [file, { type: 'null' }] }, {}],
  ])('has a file %s', (_, schema, more) => {
    expect(formOf(object({ at: schema }), more).shown).toBe('at: File');
  });

  test.each([
    ['JSON', {}, { encoding: { at: { contentType: 'application/json' } } }, 'at: JSON'],
    ['base64', { ...string, contentMediaType: 'image/png', contentEncoding: 'base64' }, {}, 'at: String'],
    ['a DELETE', file, { method: 'delete' }, 'at: String'],
  ])('has no file for %s', (_, schema, more, shown) => {
    expect(formOf(object({ at: schema }), more).shown).toBe(shown);
  });

  test('has one file in place of a list, and reports it', () => {
    const { shown, reported } = formOf(object({ files: { type: 'array', items: file } }, 'files'));
    expect(shown).toBe('files: File!');
    expect(reported).toContain('file files of change: A form has one file for each argument.');
  });

  test('loses optional files beside others, and reports each', () => {
    const { shown, reported } = formOf(object({ one: file, two: file, three: file }, 'two'));
    expect(shown).toBe('two: File!');
    expect(reported.map((one) => one.split(':')[0])).toEqual(['file one of change', 'file three of change']);
    expect(formOf(object({ one: file, two: file })).shown).toBe('one: File');
  });

  test('without files becomes JSON, and reports it', () => {
    expect(formOf(object({ text: string }))).toEqual({
      shown: 'text: String',
      reported: ['multipart/form-data of body of change: The server reads and writes JSON.'],
    });
  });

  test('beside JSON adds a file to it that callers may leave out', () => {
    const others = {
      'application/json': { schema: object({ text: string, url: string }, 'text') },
      'text/csv': {},
    };
    const { shown, reported } = formOf(object({ text: string, url: file, at: file }, 'at'), { others });
    expect(shown).toBe('text: String!, url: String, at: File');
    expect(reported).toEqual([
      'text/csv of body of change: It is imported as application/json.',
      'file url of change: Its JSON has a member of this name.',
    ]);
  });

  test('beside JSON without members is reported', () => {
    const others = { 'application/json': { schema: { type: 'array', items: string } } };
    const { shown, reported } = formOf(object({ at: file }), { others });
    expect(shown).toBe('body: [String!]!');
    expect(reported).toContain('multipart/form-data of body of change: It is imported as application/json.');
  });

  test.each(['image/png', 'text/csv'])('takes a body of the media type %s as a file, and reports it', (type) => {
    const requestBody = { required: true, content: { [type]: { schema: file } } };
    const { shown, losses } = argumentsOf('post', '/change', { requestBody });
    expect(shown).toBe('body: File!');
    expect(losses.map(({ subject }) => subject)).toContain(`${type} of body of change`);
    expect(argumentsOf('delete', '/change', { requestBody }).shown).toBe('');
  });
});

describe('the condition of a request', () => {
  const condition = (name: string, required = false) => ({ name, in: 'header', required, schema: string });
  const id = { name: 'id', in: 'path', required: true, schema: string };
  const path = (write: object, read: object = {}) => ({
    get: {
      operationId: 'read',
      parameters: [condition('If-None-Match')],
      responses: {
        200: {
          description: '',
          headers: { Etag: { schema: string } },
          content: { 'application/json': { schema: object({ name: string }) } },
        },
      },
      ...read,
    },
    parameters: [id],
    put: { operationId: 'change', responses: { 204: { description: '' } }, ...write },
  });
  const importOf = (item: object) => {
    const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: { '/a/{id}': item } };
    const { value } = importDescription(createSourceFile('api.json', JSON.stringify(document)));
    const { schema } = analyze({ name: 'api.gg', source: value?.text ?? '' });
    const of = (name: string) => [...schema.queries, ...schema.mutations].find((operation) => operation.name === name);
    const argumentsOfOne = (name: string) => of(name)?.arguments.map((one) => one.name);
    return { of, argumentsOfOne, losses: value?.losses ?? [] };
  };

  test('becomes `etag` on a read that has an ETag, and on a write of its path that takes conditions', () => {
    const found = importOf(path({ parameters: [condition('if-match', true)] }));
    expect(['read', 'change'].map((name) => found.of(name)?.etag)).toEqual([true, 'required']);
    expect(['read', 'change'].map(found.argumentsOfOne)).toEqual([['id'], ['id']]);
    expect(found.losses.filter(({ subject }) => /etag|match/i.test(subject))).toEqual([]);
    expect(importOf(path({ parameters: [condition('If-None-Match')] })).of('change')?.etag).toBe(true);
    expect(importOf(path({})).of('change')?.etag).toBeUndefined();
  });

  test.each([
    ['the read has no ETag', { responses: { 200: { description: '' } } }],
    ['the read requires more than its path', { parameters: [{ ...id, name: 'at', in: 'query' }] }],
  ])('is an argument with its header if %s', (_, read) => {
    const found = importOf(path({ parameters: [condition('If-Match', true)] }, read));
    expect(found.argumentsOfOne('change')).toEqual(['ifMatch', 'id']);
    expect(found.of('change')?.arguments[0]?.header).toBe('If-Match');
  });
});

describe('a parameter', () => {
  test.each([
    ['a choice', { oneOf: [string, integer] }, '/a/{at}', 'path'],
    ['a choice through references', { anyOf: [{ $ref: '#/components/schemas/At' }] }, '/a/{at}', 'path'],
    ['several types', { type: ['string', 'integer', 'null'] }, '/a', 'query'],
  ])('with %s of scalars is a String, because URLs contain text', (_, schema, path, from) => {
    const parameter = { name: 'at', in: from, required: true, description: 'Where.', schema };
    const schemas = { At: { oneOf: [integer, { type: 'boolean' }] } };
    const { shown, losses } = argumentsOf('get', path, { parameters: [parameter] }, { schemas });
    expect(shown).toBe('at: String!');
    expect(losses.map(({ subject }) => subject)).toContain('parameter at of change');
  });

  test.each([{}, { type: 'object' }, { oneOf: [string, { type: 'array', items: string }] }])(
    'in the path is a String, even if its schema is %j',
    (schema) => {
      const parameters = [{ name: 'at', in: 'path', required: true, schema }];
      expect(argumentsOf('get', '/a/{at}', { parameters }).shown).toBe('at: String!');
    },
  );

  test.each([
    ['its example', { example: 2 ** 33 }],
    ['one of its examples', { examples: { one: { value: 1 }, two: { value: -(2 ** 33) } } }],
  ])('that is an integer is a SafeInt if %s has more than 32 bits', (_, example) => {
    const parameters = [{ name: 'at', in: 'path', required: true, schema: integer, ...example }];
    expect(argumentsOf('get', '/a/{at}', { parameters }).shown).toBe('at: SafeInt!');
  });

  test('that is an integer id is a SafeInt, unless something shows how large it is', () => {
    const parameters = [
      { name: 'id', in: 'path', required: true, schema: integer },
      { name: 'page', in: 'query', schema: integer },
      { name: 'small_id', in: 'query', schema: { ...integer, maximum: 9 } },
      { name: 'shown_id', in: 'query', schema: { ...integer, example: 7 } },
      { name: 'short_id', in: 'query', schema: { ...integer, format: 'int32' } },
    ];
    expect(argumentsOf('get', '/a/{id}', { parameters }).shown).toBe(
      'id: SafeInt!, page: Int, small_id: Int, shown_id: Int, short_id: Int',
    );
  });

  test('in a header is an argument with that header, once for each name whatever its case', () => {
    const parameters = [
      { name: 'X-Danger', in: 'header', required: true, schema: { type: 'integer' } },
      { name: 'x-danger', in: 'header', schema: string },
      { name: 'danger', in: 'query', schema: string },
    ];
    const { shown, losses } = argumentsOf('get', '/a', { parameters });
    expect(shown).toBe('xDanger: Int!, danger: String');
    expect(losses.filter(({ subject }) => /danger/i.test(subject))).toEqual([]);
  });

  test.each([
    ['Authorization', string],
    ['X-List', { type: 'array', items: string }],
    ['X-Any', {}],
    ['X!', string],
  ])('in the header %s that callers must send is reported at each operation', (name, schema) => {
    const { losses } = argumentsOf(
      'delete',
      '/a',
      { parameters: [{ $ref: '#/components/parameters/Danger' }] },
      { parameters: { Danger: { name, in: 'header', required: true, schema } } },
    );
    expect(losses).toContainEqual(
      expect.objectContaining({
        place: '#/paths/~1a/delete',
        subject: `required header parameter ${name} of change`,
      }),
    );
  });
});
