import { describe, expect, it } from 'vitest';
import { createAlphaServer, createGqlServer, type GqlServerOptions } from '../../../src/index.js';
import type { GgFile } from '../../../src/runtime/uploads/uploaded-file.js';

const source = `
(root)-[:PROCESS]->(stored { id: ID!, text: String! })
(new: Input { title: String!, picture: File })
(new)-[:FOLD { operation: 'add' }]->(stored)
(root)-[:FOLD { operation: 'store', file: File! }]->(stored)
`;

const store = 'mutation ($file: File!) { store(file: $file) { text } }';
const bytesOf = async (file: GgFile) => Buffer.from(await file.bytes()).toString();

const options: GqlServerOptions = {
  topologies: [{ name: 'uploads.gg', source }],
  limits: { batching: 5, fileBytes: 200_000, files: 3 },
  resolvers: {
    Mutation: {
      add: async (_: unknown, { input }: { input: { title: string; picture: GgFile } }) => ({
        id: input.title,
        text: await bytesOf(input.picture),
      }),
      store: async (_: unknown, { file }: { file: GgFile }) => {
        const { filename, mediaType } = await file.head();
        return { id: '1', text: `${filename} ${mediaType} ${(await file.bytes()).length}` };
      },
    },
  },
};

describe.each([
  ['Apollo', createAlphaServer(options)],
  ['Yoga', createGqlServer(options)],
])('a GraphQL multipart request on %s', (_, server) => {
  async function send(
    operations: unknown,
    map: unknown,
    files: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = { 'graphql-require-preflight': '1' },
  ) {
    const body = new FormData();
    if (operations !== undefined) body.append('operations', JSON.stringify(operations));
    if (map !== undefined) body.append('map', JSON.stringify(map));
    for (const [name, text] of Object.entries(files))
      body.append(name, new Blob([text], { type: 'image/png' }), `${name}.png`);
    const response = await server.fetch(new Request('http://localhost/graphql', { method: 'POST', body, headers }));
    return { status: response.status, body: await response.json() };
  }

  it('passes a file in a variable to the resolver', async () => {
    const operations = { query: store, variables: { file: null } };
    expect(await send(operations, { a: ['variables.file'] }, { a: 'abc' })).toEqual({
      status: 200,
      body: { data: { store: { text: 'a.png image/png 3' } } },
    });
  });

  it('passes a file in an input', async () => {
    const query = 'mutation ($input: New!) { add(input: $input) { id text } }';
    const operations = { query, variables: { input: { title: 't', picture: null } } };
    expect((await send(operations, { 0: ['variables.input.picture'] }, { 0: 'pic' })).body).toEqual({
      data: { add: { id: 't', text: 'pic' } },
    });
  });

  it('passes the files of several mutations and of a batch, one after another', async () => {
    const query = 'mutation ($a: File!, $b: File!) { a: store(file: $a) { text } b: store(file: $b) { text } }';
    const operations = { query, variables: { a: null, b: null } };
    const large = 'x'.repeat(150_000);
    const { body } = await send(operations, { 0: ['variables.a'], 1: ['variables.b'] }, { 0: large, 1: large });
    expect(body).toEqual({
      data: { a: { text: '0.png image/png 150000' }, b: { text: '1.png image/png 150000' } },
    });
    const one = { query: store, variables: { file: null } };
    const map = { 0: ['0.variables.file'], 1: ['1.variables.file'] };
    const batch = await send([one, one], map, { 0: 'a', 1: 'bc' });
    expect(batch.body).toEqual([
      { data: { store: { text: '0.png image/png 1' } } },
      { data: { store: { text: '1.png image/png 2' } } },
    ]);
  });

  it.each<[string, unknown, unknown, Record<string, string>, string]>([
    ['without operations', undefined, {}, { 0: '' }, 'the part “operations” must precede the files'],
    ['with a map of texts', { query: store }, { 0: 'variables.file' }, { 0: '' }, '“map.0” must be a list of paths'],
    [
      'with a place that has no null',
      { query: store, variables: {} },
      { 0: ['variables.file'] },
      { 0: '' },
      'the operations have no null at “variables.file”',
    ],
    [
      'with a place outside the variables',
      { query: null },
      { 0: ['query'] },
      { 0: '' },
      'the operations have no null at “query”',
    ],
    [
      'with a place in a text',
      { query: store, variables: 'x' },
      { 0: ['variables.file.x'] },
      { 0: '' },
      'the operations have no null at “variables.file.x”',
    ],
  ])('is refused with 400 %s', async (_name, operations, map, files, reason) => {
    const { status, body } = await send(operations, map, files);
    expect([status, body.errors[0].message]).toEqual([400, `The form is not a GraphQL multipart request: ${reason}.`]);
  });

  it.each<[string, unknown, Record<string, string>, string]>([
    ['a file that the map does not have', {}, { x: '' }, 'no argument takes the file “x”'],
    ['a missing file', { 0: ['variables.file'] }, {}, 'the file “0” is missing'],
  ])('is refused with 400 for %s', async (_name, map, files, reason) => {
    const { status, body } = await send({ query: store, variables: { file: null } }, map, files);
    expect([status, body.errors[0].message]).toEqual([400, `The form cannot be read: ${reason}.`]);
  });

  it('answers an error of the field if a file is larger than the limit', async () => {
    const operations = { query: store, variables: { file: null } };
    const { body } = await send(operations, { 0: ['variables.file'] }, { 0: 'x'.repeat(200_001) });
    expect(body.errors[0]).toMatchObject({
      message: 'The file “0” has more than 200000 bytes.',
      extensions: { code: 'UPLOAD_TOO_LARGE' },
    });
  });

  it('is refused without a preflight header', async () => {
    const { status, body } = await send({ query: store, variables: { file: null } }, {}, {}, {});
    expect([status, body.errors[0].extensions.code]).toEqual([400, 'CSRF_PREVENTED']);
  });

  it('takes no value of JSON in place of a file', async () => {
    const ask = async (query: string, variables: object) => {
      const response = await server.fetch(
        new Request('http://localhost/graphql', {
          method: 'POST',
          body: JSON.stringify({ query, variables }),
          headers: { 'content-type': 'application/json' },
        }),
      );
      return JSON.stringify(await response.json());
    };
    const reason = 'A File is a part of multipart/form-data, not a value of JSON.';
    expect(await ask(store, { file: 'x' })).toContain(reason);
    expect(await ask('mutation { store(file: "x") { text } }', {})).toContain(reason);
  });
});

it('leaves forms to the engine if no mutation takes files', async () => {
  const plain = createGqlServer({
    topologies: [{ name: 'a.gg', source: '(root)-[:PROCESS]->(a { id: ID! })' }],
  });
  const request = new Request('http://localhost/graphql', {
    method: 'POST',
    body: new FormData(),
    headers: { 'graphql-require-preflight': '1' },
  });
  expect((await plain.fetch(request)).status).toBe(415);
});
