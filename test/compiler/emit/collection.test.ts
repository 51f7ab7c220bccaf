import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PostmanValidator } from '@har-sdk/validator';
import { Ajv } from 'ajv';
import { buildSchema, parse, validate } from 'graphql';
import { chai, describe, expect, test } from 'vitest';
import type { CollectionFolder, CollectionItem } from '../../../src/compiler/emit/collection/format.js';
import { stableId } from '../../../src/compiler/emit/collection/stable-id.js';
import { schemaToCollection } from '../../../src/compiler/emit/collection.js';
import { schemaToGraphQL } from '../../../src/compiler/emit/graphql.js';
import type { GqlSchema } from '../../../src/compiler/schema/gql-schema.js';
import { parcelExample, serviceExample } from './examples.js';
import { argument, enumeration, mutation, object, query, sampleSchema, scalar, schemaOf, union } from './fixtures.js';
import { naughtySchema } from './naughty.js';
import { runNewman } from './run-newman.js';

const origin = 'http://localhost:4000';
const sample = schemaToCollection(sampleSchema(), 'Sample', origin);

function restItems(schema: GqlSchema): readonly CollectionItem[] {
  return schemaToCollection(schema, 'x', origin).item[0]?.item ?? [];
}

function graphqlItems(schema: GqlSchema): readonly CollectionItem[] {
  return schemaToCollection(schema, 'x', origin).item[1]?.item ?? [];
}

function find(items: readonly CollectionItem[] | undefined, name: string, method?: string): CollectionItem {
  const item = items?.find((item) => item.name === name && (method === undefined || item.request.method === method));
  if (item === undefined) throw new Error(`There is no item ${name}.`);
  return item;
}

function document({ request: { body } }: CollectionItem): {
  query: string;
  variables: Record<string, unknown>;
} {
  if (body?.mode !== 'graphql') throw new Error('The body is not GraphQL.');
  return { query: body.graphql.query, variables: JSON.parse(body.graphql.variables) };
}

describe('a collection', () => {
  test.each([
    ['the sample', sampleSchema()],
    ['naughty names and texts', naughtySchema()],
    ['the service example', serviceExample()],
    ['the parcel example', parcelExample()],
  ])('is valid against the JSON schema of the format: %s', async (_, schema) => {
    const document = JSON.parse(JSON.stringify(schemaToCollection(schema, 'Valid', origin)));
    expect(await new PostmanValidator().verify(document)).toEqual([]);
  });

  test('has a name, a folder with every query and mutation for each protocol, and a folder for the streams', () => {
    expect(sample.info).toMatchObject({
      name: 'Sample',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    });
    const calls = sample.item.map(({ name, item }) => [
      name,
      item.map(({ name, request }) => `${request.method} ${name}`),
    ]);
    expect(calls).toEqual([
      [
        'REST',
        ['POST saveUser', 'POST ping', 'GET listUsers', 'POST readUser', 'GET readUser', 'GET fastUser', 'GET count'],
      ],
      [
        'GraphQL',
        [
          'POST saveUser',
          'POST ping',
          'POST listUsers',
          'POST readUser',
          'POST readUser',
          'POST fastUser',
          'POST count',
        ],
      ],
      ['Events', ['GET userSaved']],
    ]);
  });

  test('lists the subscriptions, which it cannot call, in the GraphQL folder', () => {
    expect(sample.item[1]?.description).toMatch(/: userSaved\.$/);
    expect(schemaToCollection(schemaOf({}), 'x', origin).item[1]?.description).not.toMatch(/subscription/i);
  });

  test('is the same for the same schema', () => {
    const once = JSON.stringify(schemaToCollection(naughtySchema(), 'x', origin));
    expect(JSON.stringify(schemaToCollection(naughtySchema(), 'x', origin))).toBe(once);
  });
});

