import { describe, expect, test } from 'vitest';
import { schemaToOpenAPI } from '../../../src/compiler/emit/openapi.js';
import type { GqlSchema } from '../../../src/compiler/schema/gql-schema.js';
import { goldenExample, parcelExample, serviceExample } from './examples.js';
import { argument, enumeration, mutation, object, query, sampleSchema, scalar, schemaOf, type } from './fixtures.js';
import { naughtyNames, naughtySchema, naughtyTexts } from './naughty.js';
import { lintOpenAPI } from './redocly.js';
import { validator } from './validator.js';

type Document = ReturnType<typeof schemaToOpenAPI>;
type Json = Record<string, unknown>;

function at(document: Document, pointer: string): Json {
  const steps = pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/'));
  return steps.reduce((node, step) => node[step] as Json, document as unknown as Json);
}

function get(document: Document, name: string): Json {
  return at(document, `/paths/~1api~1${name}/get`);
}

function parameters(document: Document, name: string): Json[] {
  return (get(document, name).parameters ?? []) as Json[];
}

const sample = schemaToOpenAPI(sampleSchema(), 'Sample');

describe('the document', () => {
  test('has version, title, server, no security, and a tag for each kind of operation', () => {
    const { openapi, info, servers, security, tags } = sample;
    expect({ openapi, info, servers, security, tags: tags?.map(({ name }) => name) }).toEqual({
      openapi: '3.1.0',
      info: { title: 'Sample', version: '1.0.0' },
      servers: [{ url: '/' }],
      security: [],
      tags: ['query', 'mutation', 'subscription'],
    });
    expect(schemaToOpenAPI(schemaOf({}), 'Empty').tags).toEqual([]);
  });

  test('has exactly one path for each query, mutation and subscription', () => {
    const paths = Object.entries(sample.paths ?? {}).map(([path, item]) => [path, ...Object.keys(item as Json)]);
    expect(paths).toEqual([
      ['/api/readUser', 'get', 'post'],
      ['/api/listUsers', 'get'],
      ['/api/fastUser', 'get'],
      ['/api/count', 'get'],
      ['/api/saveUser', 'post'],
      ['/api/ping', 'post'],
      ['/api/userSaved', 'get'],
    ]);
  });

  test('passes Redocly', () => {
    const findings = lintOpenAPI({
      sample,
      naughty: schemaToOpenAPI(named(naughtySchema()), 'Naughty'),
      service: schemaToOpenAPI(serviceExample(), 'Service'),
      parcel: schemaToOpenAPI(parcelExample(), 'Parcel'),
      inputs: schemaToOpenAPI(goldenExample('language-inputs'), 'Inputs'),
      fieldArguments: schemaToOpenAPI(goldenExample('language-field-arguments'), 'Field arguments'),
      interfaces: schemaToOpenAPI(goldenExample('language-interfaces'), 'Interfaces'),
      internal: schemaToOpenAPI(goldenExample('language-internal'), 'Internal'),
      empty: schemaToOpenAPI(schemaOf({}), 'Empty'),
    });
    // No license is ours to state, and every type has its component, whether an operation uses it or not.
    const unavoidable = new Set(['info-license', 'no-unused-components']);
    for (const [name, found] of Object.entries(findings)) {
      expect(found.length, name).toBeGreaterThan(0);
      expect(
        found.filter(({ rule }) => !unavoidable.has(rule)),
        name,
      ).toEqual([]);
    }
  });

  test.each([
    ['the sample', sampleSchema()],
    ['naughty texts', named(naughtySchema())],
    ['the service example', serviceExample()],
    ['the parcel example', parcelExample()],
    ['inputs', goldenExample('language-inputs')],
    ['interfaces', goldenExample('language-interfaces')],
  ])('has component schemas that compile, and examples that fit them: %s', (_, schema) => {
    const document = schemaToOpenAPI(schema, 'Checked');
    const compile = validator(document);
    for (const name of Object.keys(document.components?.schemas ?? {})) {
      expect(compile(`/components/schemas/${name}`)).toBeTypeOf('function');
    }
    let checked = 0;
    for (const [pointer, { schema: inner, example }] of examplesIn(document)) {
      const validate = compile(`${pointer}/schema`);
      expect(validate(example), `${pointer} ${JSON.stringify(validate.errors)}`).toBe(true);
      if ('default' in inner) expect(validate(inner.default), `${pointer} default`).toBe(true);
      checked++;
    }
    expect(checked).toBeGreaterThan(schema.queries.length + schema.mutations.length);
  });

  test('is the same for the same schema, and JSON', () => {
    const document = schemaToOpenAPI(naughtySchema(), 'x');
    expect(JSON.stringify(schemaToOpenAPI(naughtySchema(), 'x'))).toBe(JSON.stringify(document));
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  test('shares no mutable part with other documents', () => {
    const schema = sampleSchema();
    const before = JSON.stringify(schemaToOpenAPI(schema, 'x'));
    const spoiled = schemaToOpenAPI(schema, 'x');
    const spoil = (node: unknown): void => {
      if (typeof node !== 'object' || node === null || Object.isFrozen(node)) return;
      for (const [key, value] of Object.entries(node)) {
        // These hold parts of the model itself, which is readonly.
        if (['x-topology', 'example', 'default'].includes(key)) continue;
        spoil(value);
        if (typeof value === 'string') (node as Json)[key] = 'spoiled';
      }
    };
    spoil(spoiled.paths);
    spoil(spoiled.components);
    expect(JSON.stringify(schemaToOpenAPI(schema, 'x'))).toBe(before);
  });
});

describe('a type in the document', () => {
  const document = schemaToOpenAPI(
    schemaOf({
      objects: [
        object('T', {
          a: 'String!',
          b: 'String',
          c: '[Int!]!',
          d: '[Int]',
          e: 'E!',
          f: 'E',
          g: '[[T!]]',
          h: { type: type('Float!'), fallback: 0.5, description: 'Half.' },
          i: { type: type('S'), description: '' },
        }),
      ],
      enums: [{ ...enumeration('E', ['A', 'B']), description: 'One of two.' }],
      scalars: [{ ...scalar('S', 'https://example.org/s'), description: 'Anything.' }, scalar('Bare')],
    }),
    'Types',
  );
  const schemas = document.components?.schemas as Record<string, Json>;
  const int = { type: 'integer', format: 'int32' };

  test('is nullable exactly if it is nullable in GraphQL', () => {
    expect(schemas.T?.properties).toEqual({
      a: { type: 'string' },
      b: { type: ['string', 'null'] },
      c: { type: 'array', items: int },
      d: { type: ['array', 'null'], items: { ...int, type: ['integer', 'null'] } },
      e: { $ref: '#/components/schemas/E' },
      f: { oneOf: [{ $ref: '#/components/schemas/E' }, { type: 'null' }] },
      g: {
        type: ['array', 'null'],
        items: { type: ['array', 'null'], items: { $ref: '#/components/schemas/T' } },
      },
      h: { type: 'number', format: 'double', description: 'Half.', examples: [0.5] },
      i: { oneOf: [{ $ref: '#/components/schemas/S' }, { type: 'null' }] },
    });
  });

  test('requires its non-null fields; its input requires none, and rejects unknown fields', () => {
    expect(schemas.T?.required).toEqual(['a', 'c', 'e', 'h']);
    expect(schemas.TInput).toMatchObject({ type: 'object', additionalProperties: false });
    expect(schemas.TInput).not.toHaveProperty('required');
    const validate = validator(document)('/components/schemas/TInput');
    expect(validate({})).toBe(true);
    expect(validate({ a: null, c: null })).toBe(true);
    expect(validate({ z: 1 })).toBe(false);
  });

  test('is an enum of its values, or for a custom scalar any value except null', () => {
    expect(schemas.E).toEqual({ type: 'string', description: 'One of two.', enum: ['A', 'B'] });
    expect(schemas.S?.description).toBe('Anything.\n\nSpecified by https://example.org/s');
    const validate = validator(document)('/components/schemas/Bare');
    expect([1.5, 'x', true, [], {}].every((value) => validate(value))).toBe(true);
    expect(validate(null)).toBe(false);
  });

  test('of an input may refer to an output type if the model of a layer does', () => {
    const layer = schemaOf({
      objects: [object('Hop', { id: 'ID!' }), object('Route', { hops: '[Hop]!' })],
      inputs: [
        { name: 'HopInput', description: undefined, of: 'Hop', fields: [argument('id', 'ID')] },
        {
          name: 'RouteInput',
          description: 'A route.',
          of: 'Route',
          fields: [argument('hops', '[Hop]', null, 'All.')],
        },
      ],
    });
    expect(schemaToOpenAPI(layer, 'Layer').components?.schemas?.RouteInput).toEqual({
      type: 'object',
      description: 'A route.',
      properties: {
        hops: {
          type: ['array', 'null'],
          items: { oneOf: [{ $ref: '#/components/schemas/Hop' }, { type: 'null' }] },
          description: 'All.',
          default: null,
        },
      },
      additionalProperties: false,
    });
  });

  test('called Problem by the topology keeps its name', () => {
    const schema = schemaOf({
      objects: [object('Problem', { id: 'ID!' }), object('Problem_', { id: 'ID!' })],
    });
    const { components } = schemaToOpenAPI(schema, 'x');
    expect(components?.schemas?.Problem).toMatchObject({ required: ['id'] });
    expect(components?.schemas?.Problem__).toMatchObject({ required: ['title', 'status'] });
    expect(JSON.stringify(components?.responses)).toContain('"#/components/schemas/Problem__"');
  });
});

describe('a union in the document', () => {
  const pointer = '/paths/~1api~1fastUser/get/responses/200/content/application~1json/schema';
  const validate = validator(sample)(pointer);

  test('distinguishes its members by __typename', () => {
    expect(sample.components?.schemas?.FastUserRace).toEqual({
      description: 'Union (race) of cache_user | db_user for fast_user',
      type: 'object',
      oneOf: [{ $ref: '#/components/schemas/CacheUser.Variant' }, { $ref: '#/components/schemas/DbUser.Variant' }],
      discriminator: {
        propertyName: '__typename',
        mapping: {
          CacheUser: '#/components/schemas/CacheUser.Variant',
          DbUser: '#/components/schemas/DbUser.Variant',
        },
      },
    });
    expect(validate({ __typename: 'CacheUser', id: '1', name: 'Ada', age: 36 })).toBe(true);
    expect(validate({ __typename: 'DbUser', id: '1', name: null, age: 36, team: null })).toBe(true);
    expect(validate({ __typename: 'CacheUser', id: '1', name: null, age: 36 })).toBe(false);
    expect(validate({ __typename: 'Nobody', id: '1' })).toBe(false);
    expect(validate({ id: '1', name: 'Ada', age: 36 })).toBe(false);
    expect(validate(null)).toBe(true);
  });

  test('does not require __typename of a member outside of the union', () => {
    expect(validator(sample)('/components/schemas/CacheUser')({ id: '1', name: 'Ada', age: 36 })).toBe(true);
  });
});

describe('an object of which responses may contain only a part', () => {
  const chain = schemaOf({
    objects: [
      object('Chain', { id: 'ID!', next: 'Chain!', tail: 'Tail!' }),
      object('Tail', { end: 'Boolean!' }),
      object('Lone', { tail: 'Tail!' }),
    ],
    queries: [query('chain', 'Chain!')],
  });

  test('requires nested objects unless they are on a cycle', () => {
    const schemas = schemaToOpenAPI(chain, 'x').components?.schemas;
    expect(schemas?.Chain?.required).toEqual(['id', 'tail']);
    expect(schemas?.Tail?.required).toEqual(['end']);
    expect(schemas?.Lone?.required).toEqual(['tail']);
  });

  test('may contain only __typename if it has nothing but objects', () => {
    const ring = schemaOf({
      objects: [object('Ring', { next: 'Ring!' }), object('End', { id: 'ID!' })],
      queries: [query('ring', 'Ring!')],
    });
    const schemas = schemaToOpenAPI(ring, 'x').components?.schemas;
    expect(schemas?.Ring?.properties).toEqual({
      __typename: { type: 'string', const: 'Ring' },
      next: { $ref: '#/components/schemas/Ring' },
    });
    expect(schemas?.Ring).not.toHaveProperty('required');
    expect(schemas?.End?.properties).not.toHaveProperty('__typename');
  });

  test('shows three levels of itself in the example, each with its other required objects', () => {
    const example = at(
      schemaToOpenAPI(chain, 'x'),
      '/paths/~1api~1chain/get/responses/200/content/application~1json/example',
    );
    const tail = { end: true };
    expect(example).toEqual({ id: '1', next: { id: '1', next: { id: '1', tail }, tail }, tail });
  });
});

describe('a query in the document', () => {
  test('has its name, summary, result and every problem', () => {
    expect(get(sample, 'readUser')).toMatchObject({
      operationId: 'readUser',
      tags: ['query'],
      summary: 'Read user',
      description: 'Query from topology edge root to read_user',
      responses: {
        '200': {
          content: {
            'application/json': {
              schema: { oneOf: [{ $ref: '#/components/schemas/ReadUser' }, { type: 'null' }] },
              example: { id: '1', name: 'Ada Lovelace', status: 'SUSPENDED', score: 0.5 },
            },
          },
        },
        '400': { $ref: '#/components/responses/BadRequest' },
        '500': { $ref: '#/components/responses/InternalError' },
        '501': { $ref: '#/components/responses/NotImplemented' },
        default: { $ref: '#/components/responses/OtherProblem' },
      },
      'x-topology': [{ edge: 'PROCESS', from: ['root'], to: 'read_user', line: 3 }],
    });
  });

  test('without a description or an edge has its name in words as summary and no provenance', () => {
    const operation = get(sample, 'count');
    expect(operation.summary).toBe('Count');
    expect(operation).not.toHaveProperty('description');
    expect(operation).not.toHaveProperty('x-topology');
    expect(operation).not.toHaveProperty('parameters');
  });

  test('has the first line of its description as summary, and a longer description in full', () => {
    const described = (text: string) => {
      const schema = schemaOf({ queries: [query('q', 'Int', [], { description: text })] });
      const { summary, description } = get(schemaToOpenAPI(schema, 'x'), 'q');
      return { summary, description };
    };
    expect(described('One.')).toEqual({ summary: 'One.', description: undefined });
    expect(described('\n  One.\nTwo.')).toEqual({ summary: 'One.', description: '\n  One.\nTwo.' });
    expect(described('   ')).toEqual({ summary: 'Q', description: '   ' });
  });

  test('omits the line of an edge if its file is unknown', () => {
    const schema: GqlSchema = { ...sampleSchema(), sources: [] };
    expect(get(schemaToOpenAPI(schema, 'x'), 'readUser')['x-topology']).toEqual([
      { edge: 'PROCESS', from: ['root'], to: 'read_user' },
    ]);
  });

  test('has its arguments as parameters with the style of the server', () => {
    expect(parameters(sample, 'readUser')).toEqual([
      {
        name: 'id',
        in: 'query',
        description: 'Whom.',
        required: true,
        schema: { type: 'string' },
        example: '1',
      },
      { $ref: '#/components/parameters/Fields' },
    ]);
    const [limit, status, ids, where, flat, grid, since] = parameters(sample, 'listUsers');
    expect(limit).toMatchObject({ schema: { type: 'integer', default: 20 }, example: 20 });
    for (const absent of ['required', 'style', 'explode']) expect(limit).not.toHaveProperty(absent);
    expect(status).toMatchObject({ schema: { $ref: '#/components/schemas/Status', default: 'ACTIVE' } });
    expect(ids).toMatchObject({
      description: 'An empty list is sent as `ids=`.',
      allowEmptyValue: true,
      schema: { type: 'array', items: { type: 'string' }, default: ['1', '2'] },
      example: ['1', '2'],
    });
    expect(where).toMatchObject({
      content: {
        'application/json': {
          schema: { oneOf: [{ $ref: '#/components/schemas/TeamInput' }, { type: 'null' }] },
        },
      },
    });
    expect(where).not.toHaveProperty('schema');
    expect(flat).toMatchObject({
      style: 'deepObject',
      explode: true,
      schema: { $ref: '#/components/schemas/FastUserInput' },
      example: { id: '1' },
    });
    expect(grid).toMatchObject({ content: { 'application/json': { example: [[1]] } } });
    expect(since).toMatchObject({
      schema: { type: 'string', allOf: [{ $ref: '#/components/schemas/Date' }] },
    });
  });

  test('takes a custom scalar as text, also in its default and its example', () => {
    const schema = schemaOf({
      scalars: [scalar('Money')],
      queries: [
        query('q', 'Int', [
          argument('one', 'Money', 12.5),
          argument('many', '[Money]', [1, '2']),
          argument('nothing', 'Money', null),
          argument('json', '[[Int]]', null),
        ]),
      ],
    });
    const [one, many, nothing, json] = parameters(schemaToOpenAPI(schema, 'x'), 'q');
    expect(one).toMatchObject({ schema: { type: 'string', default: '12.5' }, example: '12.5' });
    expect(many).toMatchObject({
      schema: { items: { type: 'string' }, default: ['1', '2'] },
      example: ['1', '2'],
    });
    expect(nothing?.schema).not.toHaveProperty('default');
    expect(json).toMatchObject({ content: { 'application/json': { schema: { default: null } } } });
  });

  test('can be narrowed by fields, unless it has no fields or an argument of that name', () => {
    const schema = schemaOf({
      objects: [object('A', { id: 'ID!' })],
      queries: [query('free', 'A'), query('taken', 'A', [argument('fields', 'String')]), query('leaf', '[Int]')],
      mutations: [mutation('change', 'A', [argument('fields', 'String')])],
    });
    const document = schemaToOpenAPI(schema, 'x');
    const ref = { $ref: '#/components/parameters/Fields' };
    expect(parameters(document, 'free')).toEqual([ref]);
    expect(parameters(document, 'taken')).not.toContainEqual(ref);
    expect(parameters(document, 'leaf')).toEqual([]);
    expect(at(document, '/paths/~1api~1change/post').parameters).toEqual([ref]);
  });
});

describe('a mutation in the document', () => {
  test('has the object of its arguments as its body', () => {
    expect(at(sample, '/paths/~1api~1saveUser/post')).toMatchObject({
      operationId: 'saveUser',
      tags: ['mutation'],
      requestBody: {
        required: false,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                input: { oneOf: [{ $ref: '#/components/schemas/ReadUserInput' }, { type: 'null' }] },
              },
              additionalProperties: false,
            },
            example: { input: { id: '1', status: 'ACTIVE', tags: ['news'] } },
          },
        },
      },
      'x-topology': [
        { edge: 'FOLD', from: ['a', 'b'], to: 'save_user', line: 2 },
        { edge: 'FOLD', from: ['c'], to: 'save_user', line: 2 },
      ],
    });
  });

  test('requires its non-null arguments that have no default', () => {
    const body = at(sample, '/paths/~1api~1readUser/post/requestBody');
    expect(body.required).toBe(true);
    const validate = validator(sample)('/paths/~1api~1readUser/post/requestBody/content/application~1json/schema');
    expect(validate({ id: '1' })).toBe(true);
    expect(validate({ force: true })).toBe(false);
    expect(validate({ id: '1', other: 1 })).toBe(false);
    // An ID is accepted as an integer, too, and only as an integer.
    expect([validate({ id: 1 }), validate({ id: 1.5 }), validate({ id: null })]).toEqual([true, false, false]);
  });

  test('with the name of a query gets a distinct operationId', () => {
    expect(get(sample, 'readUser').operationId).toBe('readUser');
    expect(at(sample, '/paths/~1api~1readUser/post').operationId).toBe('postReadUser');
    const taken = schemaOf({
      queries: [query('a', 'Int'), query('postA', 'Int')],
      mutations: [mutation('postA_', 'Int'), mutation('a', 'Int')],
    });
    const document = schemaToOpenAPI(taken, 'x');
    expect(at(document, '/paths/~1api~1postA_/post').operationId).toBe('postA_');
    expect(at(document, '/paths/~1api~1a/post').operationId).toBe('postA__');
  });
});

