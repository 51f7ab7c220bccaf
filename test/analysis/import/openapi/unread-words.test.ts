import { describe, expect, test } from 'vitest';
import { importDescription } from '../../../../src/analysis/import/import-description.js';
import { createSourceFile } from '../../../../src/base/source/source-file.js';

/** The words of a schema (JSON Schema 2020-12 and OpenAPI 3.0 to 3.2), with a value that says something. */
const wordsOfSchemas: Readonly<Record<string, unknown>> = {
  $id: 'https://example.com/schema',
  $anchor: 'here',
  $comment: 'Why.',
  $dynamicAnchor: 'here',
  $dynamicRef: '#here',
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $vocabulary: { 'https://example.com': true },
  additionalProperties: { type: 'string' },
  allOf: [{ type: 'object', properties: { more: { type: 'string' } } }],
  anyOf: [{ type: 'integer' }, { type: 'boolean' }],
  const: 'a',
  contains: { type: 'string' },
  contentEncoding: 'base64',
  contentMediaType: 'image/png',
  contentSchema: { type: 'string' },
  default: 'a',
  dependentRequired: { a: ['b'] },
  dependentSchemas: { a: {} },
  deprecated: true,
  description: 'Why.',
  discriminator: { propertyName: 'kind' },
  else: { type: 'string' },
  enum: ['a', 'b'],
  example: 'abc',
  examples: ['abc'],
  exclusiveMaximum: 9,
  exclusiveMinimum: 1,
  externalDocs: { url: 'https://example.com' },
  format: 'email',
  if: { type: 'string' },
  items: { type: 'boolean' },
  maxContains: 2,
  maximum: 9,
  maxItems: 9,
  maxLength: 9,
  maxProperties: 9,
  minContains: 1,
  minimum: 1,
  minItems: 1,
  minLength: 1,
  minProperties: 1,
  multipleOf: 2,
  not: { const: 'x' },
  nullable: true,
  oneOf: [{ type: 'integer' }, { type: 'boolean' }],
  pattern: '^a',
  patternProperties: { '^x': {} },
  prefixItems: [{ type: 'string' }],
  propertyNames: { pattern: '^a' },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema.
  then: { type: 'string' },
  title: 'A title',
  unevaluatedItems: false,
  unevaluatedProperties: false,
  uniqueItems: true,
  'x-own': 1,
  xml: { name: 'a' },
};

/** OpenAPI 3.1 reads what stands beside a reference. */
const wordsOfReferences = {
  default: {},
  deprecated: true,
  description: 'Why.',
  minProperties: 1,
  title: 'A title',
  xml: {},
};

const wordsOfParameters: Readonly<Record<string, unknown>> = {
  allowEmptyValue: true,
  allowReserved: true,
  deprecated: true,
  description: 'Why.',
  example: 'abc',
  examples: { one: { value: 'abc' } },
  style: 'pipeDelimited',
  'x-own': 1,
};

const wordsOfOperations: Readonly<Record<string, unknown>> = {
  callbacks: { a: {} },
  deprecated: true,
  description: 'Why.',
  externalDocs: { url: 'https://example.com' },
  requestBody: { content: {} },
  security: [{ token: [] }],
  servers: [{ url: 'https://example.com' }],
  summary: 'What.',
  tags: ['Shop'],
  'x-own': 1,
};

const wordsOfMediaTypes: Readonly<Record<string, unknown>> = {
  encoding: { a: {} },
  example: 'abc',
  examples: { one: { value: 'abc' } },
  itemSchema: {},
  'x-own': 1,
};

// biome-ignore lint/suspicious/noExplicitAny: a document of any form.
type Json = Record<string, any>;

