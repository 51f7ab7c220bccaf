import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type Authenticate,
  AuthenticationError,
  AuthenticationUnavailableError,
  apiKeys,
  type Caller,
  createGqlServer,
  type GqlServerOptions,
  type Principal,
  TopologyError,
} from '../../../src/index.js';

const open = "(root)-[:PROCESS]->(hello { text: 'Hello' })";
const closed = "(root)-[:PROCESS { auth: 'required' }]->(hello { text: 'Hello' })";
afterEach(() => vi.useRealTimers());

function serve(source: string, options: Partial<GqlServerOptions> = {}) {
  return createGqlServer({ topologies: [{ name: 'hello.gg', source }], ...options });
}

const ask = (server: ReturnType<typeof serve>, headers: Record<string, string> = {}) =>
  server.fetch(new Request('http://localhost/api/hello', { headers }));

describe('a server whose topology uses access', () => {
  test.each([
    [closed, "Query.hello has auth: 'required'"],
    ["(root)-[:PROCESS { auth: 'optional' }]->(hello { text: 'Hello' })", "Query.hello has auth: 'optional'"],
    ["(root)-[:PROCESS { scopes: ['a', 'b'] }]->(hello { text: 'Hello' })", 'Query.hello has scopes: [a, b]'],
  ])('does not start without an authenticator: %s', (source, message) => {
    const start = () => serve(source);
    expect(start).toThrow(TopologyError);
    expect(start).toThrow(`${message}, but the server does not authenticate its callers.`);
    try {
      start();
    } catch (error) {
      expect((error as TopologyError).diagnostics).toMatchObject([{ code: 'GG5050', span: { file: 'hello.gg' } }]);
    }
  });

  test('does not start if only a layer uses it', () => {
    const { schema } = serve(open);
    const [query] = schema.queries;
    const layer = {
      schema: { queries: [{ ...query, name: 'inside', edges: [], auth: 'required' as const }] },
    };
    expect(() => serve(open, { layers: [layer as never] })).toThrow('Query.inside has auth');
    expect(() => serve(open, { layers: [layer as never], authenticate: () => null })).not.toThrow();
  });

  test('describes in its documents how callers authenticate, for a built-in authenticator', () => {
    const keys = apiKeys({ header: 'Service-Key', lookup: () => null });
    expect(serve(closed, { authenticate: keys }).schema.security).toEqual([{ type: 'apiKey', header: 'Service-Key' }]);
    expect(serve(closed, { authenticate: () => null }).schema.security).toEqual([{ type: 'bearer', format: 'JWT' }]);
    expect(serve(open, { authenticate: keys }).schema.security).toBeUndefined();
  });

  test('challenges callers with the schemes of its authenticators', async () => {
    const server = serve(closed, {
      authenticate: [apiKeys({ lookup: () => null }), apiKeys({ header: 'B', lookup: () => null })],
    });
    const answer = await ask(server);
    expect(answer.headers.get('www-authenticate')).toBe('ApiKey header="X-API-Key", ApiKey header="B"');
  });
});

describe('several authenticators', () => {
  const refuse: Authenticate = () => {
    throw new AuthenticationError('Not “mine”.\r\nx: y');
  };
  const unavailable: Authenticate = async () => {
    throw new AuthenticationUnavailableError('10.0.0.7');
  };
  const none: Authenticate = () => null;
  const ada: Authenticate = async () => ({ id: 'ada' });

  test.each([
    [[none, ada], 200],
    [[refuse, ada], 200],
    [[unavailable, ada], 200],
    [[ada, refuse], 200],
    [[none, none], 401],
    [[none, refuse], 401],
    [[refuse, none], 401],
    [[refuse, unavailable], 503],
    [[unavailable, refuse], 503],
  ])('the first that returns a principal wins: case %#', async (authenticate, status) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const answer = await ask(serve(closed, { authenticate }));
    expect(answer.status).toBe(status);
    if (status === 503) expect(await answer.text()).not.toContain('10.0.0.7');
  });

  test('an error with any message gives a well-formed header', async () => {
    const answer = await ask(serve(closed, { authenticate: refuse }));
    expect(answer.headers.get('www-authenticate')).toBe(
      'Bearer error="invalid_token", error_description="Not ?mine?.??x: y"',
    );
  });

  test('a malformed principal is a server error', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    for (const found of [
      ...[{}, { id: '' }, { id: 7 }, 'ada', true],
      ...[
        { id: 'a', scopes: 'a b' },
        { id: 'a', expiresAt: Number.NaN },
        { id: 'a', expiresAt: '1' },
      ],
    ])
      expect((await ask(serve(closed, { authenticate: () => found as never }))).status).toBe(500);
    expect((await ask(serve(closed, { authenticate: () => undefined as never }))).status).toBe(401);
  });

  test('must be functions', () => {
    for (const authenticate of [7, [], [7], {}])
      expect(() => serve(open, { authenticate } as never)).toThrow(TypeError);
  });
});

