import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import express from 'express';
import fastify from 'fastify';
import { GraphQLError, type ValidationRule } from 'graphql';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createAlphaServer, createAlphaServerAdapter } from '../../../../src/runtime/hosts/alpha/alpha-server.js';
import { createAlphaExpressMiddleware } from '../../../../src/runtime/hosts/express.js';
import { createAlphaFastifyPlugin } from '../../../../src/runtime/hosts/fastify.js';
import { assertPeers, requirePeer } from '../../../../src/runtime/load/load-peer.js';
import { TopologyError } from '../../../../src/runtime/load/topology-error.js';
import type { GqlServerOptions } from '../../../../src/runtime/server/options.js';
import { ask, post } from '../../server/topology-server.js';

const source = `
  (root)-[:PROCESS]->(hello { text: 'Hello' })
  (root)-[:PROCESS]->(whoami: Record { name: String })
`;

interface Context {
  readonly name?: string;
}

const options: GqlServerOptions<Context> = {
  topologies: [{ name: 'a.gg', source }],
  resolvers: { Query: { whoami: (_: unknown, __: unknown, context: Context) => context } },
};

const running: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Listens on a free port; asks as `ask` and `post` do. */
async function listen(listener: RequestListener): Promise<{ fetch(request: Request): Promise<Response> }> {
  const http = createServer(listener);
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  running.push(
    () => http.closeAllConnections(),
    () => http.close(),
  );
  return at(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
}

function at(origin: string): { fetch(request: Request): Promise<Response> } {
  return {
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const body = request.method === 'POST' ? await request.text() : undefined;
      return fetch(origin + pathname + search, {
        method: request.method,
        headers: request.headers,
        ...(body === undefined ? {} : { body }),
      });
    },
  };
}

const hello = { query: '{ hello { text } }' };
const greeted = { data: { hello: { text: 'Hello' } } };

describe('createAlphaServer', () => {
  test('creates an Apollo Server, which runs operations in process', async () => {
    const server = createAlphaServer(options);
    expect(server).toBeInstanceOf(ApolloServer);
    const query = '{ hello { text } whoami { name } }';
    const { body } = await server.executeOperation({ query }, { contextValue: { name: 'Ada' } });
    expect(body).toMatchObject({
      singleResult: { data: { hello: { text: 'Hello' }, whoami: { name: 'Ada' } } },
    });
  });

  test('starts automatically, once, for simultaneous requests', async () => {
    const server = createAlphaServer(options);
    const answers = await Promise.all([post(server, '/graphql', hello), ask(server, '/api/hello')]);
    expect(answers.map(({ body }) => body)).toEqual([greeted, { text: 'Hello' }]);
  });

  test('throws synchronously if the topology has errors', () => {
    expect(() => createAlphaServer({ topologies: [{ name: 'a.gg', source: '(a' }] })).toThrow(TopologyError);
  });

  test('applies plugins, rules and formatError of the program', async () => {
    const seen: string[] = [];
    const plugin: ApolloServerPlugin<Context> = {
      requestDidStart: async () => ({
        didResolveOperation: async ({ operationName }) => void seen.push(`runs ${operationName}`),
        didEncounterErrors: async ({ errors }) => void seen.push(errors[0]?.message ?? ''),
      }),
    };
    const noFragments: ValidationRule = (context) => ({
      FragmentDefinition: () => context.reportError(new GraphQLError('No fragments.')),
    });
    const server = createAlphaServer(options, {
      plugins: [plugin],
      validationRules: [noFragments],
      formatError: ({ message }) => ({ message: `${message} (formatted)` }),
    });
    await post(server, '/graphql', { query: 'query Hi { hello { text } }' });
    const query = 'query A { hello { ...F } } fragment F on Hello { text }';
    const { body } = await post(server, '/graphql', { query });
    expect(body.errors).toEqual([{ message: 'No fragments. (formatted)' }]);
    expect(seen).toEqual(['runs Hi', 'runs A', 'No fragments.']);
  });

  test('treats introspection and batching as limits', async () => {
    const query = '{ __schema { queryType { name } } }';
    const server = createAlphaServer(options, { introspection: false });
    expect((await post(server, '/graphql', { query })).body).not.toHaveProperty('data');
    expect((await post(createAlphaServer(options), '/graphql', { query })).body).toHaveProperty('data');
    const batching = createAlphaServer({ ...options, limits: { batching: 2 } });
    expect((await post(batching, '/graphql', [hello, hello])).body).toEqual([greeted, greeted]);
  });

  test('applies the limits before Apollo validates', async () => {
    const server = createAlphaServer({ ...options, limits: { aliases: 2, tokens: 40 } });
    const aliased = await post(server, '/graphql', {
      query: '{ a: hello { text } b: hello { text } c: hello { text } }',
    });
    expect([aliased.status, aliased.body.errors[0].extensions.code]).toEqual([400, 'ALIASES_LIMIT_EXCEEDED']);
    const long = await post(server, '/graphql', { query: `{ ${'hello { text } '.repeat(20)} }` });
    expect([long.status, long.body.errors[0].extensions.code]).toEqual([400, 'TOKENS_LIMIT_EXCEEDED']);
  });

  test('shows the landing page of the program, but not in production', async () => {
    const page: ApolloServerPlugin = {
      serverWillStart: async () => ({ renderLandingPage: async () => ({ html: '<p>mine</p>' }) }),
    };
    const headers = { accept: 'text/html' };
    const mine = createAlphaServer(options, { plugins: [page as ApolloServerPlugin<Context>] });
    expect((await ask(mine, '/graphql', { headers })).text).toBe('<p>mine</p>');
    vi.stubEnv('NODE_ENV', 'production');
    expect((await ask(createAlphaServer(options), '/graphql', { headers })).text).not.toContain('<');
  });

  test('shuts down with the Apollo Server', async () => {
    const server = createAlphaServer(options);
    expect((await ask(server, '/health/ready')).status).toBe(200);
    await server.stop();
    expect((await ask(server, '/health/ready')).status).toBe(503);
  });
});

