import { createClient as createSocketClient } from 'graphql-ws';
import { beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { ChannelError } from '../../../src/channels.js';
import {
  AuthenticationUnavailableError,
  buildRuntimeIoProjectionLayer,
  compile,
  type FederationProjectionSource,
  type GqlServerOptions,
} from '../../../src/index.js';
import { connect } from '../../runtime/mcp/connect.js';
import { type Answer, ask, get, post } from '../client.js';
import { EventReader } from '../event-reader.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';
import type { ConformanceContext } from '../topology.js';

const source = `
(form: Input { id: ID!, size: Int! })
(user: Record { id: ID!, name: String!, mail: String })
(root)-[:PROCESS { id: ID! }]->(user)
(root)-[:PROCESS]->(nowhere: Record { value: String! })
(root)-[:PROCESS]->(half: Record { kind: 'a', value: String! })
(root)-[:PROCESS]->(stock: Record { id: ID! })
(root)-[:PROCESS]->(a: Record { x: Int } | b: Record { y: Int })
(a | b)-[:RACE]->(quick)
(root)-[:PROCESS]->(quick)
(root)-[:PROCESS]->(c: Record { x: Int! } | d: Record { y: Int! })
(c | d)-[:RACE]->(empty)
(root)-[:PROCESS]->(empty)
(form)-[:FOLD]->(saved: Record { id: ID!, size: Int! })
(saved)-[:FORK]->(told: Event { id: ID!, weight: Int! })
(form)-[:FOLD]->(shipped: Record { id: ID!, size: Int! })
(shipped)-[:FORK]->(audit: Event { id: ID! })
(clock)-[:FORK]->(tick: Event { n: Int! })
`;

const secret = 'cannot open /srv/app/users.db for service.gg (root)-[:PROCESS]-> User.name';

const fail = () => {
  throw new Error(secret);
};

const federation = {
  chain: () => null,
  route: () => null,
  witnessHead: () => null,
  snapshot: () => null,
  status: () => ({
    ready: true,
    state: 'current',
    epoch: 1,
    generatedAt: '2026-01-01T00:00:00Z',
    quarantined: [],
    refused: 'GG7003 The file /srv/app/bundle.json is wrong.',
  }),
} satisfies FederationProjectionSource;

/** What says where something stands: paths, topology files, edges, coordinates. */
const telling = [
  /\/(?:srv|tmp|home|work|root|usr|var|etc)\//,
  /\.gg\b/,
  /\.[cm]?[jt]s:\d/,
  /-\[:/,
  /\b(?:Query|Mutation|Subscription|User|Form|FormInput|Saved|Told|Tick|Nowhere|Half|Stock|Quick|A|B|C|D)\.\w/,
  /\bnode (?:stock|audit)\b/,
  /"(?:edges|places|topology|coordinate|transport|node)"/,
];

/** With masked errors, an answer tells nothing of the topology but a reference, with which the log tells everything. */
export const references: Topic = {
  name: 'references to masked errors',
  define(host) {
    let server: RunningHost;
    const lines: Record<string, unknown>[] = [];
    const options = (): GqlServerOptions<ConformanceContext> => ({
      topologies: [{ name: 'service.gg', source }],
      layers: [
        buildRuntimeIoProjectionLayer({
          graph: compile(source).ast,
          channels: [
            {
              node: 'stock',
              direction: 'in',
              transport: 'warehouse',
              read: () => Promise.reject(new ChannelError('failed', secret)),
            },
            { node: 'audit', direction: 'out', transport: 'warehouse', write: fail },
          ],
        }),
      ],
      federation,
      mcp: true,
      limits: { masking: true, introspection: false },
      logs: { access: false, destination: { write: (line) => void lines.push(JSON.parse(line)) } },
      authenticate: ({ header }) => {
        const user = header('x-user');
        if (user === 'down') throw new AuthenticationUnavailableError(secret);
        if (user === 'broken') throw new Error(secret);
        return user === undefined ? null : { id: user };
      },
      context: (request: Request) => {
        if (request.headers.get('x-user') === 'crash') fail();
        return { name: null };
      },
      hooks: [
        {
          onRequest: ({ header }) => {
            if (header('x-hook') !== undefined) fail();
          },
        },
      ],
      resolvers: {
        Query: {
          user: (_: unknown, { id }: { id: string }) => (id === '0' ? fail() : { id, name: null }),
          a: fail,
          b: fail,
        },
        Mutation: {
          saved: (_: unknown, { input }: { input: object }) => input,
          shipped: (_: unknown, { input }: { input: object }) => input,
        },
      },
    });
    beforeAll(async () => {
      server = await host.start(options());
    });

    /** Nothing in an answer tells anything. Returns its references. */
    const examine = (text: string): readonly string[] => {
      for (const pattern of telling) expect(text).not.toMatch(pattern);
      return [...text.matchAll(/\\?"reference\\?":\\?"(\w+)\\?"/g)].map(([, reference]) => reference as string);
    };
    const whole = ({ status, headers, text }: Answer): string =>
      `${status}\n${[...headers].map((pair) => pair.join(': ')).join('\n')}\n\n${text}`;
    /** Each reference stands in one line of the log. */
    const expectInLog = (found: readonly string[], ...said: readonly string[]): void => {
      expect(found).not.toEqual([]);
      for (const reference of found) {
        expect(reference).toMatch(/^[\da-f]{12}$/);
        const [line, ...others] = lines.filter((one) => one.reference === reference);
        expect(others).toEqual([]);
        for (const part of said) expect(JSON.stringify(line)).toContain(part);
      }
    };

    test.each<readonly [string, string, string, string, readonly string[]]>([
      [
        'a resolver that throws',
        '/api/user?id=0',
        '{ user(id: "0") { id } }',
        'INTERNAL_SERVER_ERROR',
        [secret, 'service.gg:4:1', 'Query.user', 'root -[:PROCESS]-> user'],
      ],
      [
        'a value that does not fit its type',
        '/api/user?id=1',
        '{ user(id: "1") { name } }',
        'INTERNAL_SERVER_ERROR',
        ['User.name', 'service.gg:3:'],
      ],
      [
        'an operation without a resolver',
        '/api/nowhere',
        '{ nowhere { value } }',
        'NOT_IMPLEMENTED',
        ['service.gg:5:1', 'Query.nowhere'],
      ],
      ['a field without a resolver', '/api/half', '{ half { value } }', 'NOT_IMPLEMENTED', ['Half.value']],
      ['a channel that fails', '/api/stock', '{ stock { id } }', 'GG5011', [secret, 'node stock']],
      ['a race whose branches fail', '/api/quick', '{ quick { __typename } }', 'RACE_FAILED', [secret, 'Query.quick']],
      [
        'a race whose branches have no resolvers',
        '/api/empty',
        '{ empty { __typename } }',
        'NOT_IMPLEMENTED',
        ['service.gg:13:1', 'Query.empty'],
      ],
    ])('%s', async (_, path, query, code, said) => {
      const answers = [
        await get(server, path),
        await ask(server, query),
        await post(server, '/graphql', { query }),
        await get(server, `/graphql?query=${encodeURIComponent(query)}`, {
          headers: {
            accept: 'application/json',
            'x-apollo-operation-name': 'x',
            'apollo-require-preflight': '1',
          },
        }),
        await post(server, '/graphql', { query }, { accept: 'text/event-stream' }),
      ];
      for (const answer of answers) {
        expectInLog(examine(whole(answer)), ...said);
        expect(answer.text).toContain(code);
      }
    });

    test('agents get a reference', async () => {
      const client = await connect((path, init) => server.ask(path, init));
      for (const name of ['nowhere', 'stock', 'quick', 'half']) {
        const result = await client.callTool({ name: 'read', arguments: { [name]: {} } });
        expect(result.isError).toBe(true);
        expectInLog(examine(JSON.stringify(result)));
      }
      await client.close();
      const crashed = await connect((path, init) => server.ask(path, init), '2025-11-25', {
        'x-user': 'crash',
      });
      const result = await crashed.callTool({ name: 'read', arguments: { nowhere: {} } });
      expectInLog(examine(JSON.stringify(result)), secret);
      const failed = await crashed.readResource({ uri: 'gg://events/told' }).catch((error) => error);
      expectInLog(examine(`${failed.message} ${JSON.stringify(failed.data)}`), secret);
      await crashed.close();
    });

    test.each([
      ['a context that throws', { 'x-user': 'crash' }],
      ['an authenticator that throws', { 'x-user': 'broken' }],
      ['a hook that throws', { 'x-hook': '1' }],
    ])('%s', async (_, headers) => {
      const answers = [
        await get(server, '/api/nowhere', { headers }),
        await ask(server, '{ nowhere { value } }', undefined, headers),
        await post(
          server,
          '/mcp',
          {
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'read', arguments: { nowhere: {} } },
          },
          { accept: 'application/json, text/event-stream', ...headers },
        ),
      ];
      for (const answer of answers) {
        expectInLog(examine(whole(answer)), secret);
        expect(answer.text).toContain('INTERNAL_SERVER_ERROR');
      }
    });

    test.each<readonly [string, string, RequestInit | undefined]>([
      ['credentials that cannot be verified', '/api/nowhere', { headers: { 'x-user': 'down' } }],
      ['an unknown path', '/api/nowher', undefined],
      ['a wrong argument', '/api/user', undefined],
      ['an unknown argument', '/api/user?id=1&nam=2', undefined],
      ['an unknown field', '/api/user?id=1&fields=nam', undefined],
      ['an unknown method', '/api/user?id=1', { method: 'PUT' }],
      [
        'a malformed body',
        '/api/saved',
        { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } },
      ],
      [
        'a body without a field',
        '/api/saved',
        { method: 'POST', body: '{"input":{"id":"1"}}', headers: { 'content-type': 'application/json' } },
      ],
      ['health', '/health/ready', undefined],
      ['liveness', '/health/live', undefined],
      ['no bundle', '/federation/bundle', undefined],
      ['documents', '/openapi.json', undefined],
      ['the page', '/', undefined],
      ['a preflight request', '/api/user', { method: 'OPTIONS' }],
      ['a stream that must be accepted', '/api/tick', { headers: { accept: 'application/json' } }],
    ])('%s shows no details', async (_, path, init) => {
      examine(whole(await get(server, path, init)));
    });

    test.each([
      '{ user { id } }',
      '{ user(id: "1", x: 2) { id } }',
      '{ user(id: "1") { nam } }',
      '{ user(id: 1.5) { id name } }',
      'mutation { saved(input: { id: "1" }) { id } }',
      'mutation { saved(input: { id: "1", size: "x", z: 1 }) { id } }',
      'query($id: ID!) { user(id: $id) { id } }',
      'mutation($input: FormInput!) { saved(input: $input) { id } }',
      '{ user(id: "1") }',
      '{ user(id: "1") { id } ',
      '{ __schema { types { name } } }',
    ])('an error for a mistake of the client has no coordinate: %s', async (query) => {
      const answer = await ask(server, query, { input: { id: '1' } });
      expect(answer.body.errors.length).toBeGreaterThan(0);
      examine(whole(answer));
    });

    test('a mutation whose event is not published', async () => {
      const answers = [
        await post(server, '/api/shipped', { input: { id: '1', size: 2 } }),
        await ask(server, 'mutation { shipped(input: { id: "1", size: 2 }) { id } }'),
      ];
      for (const answer of answers) {
        expectInLog(examine(whole(answer)), 'node audit', 'Mutation.shipped');
        expect(answer.text).toContain('GG5015');
      }
    });

    test.each([
      [
        'GraphQL',
        '/graphql',
        { method: 'POST', body: JSON.stringify({ query: 'subscription { told { id weight } }' }) },
      ],
      ['REST', '/api/told', {}],
    ])('an event that cannot be completed, over SSE with %s', async (_, path, init) => {
      const headers = { accept: 'text/event-stream', 'content-type': 'application/json' };
      const abort = new AbortController();
      const response = await server.ask(path, { ...init, headers, signal: abort.signal });
      const reader = new EventReader(response);
      // The first block says that the stream is open.
      await reader.block();
      await post(server, '/api/saved', { input: { id: '1', size: 2 } });
      const event = await reader.next();
      expectInLog(examine(JSON.stringify(event)), 'Told.weight', 'service.gg:15:42');
      expect(event?.data).toContain('EVENT_INCOMPLETE');
      abort.abort();
    });

    test.runIf(host.hasNetwork)('operations over WebSocket', async () => {
      const client = createSocketClient({
        url: `${server.origin.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        retryAttempts: 0,
      });
      const run = (query: string): Promise<string> =>
        new Promise((resolve) => {
          client.subscribe(
            { query },
            {
              next: (result) => resolve(JSON.stringify(result)),
              error: (error) => resolve(JSON.stringify(error)),
              complete: () => undefined,
            },
          );
        });
      for (const [query, said] of [
        ['{ user(id: "0") { id } }', secret],
        ['{ nowhere { value } }', 'service.gg:5:1'],
        ['{ stock { id } }', 'node stock'],
      ] as const)
        expectInLog(examine(await run(query)), said);
      examine(await run('{ user(id: "1", x: 2) { id } }'));
      await client.dispose();
    });
  },
};
