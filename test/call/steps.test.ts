import { createClient } from 'graphql-ws';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { callSteps, lastCallSteps } from '../../src/call/steps.js';
import type { GqlServerOptions } from '../../src/index.js';
import { hosts, type RunningHost } from '../conformance/hosts.js';
import { connect, textOf } from '../mcp/connect.js';

const source = `
  (secret: Record { text: String! })
  (root)-[:PROCESS { auth: 'required', scopes: ['vault:read'], operation: 'vault' }]->(secret)
  (shelf: Record {
    name: String!,
    /// @scopes vault:read
    code: String
  })
  (root)-[:PROCESS { operation: 'peek' }]->(shelf)
  (note: Record { text: String! })
  (root)-[:PROCESS { operation: 'notes', owner: 'patient', patient: ID! }]->(note)
  (order: Input {
    /// @maximum 5
    count: Int!
  })
  (done: Record { text: String! })
  (order)-[:FOLD { operation: 'change', returns: Done! }]->(done)
  (done)-[:FORK]->(told: Event { text: String! })
`;

const running: RunningHost[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
  vi.restoreAllMocks();
});

/** A server with what it has run and published. */
async function serve(options: Partial<GqlServerOptions> = {}, fail: (run: number) => boolean = () => false) {
  const ran: string[] = [];
  const told: unknown[] = [];
  const resolve = (name: string) => () => {
    ran.push(name);
    if (fail(ran.length)) throw new Error('the database is down');
    return { text: `${name} ${ran.length}`, code: `${name} ${ran.length}` };
  };
  const host = hosts.find(({ name }) => name === 'Beta on Node');
  if (host === undefined) throw new Error('There is no such host.');
  const server = await host.start({
    topologies: [{ name: 'a.gg', source }],
    resolvers: {
      Query: { vault: resolve('vault'), peek: resolve('vault'), notes: resolve('notes') },
      Mutation: { change: resolve('change') },
    },
    authenticate: ({ header }) => {
      const [id, ...scopes] = header('authorization')?.split(' ').slice(1) ?? [];
      return id === undefined ? null : { id, scopes };
    },
    hooks: [{ onEvent: ({ payload }) => void told.push(payload) }],
    mcp: { tools: 'operations' },
    ...options,
  } as Parameters<typeof host.start>[0]);
  running.push(server);
  return { server, ran, told };
}

interface Asked {
  readonly name: 'vault' | 'notes' | 'change';
  readonly args?: Readonly<Record<string, unknown>>;
  /** The id of the caller and its scopes. */
  readonly as?: string;
  readonly key?: string;
}

const documents = {
  vault: 'query { peek { code } }',
  notes: 'query ($patient: ID!) { notes(patient: $patient) { text } }',
  change: 'mutation ($input: Order!) { change(input: $input) { text } }',
};

function headersOf({ as, key }: Asked): Record<string, string> {
  return {
    'content-type': 'application/json',
    ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  };
}

async function postGraphql(server: RunningHost, asked: Asked, accept: string): Promise<string> {
  const body = JSON.stringify({ query: documents[asked.name], variables: asked.args });
  const headers = { ...headersOf(asked), accept };
  return (await server.ask('/graphql', { method: 'POST', headers, body })).text();
}