describe('the ids of a collection', () => {
  const ids = (schema: GqlSchema) =>
    [...JSON.stringify(schemaToCollection(schema, 'x', origin)).matchAll(/"(?:id|_postman_id)":"([^"]*)"/g)].map(
      ([, id]) => id,
    );

  test('look like UUIDs and are all different', () => {
    const all = ids(naughtySchema());
    expect(new Set(all).size).toBe(all.length);
    for (const id of all) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  });

  test('depend on the names of the operations, not on their order or their arguments', () => {
    const one = schemaOf({ queries: [query('a', 'Int'), query('b', 'Int')] });
    const other = schemaOf({ queries: [query('b', 'Int', [argument('x', 'Int')]), query('a', 'ID')] });
    expect(find(restItems(one), 'a').id).toBe(find(restItems(other), 'a').id);
    expect(find(restItems(one), 'a').id).not.toBe(find(graphqlItems(one), 'a').id);
    expect(schemaToCollection(one, 'x', origin).info._postman_id).not.toBe(
      schemaToCollection(one, 'y', origin).info._postman_id,
    );
  });

  test('do not collide for a hundred thousand similar names', () => {
    const seen = new Set(Array.from({ length: 100_000 }, (_, at) => stableId(`rest/query/read${at}`)));
    expect(seen.size).toBe(100_000);
  });
});

describe('the addresses of a collection', () => {
  const schema = schemaOf({ queries: [query('a', 'Int')] });
  const addresses = (baseUrl: string) => {
    const { item, variable } = schemaToCollection(schema, 'x', baseUrl);
    const [rest, graphql] = item.map((folder) => folder.item[0]?.request.url);
    const shown = variable.filter(({ key }) => key !== 'answers');
    return { ...Object.fromEntries(shown.map(({ key, value }) => [key, value])), rest, graphql };
  };

  test.each([
    ['http://localhost:4000', 'http://localhost:4000'],
    ['http://localhost:4000/', 'http://localhost:4000'],
    ['https://api.example.org?x=1', 'https://api.example.org'],
    ['localhost:4000', 'localhost:4000'],
    ['{{server}}', '{{server}}'],
  ])('without a path are GraphQL at /graphql and REST at /api: %s', (baseUrl, base_url) => {
    expect(addresses(baseUrl)).toEqual({
      base_url,
      rest: '{{base_url}}/api/a',
      graphql: '{{base_url}}/graphql',
    });
  });

  test.each([
    ['http://localhost:4000/graphql', 'http://localhost:4000/api'],
    ['https://example.org/v1/graphql/', 'https://example.org/v1/api'],
    ['https://example.org/v1/graphql?key=/x#top', 'https://example.org/v1/api'],
    ['/graphql', '/api'],
    ['{{server}}/graphql', '{{server}}/api'],
  ])('with a path are the endpoint and the /api beside it: %s', (baseUrl, api_url) => {
    expect(addresses(baseUrl)).toEqual({
      base_url: baseUrl,
      api_url,
      rest: '{{api_url}}/a',
      graphql: '{{base_url}}',
    });
  });

  test.each([
    ['', '{{base_url}}', ['api', 'a']],
    ['/graphql', '{{api_url}}', ['a']],
  ])('with a query string are also split into parts: %s', (suffix, host, path) => {
    const asking = schemaOf({ queries: [query('a', 'Int', [argument('x', 'Int')])] });
    const [rest] = schemaToCollection(asking, 'x', `${origin}${suffix}`).item;
    const raw = `${[host, ...path].join('/')}?x=1`;
    const parts = { host: [host], path, query: [{ key: 'x', value: '1' }] };
    expect(rest?.item[0]?.request.url).toEqual({ raw, ...parts });
  });
});

