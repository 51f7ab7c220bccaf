import { createHash } from 'node:crypto';
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginCacheControl } from '@apollo/server/plugin/cacheControl';
import responseCachePlugin from '@apollo/server-plugin-response-cache';
import { GraphQLError, type GraphQLResolveInfo } from 'graphql';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type AlphaFrameworkOptions,
  type AlphaServer,
  createAlphaServer,
  createAlphaServerAdapter,
} from '../../../../src/runtime/hosts/alpha/alpha-server.js';
import type { GqlServerOptions } from '../../../../src/runtime/server/options.js';
import { ask, post } from '../../server/topology-server.js';

const source = `
  (root)-[:PROCESS]->(hello { text: 'Hello' })
  (root)-[:PROCESS { operation: 'count', returns: Int! }]->(hello)
  (root)-[:PROCESS { operation: 'secret', returns: Int! }]->(hello)
  (root)-[:PROCESS]->(broken: Record { value: String })
`;

type Cached = GraphQLResolveInfo & { readonly cacheControl?: { setCacheHint(hint: object): void } };

function start(
  plugins: readonly ApolloServerPlugin<never>[],
  options: Partial<GqlServerOptions> = {},
  frameworkOptions: AlphaFrameworkOptions = {},
): { readonly server: AlphaServer; calls(): number } {
  let calls = 0;
  const given: GqlServerOptions = {
    topologies: [{ name: 'a.gg', source }],
    resolvers: {
      Query: {
        count: () => ++calls,
        secret: (_: unknown, __: unknown, ___: unknown, info: Cached) => {
          info.cacheControl?.setCacheHint({ maxAge: 0 });
          return ++calls;
        },
        broken: () => {
          throw new Error('password=hunter2');
        },
      },
    },
    plugins: { apollo: plugins },
    ...options,
  };
  return { server: createAlphaServer(given as never, frameworkOptions), calls: () => calls };
}

afterEach(() => void vi.restoreAllMocks());

const query = '{ hello { text } }';
const hello = { data: { hello: { text: 'Hello' } } };

describe('automatic persisted queries', () => {
  const hashed = (text: string): object => ({
    persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(text).digest('hex') },
  });

  test('run by their hash once a client has sent their text, by POST and by GET', async () => {
    const { server } = start([]);
    const extensions = hashed(query);
    const unknown = await post(server, '/graphql', { extensions });
    expect(unknown.body.errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND');
    expect((await post(server, '/graphql', { query, extensions })).body).toEqual(hello);
    expect((await post(server, '/graphql', { extensions })).body).toEqual(hello);
    const search = encodeURIComponent(JSON.stringify(extensions));
    expect((await ask(server, `/graphql?extensions=${search}`)).body).toEqual(hello);
  });

  test('are subject to the limits and the check of forged requests', async () => {
    const { server } = start([], { limits: { aliases: 1 } });
    const wide = '{ a: hello { text } b: hello { text } }';
    const extensions = hashed(wide);
    for (const request of [{ query: wide, extensions }, { extensions }]) {
      const { body } = await post(server, '/graphql', request);
      expect(body.errors[0].extensions.code).toBe('ALIASES_LIMIT_EXCEEDED');
    }
    const search = encodeURIComponent(JSON.stringify(extensions));
    const headers = { 'sec-fetch-site': 'cross-site' };
    const forged = await ask(server, `/graphql?extensions=${search}`, { headers });
    expect([forged.status, forged.body.errors[0].extensions.code]).toEqual([400, 'CSRF_PREVENTED']);
  });

  test('are off if the options of Apollo turn them off', async () => {
    const { server } = start([], {}, { persistedQueries: false });
    const { body } = await post(server, '/graphql', { extensions: hashed(query) });
    expect(body.errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_SUPPORTED');
  });
});

describe('the response cache', () => {
  const cached = () => [ApolloServerPluginCacheControl({ defaultMaxAge: 60 }), responseCachePlugin()];

  const context = { name: 'Ada' };

  test('answers repeats without resolvers', async () => {
    const { server, calls } = start(cached(), { context });
    const first = await post(server, '/graphql', { query: '{ count }' });
    expect([first.body, first.headers.get('cache-control')]).toEqual([{ data: { count: 1 } }, 'max-age=60, public']);
    const second = await post(server, '/graphql', { query: '{ count }' });
    expect([second.body, second.headers.get('age')]).toEqual([{ data: { count: 1 } }, '0']);
    expect(calls()).toBe(1);
  });

  test('keeps nothing if the context is not an object, because Apollo then calls no field hooks', async () => {
    const { server, calls } = start(cached(), { context: 'Ada' });
    await post(server, '/graphql', { query: '{ count }' });
    expect((await post(server, '/graphql', { query: '{ count }' })).headers.get('cache-control')).toBe('no-store');
    expect(calls()).toBe(2);
  });

  test('keeps answers that the hints of resolvers allow, but no errors', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { server } = start(cached(), { context });
    const ages = async (text: string): Promise<unknown> => {
      await post(server, '/graphql', { query: text });
      return (await post(server, '/graphql', { query: text })).body.data;
    };
    expect(await ages('{ secret }')).toEqual({ secret: 2 });
    expect(await ages('{ count broken { value } }')).toEqual({ count: 4, broken: null });
  });

  test('does nothing without a plugin for hints, which is off by default', async () => {
    const { server } = start([responseCachePlugin()], { context });
    await post(server, '/graphql', { query: '{ count }' });
    const { body, headers } = await post(server, '/graphql', { query: '{ count }' });
    expect([body, headers.get('cache-control')]).toEqual([{ data: { count: 2 } }, null]);
  });
});

