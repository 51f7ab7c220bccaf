import { afterEach, describe, expect, test, vi } from 'vitest';
import { compile } from '../../../src/compiler/compile.js';
import { TopologyError } from '../../../src/runtime/load/topology-error.js';
import { createGqlServer } from '../../../src/runtime/server/service.js';
import { ask, post, run, serve } from './topology-server.js';

const source = `
  (root)-[:PROCESS { id: ID! = 1 }]->(read_user { id: ID! = 1, name: 'Ada' })
  (form { name: String })-[:FOLD]->(save_user { name: 'Zoe' })
`;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe('documents', () => {
  test('are the artifacts of the compiler', async () => {
    const origin = 'http://test.local';
    const compiled = compile({ name: 'test.gg', source }, { title: 'Users', baseUrl: origin, federation: true });
    const server = serve(source, { title: 'Users' });
    expect((await ask(server, '/schema.graphql')).text).toBe(compiled.artifacts?.['schema.graphql']);
    expect((await ask(server, '/openapi.json')).text).toBe(compiled.artifacts?.['openapi.json']);
    expect((await ask(server, '/collection.json')).text).toBe(compiled.artifacts?.['collection.json']);
    expect(server.exportGraphQL()).toBe(compiled.artifacts?.['schema.graphql']);
    expect(JSON.parse(JSON.stringify(server.exportOpenAPI()))).toEqual(
      JSON.parse(compiled.artifacts?.['openapi.json'] ?? ''),
    );
  });

  test('have their content types', async () => {
    const types = await Promise.all(
      ['/schema.graphql', '/openapi.json', '/collection.json', '/'].map(async (path) =>
        (await ask(serve(source), path)).headers.get('content-type'),
      ),
    );
    expect(types).toEqual([
      'text/plain; charset=utf-8',
      'application/json; charset=utf-8',
      'application/json; charset=utf-8',
      'text/html; charset=utf-8',
    ]);
  });

  test('answer HEAD and OPTIONS, and reject other methods', async () => {
    const server = serve(source);
    for (const path of ['/openapi.json', '/health/live', '/']) {
      const head = await ask(server, path, { method: 'HEAD' });
      expect([head.status, head.text]).toEqual([200, '']);
      const options = await ask(server, path, { method: 'OPTIONS' });
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
      const refused = await ask(server, path, { method: 'DELETE' });
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect(refused.body.detail).toBe(`${path} does not support DELETE.`);
    }
  });

  test('include a collection for the given base URL, or for the origin of the request', async () => {
    const urlOf = (collection: ReturnType<ReturnType<typeof serve>['exportCollection']>) =>
      Object.fromEntries(
        collection.variable.filter(({ key }) => key.endsWith('_url')).map(({ key, value }) => [key, value]),
      );
    expect(urlOf((await ask(serve(source), '/collection.json')).body)).toEqual({
      base_url: 'http://test.local',
    });
    expect(urlOf(serve(source).exportCollection())).toEqual({ base_url: 'http://localhost:4000' });
    const elsewhere = serve(source, { baseUrl: 'https://api.example.com/v1/graphql' });
    expect(urlOf((await ask(elsewhere, '/collection.json')).body)).toEqual({
      base_url: 'https://api.example.com/v1/graphql',
      api_url: 'https://api.example.com/v1/api',
    });
    const moved = serve(source, { endpoint: '/internal/gql' });
    expect(urlOf((await ask(moved, '/collection.json')).body)).toEqual({
      base_url: 'http://test.local/internal/gql',
      api_url: 'http://test.local/api',
    });
    const both = serve(source, { endpoint: '/internal/gql', baseUrl: 'https://api.example.com/' });
    const bothUrls = {
      base_url: 'https://api.example.com/internal/gql',
      api_url: 'https://api.example.com/api',
    };
    expect(urlOf((await ask(both, '/collection.json')).body)).toEqual(bothUrls);
    expect(urlOf(both.exportCollection())).toEqual(bothUrls);
  });

  test('have the given titles', () => {
    const server = serve(source, { title: 'Users', collectionName: 'Users, for Postman' });
    expect(server.exportOpenAPI().info.title).toBe('Users');
    expect(server.exportCollection().info.name).toBe('Users, for Postman');
  });
});