describe('createAlphaServerAdapter', () => {
  test('creates the configuration of an Apollo Server that hosts recognize', async () => {
    const server = new ApolloServer(createAlphaServerAdapter(options));
    const app = await listen(
      express().use(await createAlphaExpressMiddleware(server, { context: async () => ({ name: 'Ada' }) })),
    );
    expect((await post(app, '/graphql', hello)).body).toEqual(greeted);
    expect((await ask(app, '/api/whoami')).body).toEqual({ name: 'Ada' });
  });
});

describe('on Express', () => {
  const context = async ({ req }: { readonly req: express.Request }): Promise<Context> => ({
    name: String(req.query.user ?? 'nobody'),
  });

  test('other paths reach the next handler, and the mount path is removed', async () => {
    const app = express();
    app.use('/v1', await createAlphaExpressMiddleware(createAlphaServer(options), { context }));
    app.get('/v1/about', (_req, res) => void res.send('about'));
    const server = await listen(app);
    expect((await post(server, '/v1/graphql', hello)).body).toEqual(greeted);
    expect((await ask(server, '/v1/api/hello')).body).toEqual({ text: 'Hello' });
    expect((await ask(server, '/v1/about')).text).toBe('about');
    expect((await ask(server, '/graphql')).status).toBe(404);
  });

  test('the middleware may be mounted at the path of GraphQL', async () => {
    const app = express().use('/graphql', await createAlphaExpressMiddleware(createAlphaServer(options), { context }));
    const query = encodeURIComponent('{ whoami { name } }');
    const { body } = await ask(await listen(app), `/graphql?user=Ada&query=${query}`);
    expect(body).toEqual({ data: { whoami: { name: 'Ada' } } });
  });

  test('the middleware works after a body parser', async () => {
    for (const parser of [express.json(), express.text({ type: '*/*' }), express.raw({ type: '*/*' })]) {
      const app = express().use(parser, await createAlphaExpressMiddleware(createAlphaServer(options)));
      expect((await post(await listen(app), '/graphql', hello)).body).toEqual(greeted);
    }
  });

  test('the middleware rejects for an invalid topology', async () => {
    const server = createAlphaServer({ topologies: ['http://127.0.0.1:9/none.gg'] });
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await expect(createAlphaExpressMiddleware(server)).rejects.toThrow(TopologyError);
  });
});

describe('on Fastify', () => {
  test('routes of the application take precedence, hooks run, and a prefix works', async () => {
    const app = fastify();
    running.push(() => app.close());
    app.addHook('onSend', async (_request, reply) => void reply.header('x-hook', 'ran'));
    const context = async ({ query }: { readonly query: unknown }): Promise<Context> => ({
      name: (query as { user: string }).user,
    });
    await app.register(createAlphaFastifyPlugin(createAlphaServer(options), { context }), { prefix: '/v1' });
    app.post('/v1/echo', async ({ body }) => body);
    const server = at(await app.listen({ port: 0, host: '127.0.0.1' }));
    const answer = await post(server, '/v1/graphql', hello);
    expect([answer.body, answer.headers.get('x-hook')]).toEqual([greeted, 'ran']);
    const query = encodeURIComponent('{ whoami { name } }');
    expect((await ask(server, `/v1/graphql?user=Ada&query=${query}`)).body).toEqual({
      data: { whoami: { name: 'Ada' } },
    });
    expect((await post(server, '/v1/echo', { a: 1 })).body).toEqual({ a: 1 });
    expect((await ask(server, '/v1')).text).toContain('<!doctype html>');
    expect((await ask(server, '/v1/nothing')).body.message).toBe('Route GET:/v1/nothing not found');
  });
});

describe('a package that is not installed', () => {
  test('is named synchronously, with the command that installs it', () => {
    const message = 'The package no-such-framework is not installed. Install it: npm install no-such-framework graphql';
    expect(() => requirePeer(['no-such-framework', 'graphql'], 'no-such-framework')).toThrow(message);
    expect(() => assertPeers(['no-such-framework', 'graphql'])).toThrow(message);
    expect(() => assertPeers(['graphql-yoga', 'graphql'])).not.toThrow();
    // Apollo Server needs a release of graphql that is not the latest.
    const apollo = ['@apollo/server', 'graphql', 'no-such-framework'];
    expect(() => assertPeers(apollo)).toThrow('npm install @apollo/server graphql@16 no-such-framework');
  });
});
