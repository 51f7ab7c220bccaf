import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginCacheControl } from '@apollo/server/plugin/cacheControl';
import responseCachePlugin from '@apollo/server-plugin-response-cache';
import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import { useResponseCache } from '@graphql-yoga/plugin-response-cache';
import { GraphQLError, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import type { FetchCompatibleGraphQLServer, GqlServerOptions, HookOperation } from '../../../src/index.js';
import { createAlphaServer, createAlphaServerAdapter } from '../../../src/runtime/hosts/alpha/alpha-server.js';
import { openAlphaSite } from '../../../src/runtime/hosts/alpha/alpha-site.js';
import { type Answer as HttpAnswer, responseOf } from '../../../src/runtime/http/answer.js';
import { FetchExchange } from '../../../src/runtime/http/fetch-exchange.js';
import { createGqlServer } from '../../../src/runtime/server/service.js';
import { ask } from '../server/topology-server.js';

const source = `
  (root)-[:PROCESS { operation: 'count', returns: Int!, auth: 'required' }]->(hello { text: 'Hello' })
`;

interface Started {
  readonly server: FetchCompatibleGraphQLServer;
  /** How often the resolver has run. */
  calls(): number;
  readonly seen: HookOperation[];
}

type Create = (options: GqlServerOptions) => FetchCompatibleGraphQLServer;

const yogaCache = () => useResponseCache({ session: () => null });
const apolloCache = () => [ApolloServerPluginCacheControl({ defaultMaxAge: 60 }), responseCachePlugin()];

const engines: Record<string, Create> = {
  Yoga: (options) => createGqlServer({ ...options, plugins: { yoga: [yogaCache()] } }),
  Apollo: (options) => createAlphaServer({ ...options, plugins: { apollo: apolloCache() } } as never),
  'Apollo, with plugins of its own options': (options) =>
    createAlphaServer(options as never, { plugins: apolloCache() }),
  'an Apollo Server of the user': (options) => {
    const [hints, cache] = apolloCache();
    const config = createAlphaServerAdapter({ ...options, plugins: { apollo: [hints] } } as never);
    const apollo = new ApolloServer({ ...config, plugins: [...(config.plugins ?? []), cache] } as never);
    const opening = openAlphaSite(apollo);
    return {
      async fetch(request) {
        const { answer } = await opening;
        return responseOf(await new Promise<HttpAnswer>((done) => answer(new FetchExchange(request), done)));
      },
    };
  },
};

function start(create: Create): Started {
  let calls = 0;
  const seen: HookOperation[] = [];
  const server = create({
    topologies: [{ name: 'a.gg', source }],
    resolvers: { Query: { count: () => ++calls } },
    authenticate: ({ header }) => {
      const id = header('x-user');
      return id === undefined ? null : { id };
    },
    hooks: [
      {
        onOperation(operation) {
          seen.push(operation);
          if (operation.principal?.id === 'eve') throw new GraphQLError('Suspended.');
        },
      },
    ],
  });
  return { server, calls: () => calls, seen };
}

const send = (server: FetchCompatibleGraphQLServer, body: object, user?: string, accept?: string) =>
  ask(server, '/graphql', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(user === undefined ? {} : { 'x-user': user }),
      ...(accept === undefined ? {} : { accept }),
    },
    body: JSON.stringify(body),
  });

describe.each(Object.entries(engines))('answers from the cache of a plugin: %s', (_, create) => {
  const query = '{ count }';

  test('are sent only to callers with access, and hooks are called for each', async () => {
    const { server, calls, seen } = start(create);
    expect((await send(server, { query }, 'ada')).body).toEqual({ data: { count: 1 } });
    expect((await send(server, { query }, 'bob')).body).toEqual({ data: { count: 1 } });
    expect(calls()).toBe(1);
    const unknown = await send(server, { query });
    expect([unknown.status, unknown.body.data, unknown.body.errors[0].extensions]).toEqual([
      401,
      undefined,
      { code: 'UNAUTHENTICATED' },
    ]);
    const refused = await send(server, { query }, 'eve');
    expect([refused.status, refused.body.errors]).toEqual([
      403,
      [{ message: 'Suspended.', extensions: { code: 'FORBIDDEN' } }],
    ]);
    expect(seen.map(({ name, principal, protocol }) => [name, principal?.id, protocol])).toEqual(
      ['ada', 'bob', 'eve'].map((id) => ['count', id, 'graphql']),
    );
    expect(calls()).toBe(1);
  });

  test('do not hide the errors of documents', async () => {
    const { server } = start(create);
    for (const text of ['{ nothing }', '{']) {
      const { body } = await send(server, { query: text }, 'ada');
      expect(body.errors).toHaveLength(1);
      expect(body).not.toHaveProperty('data');
    }
  });
});

test.each([
  ['a text', '{ count }'],
  ['a document', parse('{ count }')],
])('a persisted operation that is %s requires access', async (_, operation) => {
  const persisted = usePersistedOperations({ getPersistedOperation: () => operation });
  const { server, seen } = start((options) =>
    createGqlServer({ ...options, plugins: { yoga: [persisted, yogaCache()] } }),
  );
  const body = { extensions: { persistedQuery: { version: 1, sha256Hash: 'a' } } };
  for (const user of ['ada', 'bob']) {
    expect((await send(server, body, user)).body).toMatchObject({ data: { count: expect.any(Number) } });
  }
  expect((await send(server, body)).status).toBe(401);
  expect((await send(server, body, 'eve')).status).toBe(403);
  expect(seen).toHaveLength(3);
  await send(server, body, 'ada', 'text/event-stream');
  if (typeof operation === 'string') expect(seen.at(-1)?.protocol).toBe('sse');
});
