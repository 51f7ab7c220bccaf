import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importDescription } from '../../../src/analysis/import/import-description.js';
import { createSourceFile } from '../../../src/base/source/source-file.js';
import { compile } from '../../../src/compiler/compile.js';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A document with these operations and schemas. */
function document(paths: Json, schemas: Json = {}, more: { readonly [name: string]: Json } = {}): string {
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Test', version: '1' },
    paths,
    components: { schemas },
    ...more,
  });
}

/** A GET with a result of this schema. */
function returning(schema: Json, more: { readonly [name: string]: Json } = {}): Json {
  return {
    operationId: 'find',
    responses: { 200: { description: 'Found.', content: { 'application/json': { schema } } } },
    ...more,
  };
}

function importOf(text: string) {
  const { value, diagnostics } = importDescription(createSourceFile('openapi.json', text));
  expect(diagnostics).toEqual([]);
  const { text: topology = '', losses = [] } = value ?? {};
  const compiled = compile(topology);
  expect(compiled.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return { topology, losses, sdl: compiled.artifacts?.['schema.graphql'] ?? '' };
}

/** The type of the result of a GET with a result of this schema. */
function typeOf(schema: Json, schemas: Json = {}): string | undefined {
  return / find: (.+?) @topology/.exec(importOf(document({ '/find': { get: returning(schema) } }, schemas)).sdl)?.[1];
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('the type of a schema', () => {
  const Pet = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, age: { type: 'integer' } },
  };

  test.each<[string, Json]>([
    ['String!', { type: 'string' }],
    ['String', { type: ['string', 'null'] }],
    ['String', { type: 'string', nullable: true }],
    ['String', { oneOf: [{ type: 'string' }, { type: 'null' }] }],
    ['DateTime!', { type: 'string', format: 'date-time' }],
    ['UUID!', { type: 'string', format: 'uuid' }],
    ['Int!', { type: 'integer' }],
    ['SafeInt!', { type: 'integer', format: 'int64' }],
    ['SafeInt!', { type: 'integer', maximum: 5_000_000_000 }],
    ['Float!', { type: 'number' }],
    ['Float!', { type: ['integer', 'number'] }],
    ['Boolean!', { type: 'boolean' }],
    ['[Int!]!', { type: 'array', items: { type: 'integer' } }],
    ['[[Int]!]!', { type: 'array', items: { type: 'array', items: { type: ['integer', 'null'] } } }],
    ['JSONObject!', { type: 'object' }],
    ['JSONObject!', { type: 'object', additionalProperties: { type: 'string' } }],
    ['JSON', {}],
    ['JSON!', { type: ['string', 'integer'] }],
    ['FindResult!', { enum: ['a', 'b'] }],
    ['FindResult!', { enum: ['a-b', 'c'] }],
    ['String!', { enum: ['', 'c'] }],
    ['String!', { enum: ['<=', 'c'] }],
    ['String!', { enum: ['a ', 'c'] }],
    ['FindResult!', Pet],
    ['Pet!', ref('Pet')],
    ['Pet', { anyOf: [ref('Pet'), { type: 'null' }] }],
    ['Pet!', { allOf: [ref('Pet')] }],
    ['[Pet!]!', { type: 'array', items: ref('Pet') }],
    ['JSON', ref('Nothing')],
    ['JSON', { $ref: 'https://example.com/pet.json' }],
  ])('becomes %s: %j', (type, schema) => {
    expect(typeOf(schema, { Pet })).toBe(type);
  });

  test('keeps the spelling of enum values that are no names', () => {
    const State = {
      type: 'string',
      enum: ['in-progress', 'in progress', 'done', 'true', '2d', '+1'],
      default: 'in-progress',
      example: '2d',
    };
    const schema = { type: 'object', properties: { state: ref('State') } };
    const { topology } = importOf(document({ '/find': { get: returning(schema) } }, { State }));
    const values = topology.slice(topology.indexOf('(state'), topology.indexOf('],'));
    expect(values.match(/@value .+|\b\w+(?=,\n)/g)).toEqual([
      ...['@value in-progress', 'in_progress', '@value in progress', 'in_progress_2', 'done'],
      ...['@value true', '_true', '@value 2d', '_2d', '@value +1', '_1'],
    ]);
    expect(topology).toContain('@example "_2d"');
  });

  test('takes the names of enum values from x-enum-varnames', () => {
    const State = { type: 'string', enum: ['<', '>='], 'x-enum-varnames': ['LESS', 'GREATER_OR_EQUAL'] };
    const parameters = [{ in: 'query', name: 'by', schema: { ...ref('State') }, example: '<' }];
    const { topology } = importOf(document({ '/find': { get: returning(ref('State'), { parameters }) } }, { State }));
    expect(topology).toMatch(/@value <\n\s*LESS,\s*\/\/\/ @value >=\n\s*GREATER_OR_EQUAL/);
    expect(topology).toContain('@example LESS');
  });

  test('has the members of all `allOf` parts', () => {
    const schemas = { Pet, Cat: { allOf: [ref('Pet'), { properties: { lives: { type: 'integer' } } }] } };
    expect(importOf(document({ '/find': { get: returning(ref('Cat')) } }, schemas)).topology).toContain(
      '(cat { name: String!, age: Int, lives: Int })',
    );
  });

  test('becomes an interface for a oneOf of objects', () => {
    const Dog = { ...Pet, properties: { ...Pet.properties, good: { type: 'boolean' } } };
    const { topology, losses } = importOf(
      document({ '/find': { get: returning(ref('Any')) } }, { Pet, Dog, Any: { oneOf: [ref('Pet'), ref('Dog')] } }),
    );
    expect(topology).toContain('(any: Interface { name: String!, age: Int })');
    expect(topology).toContain('(dog { implements: [Any], name: String!, age: Int, good: Boolean })');
    expect(losses).toContainEqual(
      expect.objectContaining({ place: '#/components/schemas/Any', subject: 'schema Any' }),
    );
  });

  test('may contain itself', () => {
    const Node = { properties: { children: { type: 'array', items: ref('Node') } } };
    expect(importOf(document({ '/find': { get: returning(ref('Node')) } }, { Node })).topology).toContain(
      '(node { children: [Node!] })',
    );
  });

  test.each<[string, Json]>([
    ['a reference', { Loop: ref('Loop') }],
    ['two references', { Loop: ref('Back'), Back: ref('Loop') }],
    ['a list', { Loop: { type: 'array', items: ref('Loop') } }],
    ['a choice', { Loop: { oneOf: [ref('Loop')] } }],
    ['a part', { Loop: { allOf: [ref('Loop')] } }],
  ])('is JSON for a schema that contains only itself: %s', (_, schemas) => {
    expect(typeOf(ref('Loop'), schemas)).toMatch(/JSON/);
  });
});

