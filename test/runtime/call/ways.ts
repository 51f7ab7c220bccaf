import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { GqlServerOptions } from '../../../src/index.js';
import { hosts, type RunningHost } from '../../conformance/hosts.js';
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

/** Closes the servers of a test. */
export async function closeServers(): Promise<void> {
  for (const server of running.splice(0)) await server.close();
}

/** A server with what it has run and published. */
export async function serve(options: Partial<GqlServerOptions> = {}, fail: (run: number) => boolean = () => false) {
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

/** A call of the topology of these tests. */
export interface Asked {
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
export const ways: Readonly<Record<string, (server: RunningHost, asked: Asked) => Promise<string>>> = {
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

/** A way in. */
export type Way = (typeof ways)[string];