describe('a REST request', () => {
  test('of a query has its arguments as pairs, with example values and descriptions', () => {
    const { request } = find(sample.item[0]?.item, 'listUsers');
    expect(request.method).toBe('GET');
    expect(request).not.toHaveProperty('body');
    expect(request.url).toHaveProperty('query', [
      { key: 'limit', value: '20' },
      { key: 'status', value: 'ACTIVE' },
      { key: 'ids', value: '1' },
      { key: 'ids', value: '2' },
      {
        key: 'where',
        value:
          '{"id":"1","name":"Ada Lovelace","members":[{"id":"1","name":"Ada Lovelace","email":"ada@example.com","status":"ACTIVE","tags":["news"],"score":4.5,"team":{"id":"1","name":"Ada Lovelace"},"joined":"2026-01-15"}]}',
      },
      { key: 'flat[id]', value: '1' },
      { key: 'grid', value: '[[1]]' },
      { key: 'since', value: '2026-01-15' },
    ]);
    expect(find(sample.item[0]?.item, 'readUser', 'GET').request.url).toMatchObject({
      raw: '{{base_url}}/api/readUser?id={{userId}}',
      query: [{ key: 'id', value: '{{userId}}', description: 'Whom.' }],
    });
  });

  test('of a mutation has its arguments as JSON', () => {
    const { request } = find(sample.item[0]?.item, 'saveUser');
    expect(request).toMatchObject({
      method: 'POST',
      description: 'Mutation (fold) from input_user to save_user',
      header: [
        { key: 'Accept', value: 'application/json' },
        { key: 'Content-Type', value: 'application/json' },
      ],
      body: { mode: 'raw', options: { raw: { language: 'json' } } },
    });
    const raw = request.body?.mode === 'raw' ? request.body.raw : '';
    expect(JSON.parse(raw)).toMatchObject({
      input: { id: '1', status: 'ACTIVE', team: { members: [{ id: '1' }] } },
    });
  });

  test('without arguments has no pairs, and as a mutation an empty object', () => {
    expect(find(sample.item[0]?.item, 'count').request.url).toBe('{{base_url}}/api/count');
    expect(find(sample.item[0]?.item, 'ping').request.body).toMatchObject({ raw: '{}' });
  });

  test('has an example answer', () => {
    const { response } = find(sample.item[0]?.item, 'fastUser');
    const originalRequest = { method: 'GET', url: '{{base_url}}/api/fastUser' };
    expect(response).toMatchObject([{ code: 200, status: 'OK', originalRequest }]);
    expect(JSON.parse(response[0].body)).toEqual({
      __typename: 'CacheUser',
      id: '1',
      name: 'Ada Lovelace',
      age: 36,
    });
  });
});

describe('a GraphQL request', () => {
  test.each([
    ['the sample', sampleSchema()],
    ['naughty names and texts', naughtySchema()],
    ['the service example', serviceExample()],
    ['the parcel example', parcelExample()],
  ])('is a valid document: %s', (_, schema) => {
    const built = buildSchema(schemaToGraphQL(schema));
    const items = graphqlItems(schema);
    expect(items).toHaveLength(schema.queries.length + schema.mutations.length);
    for (const item of items) {
      const { query } = document(item);
      expect(validate(built, parse(query)), query).toEqual([]);
    }
  });

  test('declares its arguments as variables and selects the fields of the REST response', () => {
    const item = sample.item[1]?.item.findLast(({ name }) => name === 'readUser');
    const { query, variables } = document(item as CollectionItem);
    expect(query).toBe(`query readUser($id: ID!) {
  readUser(id: $id) {
    id
    name
    email
    status
    tags
    score
    team {
      id
      name
      members {
        id
        name
        email
        status
        tags
        score
        joined
      }
    }
    joined
  }
}`);
    expect(variables).toEqual({ id: '{{userId}}' });
  });

  test('names the input where a layer names an object type', () => {
    const layer = schemaOf({
      objects: [object('Hop', { id: 'ID!' })],
      queries: [query('hops', 'Int', [argument('hops', '[Hop!]!')])],
    });
    const { query: text, variables } = document(find(graphqlItems(layer), 'hops'));
    expect(text).toBe('query hops($hops: [HopInput!]!) {\n  hops(hops: $hops)\n}');
    expect(variables).toEqual({ hops: [{ id: '1' }] });
  });

  test('has variables with the defaults of the arguments, so that omitting one changes nothing', () => {
    const { query: text } = document(find(sample.item[1]?.item, 'listUsers'));
    expect(text.slice(0, text.indexOf(')') + 1)).toBe(
      'query listUsers($limit: Int! = 20, $status: Status = ACTIVE, $ids: [ID!] = ["1", "2"], ' +
        '$where: TeamInput, $flat: FastUserInput, $grid: [[Int!]!], $since: Date)',
    );
    const own = schemaOf({
      queries: [query('a', 'Int', [argument('x', 'Int', null), argument('y', 'Int!', null)])],
    });
    const { query: nulls } = document(find(graphqlItems(own), 'a'));
    expect(nulls).toBe('query a($x: Int = null, $y: Int!) {\n  a(x: $x, y: $y)\n}');
  });

  test('without arguments and fields has a minimal document', () => {
    expect(document(find(sample.item[1]?.item, 'ping'))).toEqual({
      query: 'mutation ping {\n  ping\n}',
      variables: {},
    });
  });

  test('has an example answer', () => {
    const { response } = find(sample.item[1]?.item, 'count');
    expect(JSON.parse(response[0].body)).toEqual({ data: { count: 1 } });
  });
});