describe('an operation', () => {
  test('has its route, its arguments and the members of its body as arguments', () => {
    const put = {
      ...(returning({ type: 'object', properties: { id: { type: 'string' } } }) as object),
      operationId: 'savePet',
      parameters: [{ name: 'pet-id', in: 'path', required: true, schema: { type: 'string' } }],
      requestBody: {
        content: {
          'application/json': {
            schema: {
              required: ['name'],
              properties: {
                name: { type: 'string', minLength: 1 },
                tags: { type: 'array', maxItems: 3, items: { type: 'string', pattern: '^a' } },
                age: { type: 'integer', default: 1, exclusiveMinimum: 0 },
              },
            },
          },
        },
      },
    };
    const { topology, losses } = importOf(document({ '/pets/{pet-id}': { put } }));
    expect(topology).toContain("route: 'PUT /pets/{petId}'");
    expect(topology).toContain('petId: ID!');
    expect(topology).toMatch(/\/\/\/ @minLength 1\n {2}name: String!/);
    expect(topology).toMatch(/\/\/\/ @maxItems 3\n {2}\/\/\/ @pattern \^a\n {2}tags: \[String!\]/);
    expect(topology).toMatch(/\/\/\/ @exclusiveMinimum 0\n {2}age: Int! = 1/);
    expect(losses.map(({ subject }) => subject)).toContain('argument pet-id of operation savePet');
  });

  test.each([
    ...['minLength', 'maxLength'].map((word) => ['string', word, [-1, 1.5, '1']] as const),
    ['string', 'pattern', [5, ' a', 'a\nb', '(']] as const,
    ['string', 'format', [5, 'a b']] as const,
    ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((word) => ['number', word, ['1']] as const),
    ['number', 'multipleOf', [0, -1, '1']] as const,
    ...['minItems', 'maxItems'].map((word) => ['array', word, [-1, 1.5, '1']] as const),
  ])('ignores invalid limits of an argument: a %s with the tag %s', (type, word, own: readonly Json[]) => {
    for (const value of [null, true, {}, [], '', ...own]) {
      const schema = { type, [word]: value, ...(type === 'array' ? { items: { type: 'string' } } : {}) };
      const parameters = [{ name: 'limited', in: 'query', schema }];
      const get = returning({ type: 'string' }, { parameters });
      expect(importOf(document({ '/find': { get } })).topology).not.toContain(`@${word}`);
    }
  });

  test('keeps the status and the access of the document', () => {
    const get = (security: Json) => returning({ type: 'string' }, { security, operationId: 'x' });
    const paths = {
      '/open': { get: { ...(get([]) as object), operationId: 'open' } },
      '/any': { get: { ...(get([{ key: [] }, {}]) as object), operationId: 'any' } },
      '/key': { get: { ...(get([{ key: [] }]) as object), operationId: 'key' } },
      '/scopes': {
        post: {
          operationId: 'scopes',
          security: [{ oauth: ['a:b', 'c'] }],
          responses: { 202: { description: 'Later.' } },
        },
      },
    };
    const { topology } = importOf(document(paths));
    expect(topology).toMatch(/operation: 'open'[\s\S]*?auth: 'optional'/);
    expect(topology).toMatch(/operation: 'any'[\s\S]*?auth: 'optional'/);
    expect(topology).toMatch(/operation: 'key'[\s\S]*?auth: 'required'/);
    expect(topology).toMatch(/operation: 'scopes'[\s\S]*?status: 202[\s\S]*?scopes: \['a:b', 'c'\]/);
  });

  test('keeps its name, or reports the new one', () => {
    const get = (operationId: string) => returning({ type: 'string' }, { operationId });
    const { topology, losses } = importOf(
      document({
        '/a': { get: get('list-pets') },
        '/b': { get: get('same') },
        '/c': { get: get('same') },
        '/d': { get: returning({ type: 'string' }, { operationId: '' }) },
      }),
    );
    for (const name of ['listPets', 'same', 'same2']) expect(topology).toContain(`operation: '${name}'`);
    expect(losses).toContainEqual(expect.objectContaining({ place: '#/paths/~1c/get', subject: 'operation same' }));
  });

  test.each<[string, string, Json[]]>([
    ['/users/@me', '/users/@me', []],
    ['/{Sid}.json', '/{Sid}.json', [{ name: 'Sid', in: 'path', schema: { type: 'string' } }]],
    ['/thumbnail.{extension}', '/thumbnail.{extension}', []],
    ['/{base}...{head}', '/{base}...{head}', [{ name: 'base', in: 'path' }]],
    [
      '/{list-of}',
      '/{listOf}',
      [{ name: 'list-of', in: 'path', schema: { type: 'array', items: { type: 'string' } } }],
    ],
    [
      '/{a}/x',
      '/{a2}/x',
      [
        { name: 'a', in: 'path', schema: {} },
        { name: 'a', in: 'query', schema: { type: 'string' } },
      ],
    ],
  ])('keeps the route %s as %s', (path, route, parameters) => {
    const { topology } = importOf(document({ [path]: { get: returning({ type: 'string' }, { parameters }) } }));
    expect(topology).toContain(`route: 'GET ${route}'`);
  });

  test('keeps routes that match the same requests in part', () => {
    const paths = ['/{a}/x', '/y/{a}', '/y/{a}.json', '/y/x', '/{a}/{b}', '/{a}/@me'];
    const { topology, losses } = importOf(
      document(Object.fromEntries(paths.map((path) => [path, { get: returning({ type: 'string' }), delete: {} }]))),
    );
    for (const path of paths)
      for (const method of ['GET', 'DELETE']) expect(topology).toContain(`route: '${method} ${path}'`);
    expect(losses.filter(({ subject }) => subject.startsWith('route'))).toEqual([]);
  });

  test('drops no argument, whatever the names of parameters and members', () => {
    const name = fc.constantFrom('id', 'status', 'returns', 'throws', 'route', 'page', 'a-b', 'aB', 'null');
    const names = fc.uniqueArray(name, { maxLength: 5 });
    fc.assert(
      fc.property(names, names, names, (path, query, body) => {
        const parameter = (place: string) => (one: string) => ({
          name: one,
          in: place,
          required: true,
          schema: place === 'path' ? { type: 'string' } : { type: 'array', items: { type: 'integer' } },
        });
        const members = Object.fromEntries(body.map((one) => [one, { type: 'string' }]));
        const { sdl, topology, losses } = importOf(
          document({
            [`/p${path.map((one) => `/{${one}}`).join('')}`]: {
              put: {
                operationId: 'put',
                parameters: [...path.map(parameter('path')), ...query.map(parameter('query'))],
                requestBody: {
                  content: { 'application/json': { schema: { properties: members, required: body } } },
                },
              },
            },
          }),
        );
        const args = [...(/ put\((.*)\): /.exec(sdl)?.[1] ?? '').matchAll(/(\w+): [^,]*!/g)];
        expect(args).toHaveLength(path.length + query.length + body.length);
        expect(topology).toContain("route: 'PUT /p");
        // A member keeps its name, unless a setting or another member has it.
        for (const one of body.filter((it) => !['returns', 'a-b'].includes(it)))
          expect(args.map(([, given]) => given)).toContain(one);
        expect(losses.every(({ place }) => place.startsWith('#/'))).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test('loses only its route if another operation has the same', () => {
    const get = (operationId: string, name: string) =>
      returning(
        { type: 'string' },
        { operationId, parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }] },
      );
    const { topology, losses } = importOf(
      document({ '/p/{a}': { get: get('one', 'a') }, '/p/{b}': { get: get('two', 'b') } }),
    );
    expect(topology).toMatch(/operation: 'one'[^)]*route: /);
    expect(topology).toMatch(/operation: 'two', returns: String!, b: String!/);
    expect(losses).toContainEqual(
      expect.objectContaining({ place: '#/paths/~1p~1{b}/get', subject: 'route of operation two' }),
    );
  });

  test('has the path without its fragment, which requests lack', () => {
    const get = (operationId: string) => ({ get: returning({ type: 'string' }, { operationId }) });
    const { topology, losses } = importOf(
      document({ '/p': get('one'), '/p#more': get('two'), '/q#only': get('three') }),
    );
    expect(topology).toMatch(/operation: 'one'[^)]*route: 'GET \/p'/);
    expect(topology).toMatch(/operation: 'three'[^)]*route: 'GET \/q'/);
    expect(losses.map(({ place, subject }) => `${place} ${subject}`)).toEqual(
      expect.arrayContaining([
        '#/paths/~1p#more fragment of /p#more',
        '#/paths/~1p#more/get route of operation two',
        '#/paths/~1q#only fragment of /q#only',
      ]),
    );
  });

  test.each<[string, Json, string]>([
    ['#/paths/~1a/get/callbacks', { callbacks: {} }, 'callbacks of find'],
    [
      '#/paths/~1a/get/parameters/0',
      { parameters: [{ name: 'Cookie', in: 'header', schema: { type: 'string' } }] },
      'header parameter Cookie',
    ],
    [
      '#/paths/~1a/get/parameters/0',
      { parameters: [{ name: 'X', in: 'cookie', schema: { type: 'string' } }] },
      'cookie parameter X',
    ],
    ['#/paths/~1a/get/requestBody', { requestBody: { content: {} } }, 'body of find'],
  ])('reports parts that topologies cannot express, at %s', (place, more, subject) => {
    const { losses } = importOf(document({ '/a': { get: returning({ type: 'string' }, more as never) } }));
    expect(losses).toContainEqual(expect.objectContaining({ place, subject }));
  });
});

