import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type OutgoingHttpHeaders, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import fastify, { type FastifyInstance } from 'fastify';
import { GraphQLError } from 'graphql';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createAlphaFastifyPlugin,
  createAlphaServer,
  createGqlServer,
  type FetchCompatibleGraphQLServer,
  type GqlServerOptions,
  signalOf,
} from '../../../src/index.js';
import { createNodeListener } from '../../../src/runtime/hosts/node/node.js';
import { runs } from '../../arbitraries/runs.js';
import { until } from '../server/http-server.js';

const source = `
(status: Enum { values: [ACTIVE, SUSPENDED] })
(stamp: Scalar)
(point: Record { latitude: Float!, longitude: Float! })
(person: Record { id: ID!, name: String!, age: Int, status: Status, tags: [String!] })
(root)-[:PROCESS { id: ID!, status: Status = ACTIVE, first: Int }]->(person)
(root)-[:PROCESS { at: Point, tags: [String!], operation: 'people', returns: [Person!]! }]->(person)
(root)-[:PROCESS { fields: String, since: Stamp, operation: 'count', returns: Int }]->(person)
(new_person: Record { name: String!, age: Int = 3, tags: [String!] })-[:FOLD]->(saved: Record { id: ID!, name: String! })
(saved)-[:FORK]->(heard: Event { id: ID! })
`;

interface World {
  value: unknown;
  context: unknown;
  calls: unknown[];
}

/** A server, and what its resolvers give and see. */
function options(world: World): GqlServerOptions {
  const answer = (_: unknown, args: unknown, context: unknown): unknown => {
    world.calls.push({ args: JSON.stringify(args), context: JSON.stringify(context) });
    if (world.value instanceof Error) throw world.value;
    return world.value;
  };
  return {
    topologies: [{ name: 'people.gg', source }],
    resolvers: {
      Query: { person: answer, people: answer, count: answer },
      Mutation: { saved: answer },
    },
    ...(world.context === undefined ? {} : { context: world.context as never }),
  };
}

const engines = {
  Yoga: (world: World): FetchCompatibleGraphQLServer => createGqlServer(options(world)),
  Apollo: (world: World): FetchCompatibleGraphQLServer => createAlphaServer(options(world) as never),
};

/** What is sent: a line, headers, a body. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
}

/** What belongs to the connection, or says how the body is cut into pieces. */
// Each server has a log of its own, whose events have ids of their own.
const framing = ['event-id', 'date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'];

