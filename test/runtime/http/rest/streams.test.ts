import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRequired } from '../../../../src/compiler/api/is-required.js';
import { printSelectionForExecution } from '../../../../src/compiler/api/print-selection.js';
import { defaultSelection } from '../../../../src/compiler/api/selection.js';
import { compile } from '../../../../src/compiler/compile.js';
import { AuthenticationError, type Credentials } from '../../../../src/index.js';
import { acceptsEventStream } from '../../../../src/runtime/http/sse/accept-events.js';
import { topologies } from '../../../arbitraries/topology.js';
import { EventReader, type StreamEvent } from '../../../conformance/event-reader.js';
import { ask, serve } from '../../server/topology-server.js';

const source = `
  (form { id: ID!, name: String! })-[:FOLD]->(save_user { id: ID!, name: String! })
  (save_user)-[:FORK]->(user_saved: Event { id: ID!, name: String! })
  (save_user)-[:FORK { scopes: ['users:read'] }]->(user_seen: Event { id: ID! })
`;
const accept = 'text/event-stream';

/** A source of a few events for each subscription. */
const yielding = (...events: readonly unknown[]) =>
  async function* () {
    yield* events;
  };

async function eventsOf(response: Response): Promise<StreamEvent[]> {
  const reader = new EventReader(response);
  const events: StreamEvent[] = [];
  for (let event = await reader.next(); event !== undefined; event = await reader.next()) events.push(event);
  return events;
}

describe('a stream over REST', () => {
  test('rejects callers without access before it begins', async () => {
    const authenticate = Object.assign(
      ({ header }: Credentials) => {
        const token = header('authorization');
        if (token === 'Bearer bad') throw new AuthenticationError('bad');
        return token === undefined ? null : { id: 'ada', scopes: token === 'Bearer all' ? ['users:read'] : [] };
      },
      { schemes: [{ type: 'bearer' as const }] },
    );
    const server = serve(source, {
      authenticate,
      resolvers: { Subscription: { userSeen: yielding({ id: 1 }) } },
    });
    const statusOf = async (authorization?: string) =>
      (await ask(server, '/api/userSeen', { headers: { accept, ...(authorization && { authorization }) } })).status;
    expect(await statusOf()).toBe(401);
    expect(await statusOf('Bearer bad')).toBe(401);
    expect(await statusOf('Bearer some')).toBe(403);
    expect(await statusOf('Bearer all')).toBe(200);
  });

  test('counts towards rate limits, and is readable by pages of allowed origins', async () => {
    const server = serve(source, {
      authenticate: () => null,
      rateLimits: [{ limit: 1, per: '1h', by: 'principal', operations: ['userSaved'] }],
      cors: { origins: ['https://app.example'] },
      resolvers: { Subscription: { userSaved: yielding({ id: 1, name: 'Ada' }) } },
    });
    const headers = { accept, origin: 'https://app.example' };
    const answer = await ask(server, '/api/userSaved', { headers });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, headers.origin]);
    expect((await ask(server, '/api/userSaved', { headers })).status).toBe(429);
  });

  test('calls the hook onOperation, and has an access line with its events', async () => {
    // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects to find.
    const lines: any[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    const called: unknown[] = [];
    const server = serve(source, {
      authenticate: () => null,
      logs: { destination },
      hooks: [{ onOperation: ({ kind, name, protocol }) => void called.push([kind, name, protocol]) }],
      resolvers: { Subscription: { userSaved: yielding({ id: 1, name: 'a' }, { id: 2, name: 'b' }) } },
    });
    await eventsOf(await server.fetch(new Request('http://a/api/userSaved')));
    expect(called).toEqual([['subscription', 'userSaved', 'sse']]);
    const { operation, protocol, status, events } = lines.find(({ msg }) => msg === 'request');
    expect([operation, protocol, status, events]).toEqual(['userSaved', 'sse', 200, 2]);
  });

  test('has the same events as GraphQL over SSE', async () => {
    await fc.assert(
      fc.asyncProperty(topologies({ maxNodes: 6, maxPipelines: 5 }), async ({ text }) => {
        const result = compile(text);
        if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
        const { schema } = result;
        const event = { id: '1', name: 'Ada', __typename: undefined };
        const sources = schema.subscriptions.map(({ name }) => [name, yielding(event, null, event)]);
        const server = serve(text, {
          authenticate: () => null,
          resolvers: { Subscription: Object.fromEntries(sources) },
        });
        for (const { name, type, auth, arguments: args } of schema.subscriptions) {
          if (auth !== undefined || args.some(isRequired)) continue;
          const selection = defaultSelection(schema, type);
          const fields = selection === undefined ? '' : printSelectionForExecution(selection);
          const query = new URLSearchParams({ query: `subscription { ${name} ${fields} }` });
          const [rest, graphql] = await Promise.all(
            [`/api/${name}`, `/graphql?${query}`].map(async (path) =>
              eventsOf(await server.fetch(new Request(`http://a${path}`, { headers: { accept } }))),
            ),
          );
          const expected = graphql?.map(({ event: kind, data }) => {
            if (kind === 'complete') return kind;
            const { data: value, errors } = JSON.parse(data);
            return errors === undefined ? value[name] : errors[0].message;
          });
          const found = rest?.map(({ event: kind, data }) => {
            if (kind === 'complete') return kind;
            return kind === 'error' ? JSON.parse(data).detail : JSON.parse(data);
          });
          // GraphQL validates a document of a client: one with conflicting members of a union is none.
          if (String(expected?.[0]).includes('conflict')) continue;
          expect(found).toEqual(expected);
        }
      }),
      { numRuns: 40 },
    );
  });
});

test.each([
  [undefined, true],
  ['', true],
  ['text/event-stream', true],
  ['TEXT/Event-Stream; charset=utf-8', true],
  ['text/*;q=0.1', true],
  ['*/*;q=0', false],
  ['text/event-stream;q=0, */*', false],
  ['application/json', false],
  ['text/event-stream;q=x', false],
])('Accept %j allows an event stream: %s', (header, allows) => {
  expect(acceptsEventStream(header)).toBe(allows);
});