describe('the test script', () => {
  const schema = schemaOf({
    objects: [object('A', { id: 'ID!', name: 'String' }), object('B', { id: 'ID!' }), object('Ring', { ring: 'Ring' })],
    enums: [enumeration('E', ['X', 'Y'])],
    scalars: [scalar('S')],
    unions: [union('U', ['A', 'B'])],
    queries: [
      query('a', 'A'),
      query('must', 'A!'),
      query('list', '[[A!]]!'),
      query('e', 'E'),
      query('s', 'S'),
      query('ss', '[S]'),
      query('n', 'Float'),
      query('u', 'U'),
      query('ring', 'Ring'),
    ],
  });

  const [rest, graphql] = runnersOf(schema);

  test.each([
    ['a', { id: '1', name: null }, true],
    ['a', { id: '1', name: 'x', more: 1 }, true],
    ['a', null, true],
    ['a', { id: '1' }, false],
    ['a', 'text', false],
    ['must', null, false],
    ['list', [[{ id: '1', name: null }], null], true],
    ['list', [[{ id: '1' }]], false],
    ['list', { id: '1', name: null }, false],
    ['list', null, false],
    ['e', 'Y', true],
    ['e', 'Z', false],
    ['s', { any: 1 }, true],
    ['ss', 1, false],
    ['ss', [1, null, 'x'], true],
    ['n', 1, true],
    ['n', '1', false],
    ['u', { __typename: 'B', id: '1' }, true],
    ['u', { __typename: 'C', id: '1' }, false],
    ['ring', { ring: { ring: { __typename: 'Ring' } } }, true],
    ['ring', {}, false],
  ])('for %s accepts %j: %s', (name, value, passes) => {
    expect(rest(name, value)).toBe(passes);
    expect(graphql(name, { data: { [name]: value } })).toBe(passes);
  });

  test('fails for another status, another content type, errors, and a missing result', () => {
    expect(rest('n', 1, { code: 500 })).toBe(false);
    expect(rest('n', 1, { type: 'text/html' })).toBe(false);
    expect(rest('n', 1, { type: 'application/json; charset=utf-8' })).toBe(true);
    expect(graphql('n', { data: { n: 1 } }, { code: 500 })).toBe(false);
    expect(graphql('n', { data: { n: 1 }, errors: [] })).toBe(false);
    expect(graphql('n', { data: {} })).toBe(false);
    expect(graphql('n', {})).toBe(false);
  });

  test('passes for the example answer of its own request', () => {
    for (const whole of [sampleSchema(), parcelExample()]) {
      const { item: folders } = schemaToCollection(whole, 'x', origin);
      for (const [at, run] of runnersOf(whole).entries()) {
        for (const { name, request, response } of folders[at]?.item ?? []) {
          const answer = JSON.parse(response[0].body);
          expect(run(name, answer, { method: request.method }), `${request.method} ${name}`).toBe(true);
        }
      }
    }
  });

  test('checks a request that was renamed', () => {
    const collection = schemaToCollection(schema, 'x', origin);
    const [rest] = runnersOf(schema, { ...collection, item: collection.item.map(renamed) });
    expect(rest('a (copy)', { id: '1', name: null })).toBe(true);
    expect(rest('a (copy)', { id: '1' })).toBe(false);
  });

  const renamed = (folder: CollectionFolder): CollectionFolder => ({
    ...folder,
    item: folder.item.map((item) => ({ ...item, name: `${item.name} (copy)` })),
  });
});