describe('routes', () => {
  test('answer an unknown path with a problem', async () => {
    const answer = await ask(serve(source), '/nowhere');
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.body).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'There is nothing at /nowhere.',
    });
    expect((await ask(serve(source), '/nowhere', { method: 'HEAD' })).text).toBe('');
  });

  test('report live and ready health', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      const answer = await ask(serve(source), path);
      expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  test('serve GraphQL only at the endpoint', async () => {
    const server = serve(source, { endpoint: '/internal/gql' });
    const query = { query: '{ readUser { name } }' };
    expect((await post(server, '/internal/gql', query)).body).toEqual({
      data: { readUser: { name: 'Ada' } },
    });
    expect((await post(server, '/graphql', query)).status).toBe(404);
    expect((await ask(server, '/api/readUser')).body).toMatchObject({ name: 'Ada' });
  });

  test('answer an internal error with 500, without details in production', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const broken = (server: ReturnType<typeof serve>) =>
      server.fetch({ method: 'GET', url: 'nonsense' } as unknown as Request).then((response) => response.json());
    expect(await broken(serve(source))).toMatchObject({ status: 500, detail: 'Invalid URL' });
    vi.stubEnv('NODE_ENV', 'production');
    expect(await broken(serve(source))).toMatchObject({ status: 500, detail: 'Unexpected error.' });
    expect(log).toHaveBeenCalledTimes(2);
  });
});

describe('context', () => {
  const text = '(root)-[:PROCESS]->(who { name: String })';
  const who = (_: unknown, _args: object, context: { user: string }) => ({ name: context.user });

  test('is created from the request, for REST and GraphQL', async () => {
    const server = serve(text, {
      context: async (request) => ({ user: request.headers.get('x-user') ?? 'nobody' }),
      resolvers: { Query: { who } },
    });
    const headers = { 'x-user': 'ada', accept: 'application/json' };
    expect((await ask(server, '/api/who', { headers })).body).toEqual({ name: 'ada' });
    expect((await ask(server, '/graphql?query={who{name}}', { headers })).body.data.who).toEqual({
      name: 'ada',
    });
    expect((await run(server as never, '{ who { name } }')).data.who).toEqual({ name: 'nobody' });
  });

  test('is the same value for REST and GraphQL, and an explicit one takes precedence', async () => {
    const seen: unknown[] = [];
    const context = Object.freeze({ user: 'ada' });
    const server = serve(text, {
      context,
      resolvers: {
        Query: {
          who: (_: unknown, _args: object, value: unknown) => {
            seen.push(value);
          },
        },
      },
    });
    await ask(server, '/api/who');
    await post(server, '/graphql', { query: '{ who { name } }' });
    await server.executeOperation({ query: '{ who { name } }' });
    const given = { user: 'zoe' };
    await server.executeOperation({ query: '{ who { name } }' }, given);
    expect(seen.map((value) => value === context)).toEqual([true, true, true, false]);
    expect(seen[3]).toBe(given);
  });

  test('that throws fails the operation', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { GraphQLError } = await import('graphql');
    const refuse = serve(text, {
      context: () => {
        throw new GraphQLError('Sign in first', { extensions: { code: 'UNAUTHENTICATED' } });
      },
    });
    expect((await ask(refuse, '/api/who')).body).toMatchObject({ status: 401, detail: 'Sign in first' });
    expect((await post(refuse, '/graphql', { query: '{ who { name } }' })).body.errors[0].message).toBe(
      'Sign in first',
    );
    expect((await run(refuse as never, '{ who { name } }')).errors[0].message).toBe('Sign in first');
    const broken = serve(text, { context: () => Promise.reject('no database') });
    expect((await ask(broken, '/api/who')).body).toMatchObject({ status: 500, detail: 'no database' });
    expect(await broken.subscribe({ query: '{ who { name } }' })).toMatchObject({
      errors: [{ message: 'no database' }],
    });
  });
});