test('imports names that objects inherit, such as constructor', () => {
  const properties = JSON.parse(
    '{"__proto__":{"type":"string"},"constructor":{"type":"string"},"toString":{"type":"integer"}}',
  );
  const { topology } = importOf(
    document(
      { '/find': { get: returning(ref('constructor')) } },
      { constructor: { type: 'object', properties }, toString: {} },
    ),
  );
  expect(topology).toContain('(constructor { proto: String, constructor: String, toString: Int })');
});

test('escapes descriptions that would end their comment or become tags', () => {
  const description = 'It\'s */ "quoted"\r\n@deprecated now\n// gg-ignore GG3010: no\u2028 (a)-[:FOLD]->(b)\n\\';
  const { topology, sdl } = importOf(document({ '/find': { get: returning({ type: 'string' }, { description }) } }));
  expect(topology.match(/-\[:/g)).toHaveLength(2);
  expect(sdl).toContain('\u200b@deprecated now');
  expect(sdl).not.toContain('@deprecated(');
});

test('imports thousands of paths', () => {
  const paths = Object.fromEntries(
    Array.from({ length: 5000 }, (_, at) => [
      `/a${at}`,
      { get: returning({ type: 'string' }, { operationId: `find${at}` }) },
    ]),
  );
  expect(importOf(document(paths)).topology.match(/PROCESS/g)).toHaveLength(5000);
});

test('reports components that operations do not need, directly or through others', () => {
  const object = (name: string, type: Json) => ({ type: 'object', properties: { [name]: type } });
  const schemas = {
    Used: object('inner', ref('Inner')),
    Inner: object('x', { type: 'string' }),
    Unused: object('x', { type: 'string' }),
  };
  const { losses } = importOf(document({ '/find': { get: returning(ref('Used')) } }, schemas));
  expect(losses.filter(({ subject }) => subject.startsWith('schemas '))).toEqual([
    {
      place: '#/components/schemas/Unused',
      subject: 'schemas Unused',
      reason: 'No imported part refers to it.',
    },
  ]);
});
