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
  const [found] = [...schema.queries, ...schema.mutations];
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
    argumentsOf(
      'post',
      '/change',
      { requestBody: { content: { 'application/json': { schema } } } },
      { schemas },
    );
  const place = '#/paths/~1change/post/requestBody/content/application~1json/schema';

  test('that is one of several objects keeps the members of all of them, required if all require them', () => {
    const { shown, losses } = bodyOf({
      oneOf: [
        object({ size: string, name: string }, 'size', 'name'),
        object({ size: string, names: {} }, 'size'),
      ],
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