describe('unusual input', () => {
  const document = schemaToOpenAPI(naughtySchema(), 'Naughty');

  test('keeps names of inherited object properties, such as constructor', () => {
    for (const name of naughtyNames) {
      expect(Object.keys(document.paths ?? {})).toContain(`/api/${name}`);
      expect(document.components?.schemas?.constructor).toMatchObject({ type: 'object' });
    }
    const named = new Map(Object.entries(document.components?.schemas ?? {}));
    expect(Object.keys(named.get('constructor')?.properties ?? {})).toEqual(naughtyNames);
  });

  test('keeps every description and default unchanged', () => {
    for (const [index, text] of naughtyTexts.entries()) {
      const operation = get(document, `text${index}`);
      expect(operation.description ?? operation.summary).toBe(text);
      expect(parameters(document, `text${index}`)[0]).toMatchObject({
        description: text,
        schema: { default: text },
      });
    }
  });

  test('gives unions of recursive types an example that ends', () => {
    const example = at(document, '/paths/~1api~1chain/get/responses/200/content/application~1json/example');
    expect(example).toEqual({
      next: { next: { __typename: 'Chain' }, other: { problem: [{ type: 'about:blank', status: 1 }] } },
      other: { chain: { __typename: 'Chain' }, problem: [{ type: 'about:blank', status: 1 }] },
    });
  });
});

/** The same schema with names that validators can look up in plain objects without finding something else. */
function named(schema: GqlSchema): GqlSchema {
  const text = JSON.stringify(schema);
  return JSON.parse(text.replace(/\b(constructor|toString|hasOwnProperty|valueOf|prototype)/g, '$1X')) as GqlSchema;
}

/** Every place with a schema and an example, by its pointer. */
function* examplesIn(document: Document): Generator<[string, { schema: Json; example: unknown }]> {
  const stack: [string, unknown][] = [['', document]];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [pointer, node] = next;
    if (typeof node !== 'object' || node === null) continue;
    if ('schema' in node && 'example' in node) yield [pointer, node as { schema: Json; example: unknown }];
    for (const [key, value] of Object.entries(node)) {
      if (key !== 'example') stack.push([`${pointer}/${key.replaceAll('/', '~1')}`, value]);
    }
  }
}