const servers: (Server | FastifyInstance)[] = [];
const agent = new Agent({ keepAlive: true });
afterAll(async () => {
  agent.destroy();
  for (const server of servers) await server.close();
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  // A connection that the server closes while its next request is on the way would fail that request.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function exchange(port: number, { method, path, headers, body }: Sent) {
  const sent = request({
    port,
    host: '127.0.0.1',
    method,
    path,
    headers: headers as OutgoingHttpHeaders,
    agent,
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const said = Object.entries(response.headers).filter(([name]) => !framing.includes(name));
  const seen = { status: response.statusCode, headers: Object.fromEntries(said) };
  // A stream of events has no end.
  if (/event-stream/.test(response.headers['content-type'] ?? '')) {
    response.destroy();
    return seen;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { ...seen, text: Buffer.concat(chunks).toString() };
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

const texts = [
  'query One($id: ID!, $status: Status) { person(id: $id, status: $status) { id name age status tags } }',
  '{ person(id: 1) { id name } }',
  'query List($at: PointInput, $tags: [String!]) { people(at: $at, tags: $tags) { id } }',
  'mutation Save($input: NewPersonInput) { saved(input: $input) { id name } }',
  'query A { count } query B { count }',
  'subscription { heard { id } }',
  '{ nothing }',
  '{',
];
const variables = fc.constantFrom<unknown>(
  { id: '1' },
  { id: 7, status: 'SUSPENDED' },
  { id: '1', status: 'NONE' },
  { id: null },
  { at: { latitude: 1, longitude: 2.5 }, tags: ['a', 'b'] },
  { at: { latitude: 'x' }, tags: 'a' },
  { input: { name: 'Ada', tags: null } },
  { input: { name: 'Ada', nothing: 1 } },
  { input: null },
  null,
  [],
);
const graphqlBody = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record(
        {
          query: fc.constantFrom(...texts),
          variables,
          operationName: fc.constantFrom<unknown>('One', 'B', null),
          extensions: fc.constantFrom<unknown>({}, null),
        },
        { requiredKeys: ['query'] },
      )
      .map((body) => JSON.stringify(body)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '[]', '{', '\ufeff{}', '{"query":5}', `{"query":"{","__proto__":{}}`),
  },
);
const restBody = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .constantFrom<unknown>(
        { input: { name: 'Ada' } },
        { input: { name: 'Ada', age: 4, tags: ['x'] } },
        { input: { name: 5 } },
        { input: null },
        {},
        { other: 1 },
        [],
      )
      .map((body) => JSON.stringify(body)),
  },
  { weight: 1, arbitrary: fc.constantFrom('', '{', 'null', '\ufeff{}') },
);
const pair = fc.constantFrom(
  ...['id=1', 'id=%C3%A4', 'id=a+b', 'id=', 'id', '', 'id=%', 'id=%ff', 'status=ACTIVE', 'status=NONE'],
  ...['first=2', 'first=x', 'first=1e3', 'fields=id', 'fields=id,name', 'fields=nothing', 'other=1'],
  ...['at[latitude]=1', 'at[longitude]=2', 'tags=a', 'tags=b', 'since=now', 'id=1#id=2', 'id=\'<>"', '__proto__=1'],
);
const query = fc.array(pair, { maxLength: 3 }).map((pairs) => (pairs.length === 0 ? '' : `?${pairs.join('&')}`));
const headers = fc.record(
  {
    accept: fc.constantFrom('*/*', 'application/json', 'application/graphql-response+json', 'text/html'),
    'content-type': fc.constantFrom(
      'application/json',
      'application/json; charset=utf-8',
      'Application/JSON',
      'text/plain',
      'application/json; charset=latin1',
    ),
    'content-encoding': fc.constantFrom('gzip', 'identity'),
    'x-user': fc.constantFrom('ada', 'nobody'),
    host: fc.constantFrom('example.com', 'example.com:80', 'a b', '1.2.3.999', '[::1]:4000', 'x/y'),
    origin: fc.constant('http://evil.example'),
  },
  { requiredKeys: [] },
);
const json = { 'content-type': 'application/json' };
const sent: fc.Arbitrary<Sent> = fc.oneof(
  fc.record({
    method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'DELETE'),
    path: fc
      .tuple(
        fc.constantFrom(
          '/api/person',
          '/api/people',
          '/api/count',
          '/api/saved',
          '/api/./person',
          '//api/person',
          '/graphql',
        ),
        query,
      )
      .map((parts) => parts.join('')),
    headers: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers }),
  }),
  fc.record({
    method: fc.constant('POST'),
    path: fc.constantFrom('/graphql', '/graphql', '/graphql', '/graphql?x=1', '/nowhere'),
    headers: fc.oneof(
      { weight: 3, arbitrary: fc.constant(json) },
      { weight: 1, arbitrary: headers.map((more) => ({ ...json, ...more })) },
    ),
    body: graphqlBody,
  }),
  fc.record({
    method: fc.constant('POST'),
    path: fc.constantFrom('/api/saved', '/api/saved', '/api/saved?fields=id', '/api/person'),
    headers: fc.oneof(
      { weight: 3, arbitrary: fc.constant(json) },
      { weight: 1, arbitrary: headers.map((more) => ({ ...json, ...more })) },
    ),
    body: restBody,
  }),
);
const value = fc.constantFrom<unknown>(
  { id: 1, name: 'Ä “x”\u2028\n', age: 3, status: 'ACTIVE', tags: ['a', '"'] },
  { id: 'x', name: 'Ada', age: null, status: null, tags: [] },
  { id: null, name: 'Ada' },
  { id: 2, name: 'x', age: 'old' },
  [{ id: 1, name: 'Ada' }],
  5,
  null,
  Promise.resolve({ id: 3, name: 'late' }),
  new Error('a secret'),
  new GraphQLError('Not yours.', { extensions: { code: 'FORBIDDEN', http: { status: 403 } } }),
);
const makeContext = (given: Request): unknown => {
  const user = given.headers.get('x-user');
  if (user === 'nobody') throw new GraphQLError('Who are you?', { extensions: { code: 'UNAUTHENTICATED' } });
  return { user, method: given.method, url: new URL(given.url).pathname, used: given.bodyUsed };
};
const contexts = {
  'the default context': undefined,
  'a context value': { name: 'shared' },
  'a function for the context': makeContext,
  'an async function for the context': async (given: Request) => makeContext(given),
};