/** The ways in. Each returns the text of the answer. Agents cannot select a guarded field, but call a guarded operation. */
const ways: Readonly<Record<string, (server: RunningHost, asked: Asked) => Promise<string>>> = {
  async REST(server, asked) {
    const { name, args = {} } = asked;
    const headers = headersOf(asked);
    const query = new URLSearchParams(args as Record<string, string>);
    const answer =
      name === 'change'
        ? server.ask('/api/change', { method: 'POST', headers, body: JSON.stringify(args) })
        : server.ask(name === 'vault' ? '/api/peek?fields=code' : `/api/${name}?${query}`, { headers });
    return (await answer).text();
  },
  GraphQL: (server, asked) => postGraphql(server, asked, 'application/json'),
  SSE: (server, asked) => postGraphql(server, asked, 'text/event-stream'),
  async WebSocket(server, asked) {
    const { name, args, as, key } = asked;
    const client = createClient({
      url: `${server.origin.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: as === undefined ? {} : { authorization: `Bearer ${as}` },
    });
    const extensions = key === undefined ? {} : { extensions: { idempotencyKey: key } };
    const results: unknown[] = [];
    await new Promise<void>((resolve) => {
      client.subscribe(
        { query: documents[name], ...(args && { variables: args }), ...extensions },
        {
          next: (result) => void results.push(result),
          error: (error) => {
            results.push(error);
            resolve();
          },
          complete: resolve,
        },
      );
    });
    await client.dispose();
    return JSON.stringify(results);
  },
  async MCP(server, asked) {
    const { 'content-type': _, ...headers } = headersOf(asked);
    const client = await connect((path, init) => server.ask(path, init), '2026-07-28', headers);
    try {
      return textOf(await client.callTool({ name: asked.name, arguments: { ...asked.args } }));
    } finally {
      await client.close();
    }
  },
};

type Way = (typeof ways)[string];

const change: Asked = { name: 'change', args: { input: { count: 1 } }, as: 'ada' };

/** For each step of a call, a check that fails without it on every way in. */
const checks: Readonly<Record<string, (ask: Way) => Promise<void>>> = {
  async reach(ask) {
    const { server, ran } = await serve();
    expect([await ask(server, { name: 'vault', as: 'ada' }), ran]).toEqual([
      expect.stringContaining('vault:read'),
      [],
    ]);
  },
  async demand(ask) {
    const { server, ran } = await serve();
    expect([await ask(server, { name: 'vault', as: 'ada' }), ran]).toEqual([
      expect.stringContaining('vault:read'),
      [],
    ]);
    expect(await ask(server, { name: 'vault', as: 'eve vault:read' })).toContain('vault 1');
  },
  async count(ask) {
    const limit = { limit: 1, per: '1h', by: 'principal', operations: ['change'] } as const;
    const { server, ran } = await serve({ rateLimits: [limit] });
    expect(await ask(server, change)).toContain('change 1');
    expect([await ask(server, change), ran]).toEqual([
      expect.stringContaining('Too many requests'),
      ['change'],
    ]);
  },
  async judge(ask) {
    const { server, ran } = await serve();
    expect(await ask(server, { name: 'notes', args: { patient: 'ada' }, as: 'ada' })).toContain('notes 1');
    expect([await ask(server, { name: 'notes', args: { patient: 'eve' }, as: 'ada' }), ran]).toEqual([
      expect.stringContaining('another caller'),
      ['notes'],
    ]);
  },
  async checkArguments(ask) {
    const { server, ran } = await serve();
    expect([await ask(server, { ...change, args: { input: { count: 6 } } }), ran]).toEqual([
      expect.stringContaining('input.count'),
      [],
    ]);
  },
  async findRepeat(ask) {
    const { server, ran } = await serve({ idempotency: {} });
    const first = await ask(server, { ...change, key: 'a' });
    expect([first, await ask(server, { ...change, key: 'a' }), ran]).toEqual([
      expect.stringContaining('change 1'),
      first,
      ['change'],
    ]);
  },
  async run(ask) {
    const { server } = await serve();
    expect(await ask(server, change)).toContain('change 1');
  },
  async publish(ask) {
    const { server, told } = await serve();
    await ask(server, change);
    expect(told).toMatchObject([{ text: 'change 1' }]);
  },
  async keep(ask) {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { server, ran } = await serve({ idempotency: {} }, (run) => run === 1);
    await ask(server, { ...change, key: 'a' });
    // A resolver that throws has changed nothing, so a repeat runs.
    expect([await ask(server, { ...change, key: 'a' }), ran]).toEqual([
      expect.stringContaining('change 2'),
      ['change', 'change'],
    ]);
  },
};

/** The names of the ways in on which a check fails. */
async function failuresOf(check: (ask: Way) => Promise<void>): Promise<readonly string[]> {
  const ends = await Promise.allSettled(Object.values(ways).map(check));
  return Object.keys(ways).filter((_, at) => ends[at]?.status === 'rejected');
}

describe.each([
  ['the steps', callSteps],
  ['the last steps', lastCallSteps],
] as const)('%s of a call', (_, list) => {
  test.each(list.map(({ name }, at) => [name, at] as const))(
    '%s is missed on every way in when it is removed',
    async (name, at) => {
      const check = checks[name];
      if (check === undefined) throw new Error(`The step ${name} has no check.`);
      expect(await failuresOf(check)).toEqual([]);
      const changed = list as unknown[];
      const [removed] = changed.splice(at, 1);
      vi.spyOn(console, 'error').mockImplementation(() => undefined);
      try {
        expect(await failuresOf(check)).toEqual(Object.keys(ways));
      } finally {
        changed.splice(at, 0, removed);
      }
    },
  );
});
