import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { importDescription } from '../../../../../src/analysis/import/import-description.js';
import type { Proof } from '../../../../../src/analysis/import/render-report.js';
import { createSourceFile } from '../../../../../src/base/source/source-file.js';
import { compile } from '../../../../../src/compiler/compile.js';
import { schemaToCollection } from '../../../../../src/compiler/emit/collection.js';
import { schemaToOpenAPI } from '../../../../../src/compiler/emit/openapi.js';
import { replayExamples } from '../../../../../src/tools/cli/commands/import/replay.js';
import { parcelExample } from '../../../../compiler/emit/examples.js';
import { directoryWith, runCli } from '../../stand-in-io.js';

async function proofOf(description: object): Promise<Proof> {
  const { value } = importDescription(createSourceFile('api.json', JSON.stringify(description)));
  if (value === undefined) throw new Error('nothing was imported');
  return await replayExamples(value.text, value.examples);
}

const pet = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'string' },
    name: { type: 'string', minLength: 2 },
    born: { type: 'string', format: 'date' },
  },
};

/** A description of pets with other examples. */
function pets({
  id = 'p1' as unknown,
  body = { name: 'Rex' } as unknown,
  answer = { id: 'p1', name: 'Rex' } as unknown,
}) {
  const content = (example: unknown, schema: object) => ({
    content: { 'application/json': { schema, example } },
  });
  const path = {
    name: 'pet-id',
    in: 'path',
    required: true,
    schema: { type: 'string', maxLength: 5 },
    example: id,
  };
  const tags = {
    name: 'tags',
    in: 'query',
    schema: { type: 'array', items: { type: 'string' } },
    example: ['a', 'b'],
  };
  const input = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', minLength: 2 } },
  };
  return {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    paths: {
      '/pets/{pet-id}': {
        parameters: [path],
        get: { parameters: [tags], responses: { 200: { description: '', ...content(answer, pet) } } },
        put: {
          requestBody: content(body, input),
          responses: { 201: { description: '', ...content(answer, pet) } },
        },
        delete: { responses: { 204: { description: '' } } },
      },
      '/pets': {
        get: {
          operationId: 'pets',
          responses: { 200: { description: '', content: { 'application/json': { schema: pet } } } },
        },
      },
    },
  };
}