describe('plugins of Apollo', () => {
  test('come before those of Apollo’s own options, and do not get REST requests', async () => {
    const seen: string[] = [];
    const watch = (name: string): ApolloServerPlugin => ({
      requestDidStart: async ({ request }) => void seen.push(`${name} ${request.query}`),
    });
    const { server } = start([watch('a')], {}, { plugins: [watch('b')] });
    await post(server, '/graphql', { query });
    await ask(server, '/api/hello');
    expect(seen).toEqual([`a ${query}`, `b ${query}`]);
  });

  test('are part of the configuration for an Apollo Server of the program', async () => {
    const seen: unknown[] = [];
    const watch: ApolloServerPlugin = {
      requestDidStart: async ({ request }) => void seen.push(request.query),
    };
    const topologies = [{ name: 'a.gg', source }];
    const apollo = new ApolloServer(createAlphaServerAdapter({ topologies, plugins: { apollo: [watch] } }));
    await apollo.executeOperation({ query });
    expect(seen).toEqual([query]);
    await apollo.stop();
  });

  const fail = async (): Promise<never> => {
    throw new Error('password=hunter2');
  };
  const hooks: Record<string, ApolloServerPlugin> = {
    requestDidStart: { requestDidStart: fail },
    didResolveSource: { requestDidStart: async () => ({ didResolveSource: fail }) },
    parsingDidStart: { requestDidStart: async () => ({ parsingDidStart: fail }) },
    didResolveOperation: { requestDidStart: async () => ({ didResolveOperation: fail }) },
    responseForOperation: { requestDidStart: async () => ({ responseForOperation: fail }) },
    executionDidStart: { requestDidStart: async () => ({ executionDidStart: fail }) },
    willSendResponse: { requestDidStart: async () => ({ willSendResponse: fail }) },
  };

  test.each(Object.entries(hooks))('%s: an error is masked, and the server keeps running', async (_, plugin) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { server } = start([plugin as ApolloServerPlugin<never>], { limits: { masking: true } });
    for (let times = 0; times < 2; times++) {
      const { text, body } = await post(server, '/graphql', { query });
      expect(text).not.toContain('hunter2');
      expect(body.errors[0].extensions.code).toBe('INTERNAL_SERVER_ERROR');
    }
    expect(String(log.mock.calls.flat())).toContain('hunter2');
    expect((await ask(server, '/api/hello')).status).toBe(200);
  });

  test('reject requests with errors for the client', async () => {
    const refuse: ApolloServerPlugin = {
      requestDidStart: async () => ({
        didResolveOperation: async () => {
          throw new GraphQLError('Not today.', { extensions: { code: 'CLOSED' } });
        },
      }),
    };
    const { server } = start([refuse], { limits: { masking: true } });
    const { body } = await post(server, '/graphql', { query });
    expect(body.errors).toEqual([{ message: 'Not today.', extensions: { code: 'CLOSED' } }]);
  });
});
