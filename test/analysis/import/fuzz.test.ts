import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { importDescription } from '../../../src/analysis/import/import-description.js';
import { createSourceFile } from '../../../src/base/source/source-file.js';
import { compile } from '../../../src/compiler/compile.js';
import { formatTopology } from '../../../src/compiler/format/format-topology.js';
import { runs } from '../../arbitraries/runs.js';

/** Whatever a text says, its import is a finding, or a formatted topology without errors. */
function survives(text: string): void {
  const { value, diagnostics } = importDescription(createSourceFile('description', text));
  if (value === undefined) expect(diagnostics.map(({ severity }) => severity)).toEqual(['error']);
  else {
    const errors = compile(value.text).diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors).toEqual([]);
    expect(formatTopology(createSourceFile('api.gg', value.text)).value).toBe(value.text);
    for (const { place, subject, reason } of value.losses) expect(place && subject && reason).toBeTruthy();
  }
}

const words = fc.constantFrom(
  ...[
    'id',
    'name',
    'returns',
    'throws',
    'implements',
    'internal',
    'status',
    'values',
    'route',
    'null',
    'true',
    '__proto__',
  ],
  ...[
    'constructor',
    'Query',
    'String',
    'user_input',
    'UserInput',
    'User',
    'user',
    '1',
    'a-b',
    '',
    '$ref',
    "it's",
    'Größe',
  ],
);
const texts = fc.oneof(
  words,
  fc.constantFrom(
    '*/ (a)-[:FOLD]->(b)',
    '\\',
    "\\'",
    'a\nb',
    '@deprecated',
    '// gg-ignore GG3010',
    '\u2028',
    '"""',
    '@minimum x',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

/** Schemas of all forms, sensible or not. */
const { schema } = fc.letrec<{ schema: unknown; leaf: unknown }>((tie) => ({
  leaf: fc.oneof(
    fc.record({ $ref: words.map((name) => `#/components/schemas/${name}`) }),
    fc.constantFrom(
      { $ref: '#/paths' },
      { $ref: '#' },
      { $ref: 'https://example.com/a.json' },
      { $ref: '#/%zz' },
      true,
      null,
      3,
      [],
    ),
    fc.record(
      {
        type: fc.constantFrom<unknown>(
          'string',
          'integer',
          'number',
          'boolean',
          'object',
          'array',
          'null',
          ['string', 'null'],
          ['integer', 'string'],
          'x',
          7,
        ),
        format: fc.constantFrom('date-time', 'int64', 'binary', 'uuid', 'a b', ''),
        enum: fc.array(fc.oneof(texts, fc.constantFrom(null, 1, 'A')), { maxLength: 3 }),
        default: fc.oneof(fc.jsonValue(), texts),
        example: fc.oneof(fc.jsonValue(), texts),
        description: texts,
        pattern: fc.oneof(texts, fc.constantFrom('^[a-z]+$', '(', '(?<=a)b')),
        minimum: fc.oneof(fc.double(), fc.integer()),
        maximum: fc.oneof(fc.double(), fc.boolean()),
        exclusiveMinimum: fc.oneof(fc.integer(), fc.boolean()),
        minLength: fc.integer(),
        maxItems: fc.integer(),
        deprecated: fc.boolean(),
        nullable: fc.boolean(),
        readOnly: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  ),
  schema: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'schema' },
    tie('leaf'),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(words, tie('schema'), { maxKeys: 4 }),
        required: fc.array(words, { maxLength: 3 }),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
      },
      { requiredKeys: ['properties'] },
    ),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({ allOf: fc.array(tie('schema'), { maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { maxLength: 3 }) }),
    fc.record({
      anyOf: fc.array(tie('schema'), { maxLength: 3 }),
      properties: fc.dictionary(words, tie('schema'), { maxKeys: 2 }),
    }),
  ),
}));

const content = fc.dictionary(
  fc.constantFrom('application/json', 'text/plain', 'multipart/form-data', '*/*'),
  fc.record({ schema }),
  { maxKeys: 2 },
);
const operation = fc.record(
  {
    operationId: texts,
    summary: texts,
    description: texts,
    tags: fc.array(texts, { maxLength: 2 }),
    deprecated: fc.boolean(),
    security: fc.array(fc.dictionary(words, fc.array(texts, { maxLength: 2 }), { maxKeys: 1 }), {
      maxLength: 2,
    }),
    parameters: fc.array(
      fc.record(
        {
          name: words,
          in: fc.constantFrom('path', 'query', 'header', 'body'),
          required: fc.boolean(),
          schema,
          explode: fc.boolean(),
        },
        { requiredKeys: ['name'] },
      ),
      { maxLength: 4 },
    ),
    requestBody: fc.record({ content }),
    responses: fc.dictionary(
      fc.constantFrom('200', '201', '204', '2XX', '404', 'default', '999'),
      fc.record({ content }, { requiredKeys: [] }),
      { maxKeys: 3 },
    ),
  },
  { requiredKeys: [] },
);
const documents = fc.record({
  openapi: fc.constantFrom('3.0.0', '3.1.0'),
  paths: fc.dictionary(
    fc.oneof(
      fc.constantFrom(
        '/',
        '/a/{id}',
        '/a/{name}',
        '/{id}/b',
        '/api/user',
        '/graphql',
        '/openapi.json',
        '/a//b',
        '/a b',
        "/it's",
        'x',
      ),
      texts,
    ),
    fc.dictionary(
      fc.constantFrom('get', 'post', 'put', 'delete', 'head', 'parameters'),
      fc.oneof(operation, fc.constant(null)),
      { maxKeys: 3 },
    ),
    { maxKeys: 4 },
  ),
  components: fc.record({ schemas: fc.dictionary(words, schema, { maxKeys: 6 }) }),
});

test('imports random OpenAPI documents as topologies without errors', () => {
  fc.assert(
    fc.property(documents, (document) => survives(JSON.stringify(document))),
    { numRuns: runs(150), endOnFailure: true },
  );
});

const types = fc.constantFrom(
  'ID',
  'String!',
  '[Int!]!',
  'User',
  'UserInput',
  'userInput!',
  'JSON',
  'Any',
  '[Status]',
  'Node!',
  'Query',
  'Nothing',
  'Filter!',
);
const name = fc.constantFrom(
  'id',
  'user',
  'returns',
  'throws',
  'implements',
  'internal',
  'status',
  '_a',
  'constructor',
  '__x',
);
const field = fc
  .tuple(
    name,
    types,
    fc.constantFrom('', '(id: ID!)', '(a: [Int] = [1], f: Filter = { id: 1 })', '(returns: String, throws: [Status])'),
  )
  .map(([key, type, args]) => `  ${key}${args}: ${type}`);
const fields = fc.array(field, { minLength: 1, maxLength: 4 }).map((list) => `{\n${list.join('\n')}\n}\n`);
const input = fc
  .array(fc.tuple(name, types, fc.constantFrom('', ' = 1', ' = "a\\\\"', ' = ACTIVE', ' = null', ' @deprecated')), {
    minLength: 1,
    maxLength: 4,
  })
  .map((list) => `{\n${list.map(([key, type, rest]) => `  ${key}: ${type}${rest}`).join('\n')}\n}\n`);
const typeName = fc.constantFrom(
  'User',
  'UserInput',
  'userInput',
  'Status',
  'Node',
  'Filter',
  'Any',
  'Query',
  'Mutation',
  'Subscription',
  'URL',
  'A_B',
  'Ab',
  'String',
  'Root',
  '__Type',
);
const description = fc.constantFrom('', '"""Why. */"""\n', '"@deprecated no"\n', '"""\n@minimum\n// a\n"""\n');
const definition = fc.oneof(
  fc
    .tuple(
      description,
      fc.constantFrom('type', 'extend type', 'interface'),
      typeName,
      fc.constantFrom('', ' implements Node', ' implements User & Node', ' @key(a: 1)'),
      fields,
    )
    .map(
      (parts) =>
        `${parts[0].startsWith('"') && parts[1] === 'extend type' ? '' : parts[0]}${parts[1]} ${parts[2]}${parts[3]} ${parts[4]}`,
    ),
  fc
    .tuple(description, typeName, fc.constantFrom('', ' @oneOf'), input)
    .map(([text, key, oneOf, body]) => `${text}input ${key}${oneOf} ${body}`),
  fc
    .tuple(typeName, fc.uniqueArray(name, { minLength: 1, maxLength: 3 }))
    .map(([key, list]) => `enum ${key} { ${list.join(' ')} }\n`),
  typeName.map((key) => `scalar ${key} @specifiedBy(url: "https://example.com/\\u0027")\n`),
  fc.tuple(typeName, typeName, typeName).map(([key, one, other]) => `union ${key} = ${one} | ${other}\n`),
  fc.constantFrom(
    'schema { query: User }\n',
    'directive @key(a: Int) on OBJECT\n',
    'directive @node(id: String!) on OBJECT\n',
    '{ user }\n',
    'directive @topology(edge: String!) on UNION\n',
  ),
);

test('imports random GraphQL schemas as topologies without errors', () => {
  fc.assert(
    fc.property(fc.array(definition, { maxLength: 8 }), fields, (all, query) =>
      survives(`${all.join('')}type Query ${query}`),
    ),
    { numRuns: runs(150), endOnFailure: true },
  );
});

test('imports random collections as topologies without errors', () => {
  const url = fc.oneof(
    texts,
    fc.record(
      {
        raw: texts,
        path: fc.array(texts, { maxLength: 3 }),
        query: fc.array(fc.record({ key: words, value: texts }), { maxLength: 3 }),
      },
      { requiredKeys: [] },
    ),
  );
  const body = fc.oneof(
    fc.record({ mode: fc.constant('raw'), raw: fc.oneof(texts, fc.json()) }),
    fc.record({
      mode: fc.constant('urlencoded'),
      urlencoded: fc.array(fc.record({ key: words, value: texts }), { maxLength: 3 }),
    }),
    fc.record({
      mode: fc.constant('graphql'),
      graphql: fc.record({
        query: fc.constantFrom(
          '{ a }',
          'mutation M($f: Filter!, $n: [UserInput]) { b(f: $f, returns: $n, c: {}) { d } }',
          'x',
          'subscription { a }',
        ),
        variables: fc.oneof(texts, fc.json()),
      }),
    }),
  );
  const request = fc.record(
    {
      name: texts,
      request: fc.record({ method: fc.constantFrom('GET', 'POST', 'put', 'HEAD'), url, body }, { requiredKeys: [] }),
      response: fc.array(fc.record({ code: fc.integer({ min: 100, max: 600 }), body: fc.oneof(texts, fc.json()) }), {
        maxLength: 2,
      }),
    },
    { requiredKeys: [] },
  );
  const collections = fc.record({
    info: fc.constant({}),
    item: fc.array(
      fc.oneof(request, fc.record({ name: texts, item: fc.array(request, { maxLength: 2 }) }), fc.constant(null)),
      { maxLength: 4 },
    ),
    auth: fc.constantFrom(undefined, { type: 'bearer' }),
  });
  fc.assert(
    fc.property(collections, (collection) => survives(JSON.stringify(collection))),
    { numRuns: runs(150), endOnFailure: true },
  );
});

test.each([
  'golden/example-service/openapi.json',
  'golden/example-service/collection.json',
  'golden/example-service/schema.graphql',
])('rejects a changed artifact, or imports it without errors: %s', (file) => {
  const text = readFileSync(file, 'utf8');
  const edits = fc.array(
    fc.tuple(
      fc.nat(text.length),
      fc.nat(20),
      fc.constantFrom('', 'null', '"x"', '!', '__proto__', ']', '}', ' | ', 'User'),
    ),
    { minLength: 1, maxLength: 3 },
  );
  fc.assert(
    fc.property(edits, (list) =>
      survives(list.reduce((now, [at, length, put]) => now.slice(0, at) + put + now.slice(at + length), text)),
    ),
    { numRuns: runs(40), endOnFailure: true },
  );
  // Values in place of others keep the JSON valid.
  if (!file.endsWith('.json')) return;
  const values = text.match(/"(?:[^"\\]|\\.)*"(?!:)/g) ?? [];
  fc.assert(
    fc.property(
      fc.nat(values.length - 1),
      fc.constantFrom('null', '[]', '{}', '3', '"User"', '"#/paths"', '{"$ref":"#"}'),
      (at, put) => survives(text.replace(values[at] as string, () => put)),
    ),
    { numRuns: runs(40), endOnFailure: true },
  );
});

test('keeps examples of texts short, even for large minimum lengths', () => {
  const source = `(note {
    /// @minLength 2000000000
    text: String,
    /// @minLength 2000000000
    id: ID,
  })
  (root)-[:PROCESS { id: ID! }]->(note)`;
  expect(compile(source).artifacts?.['openapi.json'].length).toBeLessThan(50_000);
});