describe('calls of the program', () => {
  test('are trusted without a principal', async () => {
    const server = serve(closed, { authenticate: () => null });
    const query = '{ hello { text } }';
    expect((await server.executeOperation({ query })).data).toEqual({ hello: { text: 'Hello' } });
    expect((await server.executeOperation({ query, principal: { id: 'ada' } })).data).toEqual({
      hello: { text: 'Hello' },
    });
    const refused = await server.executeOperation({ query, principal: null });
    expect(refused).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  });

  test('pass the given principal to resolvers', async () => {
    const seen: unknown[] = [];
    const resolvers = {
      Query: { hello: (_: unknown, __: unknown, context: unknown) => seen.push(context) && {} },
    };
    const server = serve(open, { resolvers });
    await server.executeOperation({ query: '{ hello { text } }', principal: { id: 'ada' } });
    await server.executeOperation({ query: '{ hello { text } }' });
    expect(seen).toMatchObject([{ principal: { id: 'ada' } }, { principal: null }]);
    expect((seen[0] as { request: Request }).request).toBeInstanceOf(Request);
  });

  test('end a subscription when the credentials of its caller expire, even if the clock is set back', async () => {
    vi.useFakeTimers();
    const source = '(editor)-[:FORK]->(news { text: String! })';
    const server = createGqlServer({ topologies: [{ name: 'news.gg', source }] });
    const start = async (principal?: Principal) =>
      (await server.subscribe({ query: 'subscription { news { text } }', principal })) as AsyncGenerator<{
        readonly errors?: readonly { readonly message: string }[];
      }>;
    const expiresAt = Date.now() / 1000 + 3_600;
    const [forever, until, jumped, left] = await Promise.all([
      start(),
      start({ id: 'a', expiresAt }),
      start({ id: 'b', expiresAt: expiresAt + 86_400 }),
      start({ id: 'c', expiresAt }),
    ]);
    const nexts = [forever, until, jumped, left].map((one) => one.next());
    server.publish('news', { text: 'one' });
    for (const next of nexts) expect((await next).value).toEqual({ data: { news: { text: 'one' } } });
    await left.return(undefined);
    const last = until.next();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect((await last).value?.errors?.[0]?.message).toBe('The credentials have expired.');
    expect((await until.next()).done).toBe(true);
    expect((await left.next()).done).toBe(true);
    vi.setSystemTime(Date.now() + 2 * 86_400_000);
    const after = [forever.next(), jumped.next()];
    server.publish('news', { text: 'two' });
    expect((await after[0])?.value).toEqual({ data: { news: { text: 'two' } } });
    expect((await after[1])?.value.errors[0].message).toBe('The credentials have expired.');
  });
});

test('the option context gets the caller', async () => {
  const seen: unknown[] = [];
  const server = serve(open, {
    authenticate: async () => ({ id: 'ada' }),
    context: (request: Request, caller: Caller) => {
      seen.push(new URL(request.url).pathname, caller);
      return {};
    },
  });
  await ask(server);
  expect(seen).toEqual(['/api/hello', { principal: { id: 'ada' }, address: undefined }]);
});

test.each([
  "scopes: ['a:read', 'b:read']",
  "anyScope: ['a:read', 'b:read']",
  "roles: ['admin']",
  "roles: ['admin', 'doctor']",
])('the refusal of a caller without %s names them over REST as over GraphQL', async (demand) => {
  const source = `(root)-[:PROCESS { ${demand} }]->(hello { text: 'Hello' })`;
  const server = createGqlServer({
    topologies: [{ name: 'hello.gg', source }],
    authenticate: () => ({ id: 'ada' }),
  });
  const post = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const rest = await server.fetch(new Request('http://localhost/api/hello'));
  const request = new Request('http://localhost/graphql', {
    ...post,
    body: '{"query":"{ hello { text } }"}',
  });
  const { code, scopes, roles } = await rest.json();
  const { errors } = await (await server.fetch(request)).json();
  expect(errors[0].extensions).toEqual(JSON.parse(JSON.stringify({ code, scopes, roles })));
  expect(scopes ?? roles).toEqual(demand.match(/(?<=')[\w:]+(?=')/g));
});