test('Newman sends every request correctly and runs every script', async () => {
  const schema = schemaOf({
    objects: [object('Flat', { text: 'String', number: 'Int' })],
    queries: [
      query('search', 'String', [
        argument('text', 'String', 'a&b=c+d%20e#f ü"\'<>[]{}|\\^`?/:@!$(),;~'),
        argument('many', '[String]', ['x,y', '', '&']),
        argument('flat', 'FlatInput'),
        argument('json', '[[String]]', [['"&%+#{}']]),
      ]),
    ],
    mutations: [mutation('save', 'Int', [argument('input', 'FlatInput')])],
  });
  const seen: { method: string | undefined; path: string; pairs: [string, string][]; body: unknown }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const url = new URL(request.url ?? '', origin);
      seen.push({
        method: request.method,
        path: url.pathname,
        pairs: [...url.searchParams],
        body: body === '' ? undefined : JSON.parse(body),
      });
      const name = url.pathname.split('/').at(-1);
      const value = JSON.stringify(name === 'graphql' ? { data: { search: 'x', save: 1 } } : name === 'save' ? 1 : 'x');
      response.writeHead(200, { 'content-type': 'application/json' }).end(value);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const result = await runNewman(schemaToCollection(schema, 'x', baseUrl));
    expect(result).toEqual({ requests: 4, assertions: 12, failures: [] });
  } finally {
    server.close();
  }
  const [post, get] = seen;
  const graphql = seen.at(-1);
  expect(get).toEqual({
    method: 'GET',
    path: '/api/search',
    pairs: [
      ['text', 'a&b=c+d%20e#f ü"\'<>[]{}|\\^`?/:@!$(),;~'],
      ['many', 'x,y'],
      ['many', ''],
      ['many', '&'],
      ['flat[text]', 'A few words.'],
      ['flat[number]', '1'],
      ['json', '[["\\"&%+#{}"]]'],
    ],
    body: undefined,
  });
  expect(post).toMatchObject({
    method: 'POST',
    path: '/api/save',
    body: { input: { text: 'A few words.', number: 1 } },
  });
  expect(graphql).toMatchObject({ path: '/graphql', body: { variables: { many: ['x,y', '', '&'] } } });
});

// Postman knows draft 7, and this assertion.
chai.use((_chai, { flag }) => {
  chai.Assertion.addMethod('jsonSchema', function (this: object, schema: object) {
    const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false });
    const fits = ajv.compile(schema);
    if (!fits(flag(this, 'object'))) throw new Error(ajv.errorsText(fits.errors));
  });
});

interface Answer {
  readonly code?: number;
  readonly type?: string;
  /** Tells a query from a mutation of the same name. */
  readonly method?: string;
}

/** For each folder, a function that runs its script as Postman does, and returns whether all tests passed. */
function runnersOf(schema: GqlSchema, collection = schemaToCollection(schema, 'x', origin)) {
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
  const runner =
    (folder: CollectionFolder) =>
    (name: string, body: unknown, { code = 200, type = 'application/json', method }: Answer = {}): boolean => {
      let passed = true;
      const { request } = find(folder.item, name, method);
      const raw = typeof request.url === 'string' ? request.url : request.url.raw;
      const pm = {
        test: (_: string, check: () => void) => {
          try {
            check();
          } catch {
            passed = false;
          }
        },
        expect: chai.expect,
        collectionVariables: {
          get: (key: string) => variables.get(key),
          set: (key: string, value: string) => variables.set(key, value),
        },
        request: { ...request, url: { path: raw.replace(/\?.*/s, '').split('/').slice(1) } },
        response: {
          json: () => JSON.parse(JSON.stringify(body)),
          headers: { get: () => type },
          to: { have: { status: (wanted: number) => chai.expect(code).to.equal(wanted) } },
        },
      };
      new Function('pm', folder.event[0]?.script.exec.join('\n') ?? '')(pm);
      return passed;
    };
  const [rest, graphql] = collection.item;
  if (rest === undefined || graphql === undefined) throw new Error('A folder is missing.');
  return [runner(rest), runner(graphql)] as const;
}