describe('the examples of an OpenAPI document', () => {
  test('are accepted by the imported API, path parameters of any name included', async () => {
    expect(await proofOf(pets({}))).toEqual({ examples: 3, refused: [] });
  });

  test.each([
    ['a parameter', { id: 'too long' }, 3, /petId.*at most 5 characters/],
    ['a body', { body: { name: 'R' } }, 1, /name.*at least 2 characters/],
    ['a body with another member', { body: { name: 'Rex', size: 3 } }, 1, /size/],
    ['a response', { answer: { id: 'p1', name: 'Rex', born: 'yesterday' } }, 2, /Date/],
    ['a response without a required member', { answer: { id: 'p1' } }, 2, /name/],
  ])(
    'are refused, each with its place and without other lines, where %s breaks the description',
    async (_, parts, refused, reason) => {
      const lines = vi.spyOn(console, 'error');
      onTestFinished(() => lines.mockRestore());
      const proof = await proofOf(pets(parts));
      expect(proof.examples).toBe(3);
      expect(proof.refused).toHaveLength(refused);
      for (const one of proof.refused) {
        expect(one.place).toMatch(/^#\/paths\/~1pets~1\{pet-id\}\/(?:get|put|delete)$/);
        expect(one.reason).toMatch(reason);
      }
      expect(lines).not.toHaveBeenCalled();
    },
  );

  test('are one call for each named example, which may be a reference', async () => {
    const document = pets({}) as unknown as {
      paths: Record<string, Record<string, { requestBody: { content: object } }>>;
    };
    const { put } = document.paths['/pets/{pet-id}'] as { put: { requestBody: { content: object } } };
    const media = (put.requestBody.content as Record<string, { example?: unknown }>)['application/json'] as object;
    Object.assign(media, {
      example: undefined,
      examples: {
        a: { value: { name: 'Rex' } },
        b: { $ref: '#/components/examples/B' },
        c: { value: { name: 'R' } },
      },
    });
    delete (media as { example?: unknown }).example;
    Object.assign(document, { components: { examples: { B: { value: { name: 'Tom' } } } } });
    const proof = await proofOf(document);
    expect(proof.examples).toBe(5);
    expect(proof.refused.map(({ subject }) => subject)).toEqual(['PUT /pets/{pet-id}']);
  });
});

test('the examples of the documents of gg-svc are all accepted', async () => {
  const schema = parcelExample();
  for (const document of [
    schemaToOpenAPI(schema, 'Parcel'),
    schemaToCollection(schema, 'Parcel', 'http://localhost'),
  ]) {
    const { examples, refused } = await proofOf(document);
    expect(refused).toEqual([]);
    expect(examples).toBeGreaterThan(10);
  }
});

test.each([
  ['pages, whose arguments exclude each other', 'golden/language-pages/input.gg', true],
  ['idempotency keys that callers must send', 'golden/language-idempotent/input.gg', true],
  ['the access of owners', 'golden/language-access/input.gg', true],
  ['inputs in the query string', 'golden/language-inputs/input.gg', true],
  ['lists of inputs there', 'golden/language-not-null/input.gg', true],
  ['several arguments in a segment', 'golden/language-route-segments/input.gg', true],
  ['uploads', 'golden/language-uploads/input.gg', true],
  // A collection lacks the values of an enum that only an argument has.
  ['an example with all of these', 'docs/examples/clinic/clinic.gg', false],
])('the examples of our documents with %s are accepted, without the federation', async (_, file, isWhole) => {
  const { artifacts } = compile(readFileSync(file, 'utf8'), { federation: true });
  const read = (name: 'openapi.json' | 'collection.json') => JSON.parse(artifacts?.[name] ?? '');
  for (const document of [read('openapi.json'), ...(isWhole ? [read('collection.json')] : [])]) {
    expect(JSON.stringify(document)).toContain('federationChain');
    const { examples, refused } = await proofOf(document);
    expect(refused).toEqual([]);
    expect(examples).toBeGreaterThan(0);
  }
});

test.each(['openapi.json', 'collection.json'])('the %s of a durable chain needs no database', async (file) => {
  const text = readFileSync(`golden/language-durable-chain/${file}`, 'utf8');
  expect((await proofOf(JSON.parse(text) as object)).refused).toEqual([]);
});

test('a part of a response of one of several types is completed by its own type', async () => {
  const { schema } = compile(`
    (user {
      implements: [Named],
      /// @roles admin
      name: String,
    })
    (named: Interface {
      /// @roles admin
      name: String,
    })
    (user)-[:PROCESS { open: 'for all' }]->(named)
    (named)-[:PROCESS { id: ID!, open: 'for all' }]->(user)`);
  const { refused } = await proofOf(schemaToCollection(schema, 'Named', 'http://localhost'));
  expect(refused).toEqual([]);
});

test('a text that looks like JSON stays a text', async () => {
  const content = (schema: object, example?: unknown) => ({ 'application/json': { schema, example } });
  const input = { type: 'object', properties: { text: { type: 'string' } } };
  const post = {
    operationId: 'send',
    requestBody: { content: content(input, { text: '{"a":1}' }) },
    responses: { 204: { description: '' } },
  };
  const document = { openapi: '3.1.0', info: { title: 'A', version: '1' }, paths: { '/a': { post } } };
  expect(await proofOf(document)).toEqual({ examples: 1, refused: [] });
});

test('the requests of a collection are replayed with their bodies and responses', async () => {
  const request = (name: string, body: object, answer: object) => ({
    name,
    request: {
      method: 'POST',
      url: `{{base}}/pets/${name}?notify=true`,
      body: { mode: 'raw', raw: JSON.stringify(body) },
    },
    response: [{ code: 201, body: JSON.stringify(answer) }],
  });
  const collection = {
    info: { name: 'Pets', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: [
      request('add', { name: 'Rex', age: 3 }, { id: 7 }),
      request('find', { like: { name: 'R' } }, { ids: [1, 2] }),
    ],
  };
  expect(await proofOf(collection)).toEqual({ examples: 2, refused: [] });
});

test.each([
  [3, 0],
  [9, 1],
])('an example of a header, %j, is sent in that header', async (example, refused) => {
  const schema = { type: 'integer', maximum: 5 };
  const parameters = [{ name: 'X-Size', in: 'header', required: true, schema, example }];
  const get = { operationId: 'find', parameters, responses: { 204: { description: '' } } };
  const document = { openapi: '3.1.0', info: { title: 'A', version: '1' }, paths: { '/a': { get } } };
  const proof = await proofOf(document);
  expect(proof.examples).toBe(1);
  expect(proof.refused).toHaveLength(refused);
});

test('replays examples with values of enums that are no names', async () => {
  const State = { type: 'string', enum: ['in-progress', 'open'] };
  const schema = { type: 'object', properties: { state: { $ref: '#/components/schemas/State' } } };
  const content = { 'application/json': { schema, example: { state: 'in-progress' } } };
  const state = { in: 'query', name: 'state', schema: { $ref: '#/components/schemas/State' } };
  const parameters = [
    { ...state, example: 'in-progress' },
    { ...state, name: 'needed', required: true },
  ];
  const get = { operationId: 'task', parameters, responses: { 200: { description: 'A task.', content } } };
  const info = { title: 'Tasks', version: '1' };
  const document = {
    openapi: '3.1.0',
    info,
    paths: { '/task': { get } },
    components: { schemas: { State } },
  };
  expect((await proofOf(document)).refused).toEqual([]);
});

test('the saved responses of a request are replayed, without those of errors', async () => {
  const body = (value: object) => ({ mode: 'raw', raw: JSON.stringify(value) });
  const original = (value: object) => ({ method: 'POST', url: '{{base}}/pets', body: body(value) });
  const item = {
    name: 'add',
    request: original({ name: 'Rex' }),
    response: [
      { code: 400, body: '{"error":"no"}', originalRequest: original({ nothing: 1 }) },
      { code: 200, body: '{"id":1}', originalRequest: original({ name: 'Rex' }) },
      { code: 201, body: '{"ids":[2]}', originalRequest: original({ age: 3 }) },
    ],
  };
  const info = {
    name: 'Pets',
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  };
  expect(await proofOf({ info, item: [item] })).toEqual({ examples: 2, refused: [] });
});

test('an example that is null has no body', async () => {
  expect(await proofOf(pets({ body: null }))).toMatchObject({ examples: 3, refused: [] });
});

test('a response of one of several types is of the type that its members fit best, to their own members', async () => {
  const option = (size: string, parameters: object) => ({
    type: 'object',
    required: ['kind', 'parameters'],
    properties: { kind: { type: 'string' }, parameters, [size]: { type: 'integer' } },
  });
  const object = (...names: readonly string[]) => ({
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  });
  const schema = { oneOf: [option('a', object('x', 'y')), option('b', object('x'))] };
  const example = { kind: 'b', parameters: { x: '1' } };
  const responses = { 200: { description: '', content: { 'application/json': { schema, example } } } };
  const document = { openapi: '3.1.0', info: {}, paths: { '/rule': { get: { responses } } } };
  expect(await proofOf(document)).toEqual({ examples: 1, refused: [] });
});

describe('gg-svc import', () => {
  const imported = async (parts: Parameters<typeof pets>[0], ...args: readonly string[]) => {
    const directory = directoryWith({ 'pets.json': JSON.stringify(pets(parts)) });
    return await runCli(['import', 'pets.json', ...args], { directory });
  };

  test('ends with the share of examples that the imported API accepts', async () => {
    const { code, stderr, stdout } = await imported({});
    expect(code).toBe(0);
    expect(stderr).toMatch(/\n\nThe imported API accepts 3 of 3 examples of the description \(100 %\)\.\n$/);
    expect(compile(stdout).ok).toBe(true);
    const refused = await imported({ body: { name: 'R' } });
    expect(refused.code).toBe(0);
    expect(refused.stderr).toMatch(
      /accepts 2 of 3 examples .* \(66 %\)\.\n {2}#\/paths\/~1pets~1\{pet-id\}\/put {2}PUT .*\n$/,
    );
  });

  test('has the proof in its JSON report, and none with --no-proof', async () => {
    const { stderr } = await imported({}, '--format', 'json');
    expect(JSON.parse(stderr).proof).toEqual({ examples: 3, refused: [] });
    expect(JSON.parse((await imported({}, '--format', 'json', '--no-proof')).stderr).proof).toBeUndefined();
    expect((await imported({}, '--no-proof')).stderr).not.toContain('accepts');
  });
});

test('examples of forms are replayed as forms with made-up files', async () => {
  const formOf = (member: string, type: string) => ({
    openapi: '3.1.0',
    info: { title: 'Pictures', version: '1' },
    paths: {
      '/pictures': {
        post: {
          requestBody: {
            required: true,
            content: {
              [type]: {
                schema: {
                  type: 'object',
                  required: ['name', 'width'],
                  properties: {
                    name: { type: 'string' },
                    width: { type: 'integer' },
                    ...(type.startsWith('multipart') && { picture: { type: 'string', format: 'binary' } }),
                  },
                },
                example: { name: 'Ada', [member]: 7, picture: 'ada.png' },
              },
            },
          },
          responses: { 204: { description: '' } },
        },
      },
    },
  });
  const multipart = 'multipart/form-data';
  expect(await proofOf(formOf('width', multipart))).toEqual({ examples: 1, refused: [] });
  const { refused } = await proofOf(formOf('height', multipart));
  expect(refused).toEqual([expect.objectContaining({ reason: expect.stringContaining('height') })]);
  const urlencoded = await proofOf(formOf('width', 'application/x-www-form-urlencoded'));
  expect(urlencoded.refused[0]?.reason).toContain('picture');
});
