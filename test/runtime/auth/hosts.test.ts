import { ApolloServer, HeaderMap } from '@apollo/server';
import { expect, test, vi } from 'vitest';
import {
  AuthenticationError,
  type Caller,
  type Credentials,
  createAlphaServer,
  createAlphaServerAdapter,
} from '../../../src/index.js';
import { get } from '../../conformance/client.js';
import { hosts } from '../../conformance/hosts.js';

const source = "(root)-[:PROCESS { auth: 'required' }]->(hello { text: 'Hello' })";
const authenticate = ({ header, request }: Credentials) => {
  if (header('x-user') === 'crash') throw new Error('10.0.0.7');
  if (header('x-user') === 'bad') throw new AuthenticationError('Unknown.');
  return header('x-user') === request().headers.get('x-user') && header('x-user') ? { id: 'ada' } : null;
};
const options = { topologies: [{ name: 'hello.gg', source }], limits: { masking: true }, authenticate };

test.each([
  ['our configuration', () => new ApolloServer(createAlphaServerAdapter(options))],
  ['our server', () => createAlphaServer(options)],
])('requests that reach Apollo through another package are checked: %s', async (_, create) => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const server = create();
  await server.start();
  const ask = async (user?: string) => {
    const headers = new HeaderMap([['content-type', 'application/json']]);
    if (user !== undefined) headers.set('x-user', user);
    const answer = await server.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: 'POST', headers, search: '', body: { query: '{ hello { text } }' } },
      context: async () => ({}),
    });
    const body = answer.body.kind === 'complete' ? JSON.parse(answer.body.string) : undefined;
    return [answer.status ?? 200, answer.headers.get('www-authenticate'), body.errors?.[0].message ?? body.data];
  };
  expect(await ask()).toEqual([401, 'Bearer realm="api"', 'Authentication is required.']);
  expect(await ask('bad')).toEqual([401, expect.stringContaining('invalid_token'), 'Unknown.']);
  expect((await ask('crash'))[2]).toBe('Unexpected error.');
  expect(await ask('ada')).toEqual([200, undefined, { hello: { text: 'Hello' } }]);
  // The program itself is trusted.
  const { body } = await server.executeOperation({ query: '{ hello { text } }' });
  expect(body).toMatchObject({ singleResult: { data: { hello: { text: 'Hello' } } } });
  await server.stop();
});

test.each(hosts)('$name passes the caller to the function context', async (host) => {
  const callers: Caller[] = [];
  const server = await host.start({
    ...options,
    context: (_request: Request, caller: Caller) => {
      callers.push(caller);
      return { name: null };
    },
  } as never);
  try {
    const headers = { 'x-user': 'ada' };
    expect((await get(server, '/api/hello', { headers })).status).toBe(200);
    expect((await get(server, '/graphql?query={hello{text}}', { headers })).status).toBe(200);
  } finally {
    await server.close();
  }
  const framework = /^Alpha on (\w+)$/.exec(host.name)?.[1]?.toLowerCase();
  for (const { principal, address, ...rest } of callers) {
    expect([principal, address]).toEqual([{ id: 'ada' }, host.hasNetwork ? '127.0.0.1' : undefined]);
    expect(Object.keys(rest)).toEqual(framework === undefined ? [] : [framework]);
    if (rest.express !== undefined) expect(rest.express.req.headers['x-user']).toBe('ada');
    if (rest.fastify !== undefined) expect(rest.fastify.request).toHaveProperty('headers.x-user', 'ada');
  }
  expect(callers).toHaveLength(2);
});