describe.each(Object.entries(engines))('over %s, a request', (_, create) => {
  describe.each(Object.entries(contexts))('with %s', (__, context) => {
    const worlds: World[] = [0, 1].map(() => ({ value: undefined, context, calls: [] }));
    let ports: number[];
    beforeAll(async () => {
      const [own, other] = worlds.map(create) as [FetchCompatibleGraphQLServer, FetchCompatibleGraphQLServer];
      // Behind a `fetch` of the user, the server gets fetch requests.
      const around = { fetch: (given: Request) => other.fetch(given) };
      ports = [
        await listen(createServer(createNodeListener(own))),
        await listen(createServer(createNodeListener(around))),
      ];
    });

    test('is always answered like through fetch', async () => {
      await fc.assert(
        fc.asyncProperty(sent, value, async (what, given) => {
          for (let time = 0; time < 3; time++) {
            const seen = [];
            for (const [at, world] of worlds.entries()) {
              Object.assign(world, { value: given, calls: [] });
              seen.push({ ...(await exchange(ports[at] as number, what)), calls: world.calls });
            }
            expect(seen[0]).toEqual(seen[1]);
          }
        }),
        { numRuns: runs(80) },
      );
    });
  });
});

describe('a request on Node', () => {
  test('creates no fetch objects for REST and GraphQL', async () => {
    for (const create of Object.values(engines)) {
      const world: World = { value: { id: 1, name: 'Ada' }, context: undefined, calls: [] };
      const port = await listen(createServer(createNodeListener(create(world))));
      const asked: Sent[] = [
        { method: 'GET', path: '/api/person?id=1', headers: {} },
        { method: 'POST', path: '/api/saved', headers: json, body: '{"input":{"name":"x"}}' },
        { method: 'POST', path: '/graphql', headers: json, body: JSON.stringify({ query: texts[1] }) },
      ];
      const first = await Promise.all(asked.map((one) => exchange(port, one)));
      const Original = globalThis.Request;
      vi.stubGlobal(
        'Request',
        class {
          constructor() {
            throw new Error('A Request was made.');
          }
        },
      );
      try {
        expect(await Promise.all(asked.map((one) => exchange(port, one)))).toEqual(first);
      } finally {
        vi.stubGlobal('Request', Original);
      }
    }
  });

  test('gives each request its own copy of the context with Apollo', async () => {
    const shared = { count: 0 };
    const seen: unknown[] = [];
    const server = createAlphaServer({
      topologies: [{ name: 'a.gg', source: '(root)-[:PROCESS]->(a: Record { x: Int })' }],
      context: shared,
      resolvers: {
        Query: {
          a: (_: unknown, __: unknown, context: { count: number }) => {
            context.count += 1;
            seen.push(context.count);
            return { x: 1 };
          },
        },
      },
    } as never);
    const port = await listen(createServer(createNodeListener(server)));
    for (let time = 0; time < 4; time++) {
      await exchange(port, {
        method: 'POST',
        path: '/graphql',
        headers: json,
        body: '{"query":"{ a { x } }"}',
      });
    }
    expect([seen, shared.count]).toEqual([[1, 1, 1, 1], 0]);
  });

  test('reaches a plugin of the program', async () => {
    const seen: unknown[] = [];
    const server = createAlphaServer(options({ value: { id: 1, name: 'x' }, context: undefined, calls: [] }) as never, {
      plugins: [{ requestDidStart: async ({ request: { query } }) => void seen.push(query) }],
    });
    const port = await listen(createServer(createNodeListener(server)));
    const body = JSON.stringify({ query: texts[1] });
    for (let time = 0; time < 4; time++)
      await exchange(port, { method: 'POST', path: '/graphql', headers: json, body });
    expect(seen).toEqual(Array(4).fill(texts[1]));
  });

  test('aborts resolvers when the client disconnects or the deadline passes', async () => {
    let started = 0;
    const aborted: unknown[] = [];
    const open = (timeout: number | false) => {
      const server = createGqlServer({
        topologies: [{ name: 'a.gg', source: '(root)-[:PROCESS]->(slow: Record { x: Int })' }],
        limits: { timeout },
        resolvers: {
          Query: {
            slow: (_: unknown, __: unknown, ___: unknown, info: never) =>
              new Promise((resolve) => {
                started += 1;
                signalOf(info).addEventListener('abort', () => {
                  aborted.push((signalOf(info).reason as GraphQLError).extensions.code);
                  resolve(null);
                });
              }),
          },
        },
      });
      return listen(createServer(createNodeListener(server)));
    };
    const port = await open(20);
    const slow: Sent = { method: 'GET', path: '/api/slow', headers: {} };
    expect((await exchange(port, slow)).status).toBe(504);
    expect((await exchange(port, slow)).status).toBe(504);
    const socket = connect(await open(false), '127.0.0.1');
    socket.write('GET /api/slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => started === 3);
    socket.destroy();
    await until(() => aborted.length === 3);
    expect(aborted).toEqual(['OPERATION_TIMEOUT', 'OPERATION_TIMEOUT', 'OPERATION_ABORTED']);
  });

  test('handles a client that disconnects in the middle of its body', async () => {
    const world: World = { value: { id: 1, name: 'Ada' }, context: undefined, calls: [] };
    const http = createServer(createNodeListener(engines.Yoga(world)));
    const port = await listen(http);
    await exchange(port, { method: 'GET', path: '/api/person?id=1', headers: {} });
    const arrived = once(http, 'request') as Promise<[IncomingMessage]>;
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'POST /api/saved HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{"in',
    );
    const [incoming] = await arrived;
    const dropped = new Promise((resolve) => incoming.once('close', resolve));
    socket.destroy();
    await dropped;
    // What follows from that has happened.
    await new Promise((resolve) => setImmediate(resolve));
    expect(world.calls).toHaveLength(1);
    expect(console.error).not.toHaveBeenCalled();
  });

  test('runs the hooks of Fastify, and uses its context', async () => {
    const world: World = { value: { id: 1, name: 'Ada' }, context: undefined, calls: [] };
    const app = fastify();
    servers.push(app);
    const sizes: unknown[] = [];
    app.addHook('onSend', async (_request, reply, payload) => {
      sizes.push(String(payload).length);
      reply.header('x-hook', 'seen');
      return payload;
    });
    const server = createAlphaServer(options(world) as never);
    await app.register(
      createAlphaFastifyPlugin(server, {
        context: (given) => ({ agent: given.headers['user-agent'] }) as never,
      }),
    );
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const body = JSON.stringify({ query: texts[1] });
    const asked: Sent[] = [
      { method: 'GET', path: '/api/person?id=1', headers: { 'user-agent': 'x' } },
      { method: 'POST', path: '/graphql', headers: { ...json, 'user-agent': 'x' }, body },
      { method: 'POST', path: '/graphql', headers: { ...json, 'user-agent': 'x' }, body: '{"query":"{"}' },
    ];
    for (const one of asked) {
      const [first, ...others] = [await exchange(port, one), await exchange(port, one), await exchange(port, one)];
      expect(others).toEqual([first, first]);
      expect(first?.headers).toMatchObject({ 'x-hook': 'seen' });
    }
    expect(sizes).toHaveLength(9);
    expect(new Set(world.calls.map((call) => (call as { context: unknown }).context))).toEqual(
      new Set(['{"agent":"x"}']),
    );
  });
});