/** A document with a part of each kind. */
function documentOf(): Json {
  return {
    openapi: '3.1.0',
    info: { title: 'Test', version: '1' },
    paths: {
      '/pets/{id}': {
        get: {
          operationId: 'findPet',
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
            { name: 'tag', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          ],
          responses: {
            200: {
              description: '',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
            },
          },
        },
        put: {
          operationId: 'putPet',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          requestBody: {
            content: {
              'application/json': {
                schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
              },
            },
          },
          responses: {
            200: { description: '', content: { 'application/json': { schema: { type: 'string' } } } },
          },
        },
      },
    },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Pet: {
          type: 'object',
          // A member that may be absent may be null, too.
          required: ['name', 'age', 'isTame', 'owner', 'lists'],
          properties: {
            name: { type: 'string' },
            age: { type: 'integer' },
            isTame: { type: 'boolean' },
            owner: { $ref: '#/components/schemas/Owner' },
            lists: { type: 'array', items: { type: 'array', items: { type: 'string' } } },
          },
        },
        Owner: { allOf: [{ type: 'object', properties: { name: { type: 'string' } } }] },
      },
    },
  };
}

const pet = (document: Json) => document.components.schemas.Pet;
const find = (document: Json) => document.paths['/pets/{id}'].get;
const put = (document: Json) => document.paths['/pets/{id}'].put;
const json = (part: Json) => part.content['application/json'];

const places: readonly [name: string, words: Readonly<Record<string, unknown>>, find: (document: Json) => Json][] = [
  ['an object', wordsOfSchemas, pet],
  ['a text of an object', wordsOfSchemas, (document) => pet(document).properties.name],
  ['a number of an object', wordsOfSchemas, (document) => pet(document).properties.age],
  ['a boolean of an object', wordsOfSchemas, (document) => pet(document).properties.isTame],
  ['a reference', wordsOfReferences, (document) => pet(document).properties.owner],
  ['a list', wordsOfSchemas, (document) => pet(document).properties.lists],
  ['a list in a list', wordsOfSchemas, (document) => pet(document).properties.lists.items],
  ['an item in lists', wordsOfSchemas, (document) => pet(document).properties.lists.items.items],
  ['a part of an object', wordsOfSchemas, (document) => document.components.schemas.Owner.allOf[0]],
  ['the schema of a parameter', wordsOfSchemas, (document) => find(document).parameters[0].schema],
  ['the item of a parameter', wordsOfSchemas, (document) => find(document).parameters[1].schema.items],
  ['a body', wordsOfSchemas, (document) => json(put(document).requestBody).schema],
  ['a member of a body', wordsOfSchemas, (document) => json(put(document).requestBody).schema.properties.name],
  ['a result', wordsOfSchemas, (document) => json(put(document).responses[200]).schema],
  ['a parameter in the path', wordsOfParameters, (document) => find(document).parameters[0]],
  ['a list in the query string', wordsOfParameters, (document) => find(document).parameters[1]],
  ['a list that is joined', { explode: false }, (document) => find(document).parameters[1]],
  ['an operation', wordsOfOperations, find],
  ['the content of a response', wordsOfMediaTypes, (document) => json(find(document).responses[200])],
  ['the content of a body', wordsOfMediaTypes, (document) => json(put(document).requestBody)],
  [
    'a path',
    { description: 'Why.', summary: 'What.', servers: [], 'x-own': 1 },
    (document) => document.paths['/pets/{id}'],
  ],
  ['a response', { description: 'Why.', headers: { a: {} }, links: {} }, (document) => find(document).responses[200]],
  ['the body of an operation', { description: 'Why.', 'x-own': 1 }, (document) => put(document).requestBody],
];

function importOf(document: Json) {
  const { value } = importDescription(createSourceFile('openapi.json', JSON.stringify(document)));
  return {
    text: value?.text,
    reports: value?.losses.map(({ place, subject }) => `${place} ${subject}`) ?? [],
  };
}

describe('every keyword becomes part of the topology, or is reported', () => {
  const before = importOf(documentOf());
  const known = new Set(before.reports);

  test.each(places)('in %s', (_, words, partOf) => {
    const silent = Object.entries(words).flatMap(([word, value]) => {
      const document = documentOf();
      const part = partOf(document);
      // A word that the part has already says something else.
      if (Object.hasOwn(part, word) && part[word] !== '') return [];
      part[word] = value;
      const { text, reports } = importOf(document);
      return text !== before.text || reports.some((report) => !known.has(report)) ? [] : [word];
    });
    expect(silent).toEqual([]);
  });
});