describe('executeOperation', () => {
  test('accepts variables and the name of an operation', async () => {
    const server = serve(source);
    const query = 'query A($id: ID!) { readUser(id: $id) { id: name } } query B { readUser { name } }';
    const result = await server.executeOperation({ query, variables: { id: 1 }, operationName: 'B' });
    expect({ ...(result.data?.readUser as object) }).toEqual({ name: 'Ada' });
  });

  test.each([
    ['{', 'Syntax Error: Expected Name, found <EOF>.'],
    ['{ nobody }', 'Cannot query field "nobody" on type "Query".'],
    [
      'query A { __typename } query B { __typename }',
      'Must provide operation name if query contains multiple operations.',
    ],
    ['query($id: ID!) { readUser(id: $id) { name } }', 'Variable "$id" of required type "ID!" was not provided.'],
  ])('answers %s with an error', async (query, message) => {
    expect((await run(serve(source), query)).errors[0].message).toBe(message);
  });
});

describe('the server itself', () => {
  test('has the schema, the sources and the findings of the compiler', () => {
    const server = serve('(a { x: Int })-[:MEASURE]->(b)', { federation: false });
    expect(server.schema.objects.map(({ name }) => name)).toEqual(['A', 'B']);
    expect(server.sources.map(({ name }) => name)).toEqual(['test.gg']);
    expect(server.diagnostics.map(({ code }) => code).sort()).toEqual(['GG2010', 'GG3010']);
  });

  test('works with destructured methods', async () => {
    const { fetch } = serve(source);
    expect((await fetch(new Request('http://test.local/health/live'))).status).toBe(200);
  });

  test('is not created from a topology with errors', () => {
    expect(() => serve('(root)-[:PROCESS]->(a { b: Bee! })\n(root')).toThrow(TopologyError);
    try {
      serve('(root)-[:PROCESS]->(a { b: Bee! })');
    } catch (error) {
      expect((error as TopologyError).message).toBe(
        'The topology cannot be served:\n' +
          '  test.gg:1:28 GG2008 Unknown type “Bee”. ' +
          'Declare it as a node, (bee { … }) or (bee: Scalar), or use String, Int, Float, Boolean or ID.',
      );
      expect((error as TopologyError).diagnostics).toHaveLength(1);
    }
    expect.assertions(3);
  });

  test('is not created from a topology that has a name of a layer', () => {
    const object = { name: 'ReadUser', description: undefined, fields: [], node: undefined };
    expect(() => serve(source, { layers: [{ schema: { objects: [object] } }] })).toThrow(/GG3018/);
  });

  test.each([
    [{}, 'topologies must be a list'],
    [{ topologies: [] }, 'topologies must be a list'],
    [{ topologies: 'a.gg' }, 'topologies must be a list'],
    [{ topologies: [5] }, 'topologies must be a list'],
    [{ topologies: [null] }, 'topologies must be a list'],
    [{ topologies: [{ name: 'a.gg' }] }, 'topologies must be a list'],
    [{ topologies: [{ name: 'a.gg', source }], resolvers: 5 }, 'resolvers must be an object'],
    [{ topologies: [{ name: 'a.gg', source }], resolvers: null }, 'resolvers must be an object'],
    [{ topologies: [{ name: 'a.gg', source }], endpoint: 'graphql' }, 'endpoint must be a path'],
    [{ topologies: [{ name: 'a.gg', source }], endpoint: '/' }, 'endpoint must be a path'],
    [{ topologies: [{ name: 'a.gg', source }], endpoint: '/openapi.json' }, 'endpoint must be a path'],
    [{ topologies: [{ name: 'a.gg', source }], endpoint: '/a?b' }, 'endpoint must be a path'],
    [{ topologies: [{ name: 'a.gg', source }], endpoint: 5 }, 'endpoint must be a path'],
  ])('is not created with %j', (options, message) => {
    expect(() => createGqlServer(options as never)).toThrow(TypeError);
    expect(() => createGqlServer(options as never)).toThrow(message);
  });
});
