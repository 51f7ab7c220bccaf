import { describe, expect, test } from 'vitest';
import { restRoutes } from '../../../src/compiler/api/rest-routes.js';
import { printTypeRef } from '../../../src/compiler/graph/type-ref.js';
import { indexSchema, inputTypeOf, inputTypeRef, namedType } from '../../../src/compiler/schema/schema-index.js';
import { argument, enumeration, mutation, object, query, scalar, schemaOf, type, union } from '../emit/fixtures.js';

const schema = schemaOf({
  objects: [object('A', { id: 'ID!' }), object('constructor', { id: 'ID!' })],
  enums: [enumeration('E', ['X'])],
  scalars: [scalar('S')],
  unions: [union('U', ['A'])],
  queries: [query('read', 'A'), query('same', 'A')],
  mutations: [mutation('save', 'A', [argument('a', 'AInput')]), mutation('same', 'A')],
});

describe('the index of a schema', () => {
  test('finds the definition of every name', () => {
    const kinds = ['ID', 'A', 'constructor', 'E', 'S', 'U', 'AInput'].map((name) => namedType(schema, name).kind);
    expect(kinds).toEqual(['builtin', 'object', 'object', 'enum', 'scalar', 'union', 'input']);
    expect(() => namedType(schema, 'toString')).toThrow('invariant: the schema has no type toString');
  });

  test('is created once', () => {
    const index = indexSchema(schema);
    expect(indexSchema(schemaOf({}))).not.toBe(index);
    expect(indexSchema(schema)).toBe(index);
  });

  test('finds the input behind a name in an input position', () => {
    expect(inputTypeOf(schema, 'A')).toBe(inputTypeOf(schema, 'AInput'));
    expect(['ID', 'E', 'S'].map((name) => inputTypeOf(schema, name))).toEqual([undefined, undefined, undefined]);
    expect(() => inputTypeOf(schema, 'U')).toThrow('invariant: U cannot be used in an input position');
  });

  test('writes the input of an object type in an input position, and keeps any other type', () => {
    const printed = ['[A!]!', 'AInput', '[E]', 'ID!'].map((text) => printTypeRef(inputTypeRef(schema, type(text))));
    expect(printed).toEqual(['[AInput!]!', 'AInput', '[E]', 'ID!']);
  });
});

test('lists exactly a GET for each query and a POST for each mutation as REST routes', () => {
  expect(restRoutes(schema).map(({ method, path, operation }) => [method, path, operation.name])).toEqual([
    ['GET', '/api/read', 'read'],
    ['GET', '/api/same', 'same'],
    ['POST', '/api/save', 'save'],
    ['POST', '/api/same', 'same'],
  ]);
});
