import { describe, expect, onTestFinished, test } from 'vitest';
import WebSocket from 'ws';
import { connect } from '../../runtime/mcp/connect.js';
import { until } from '../../runtime/server/http-server.js';
import { post } from '../client.js';
import { drainAtOnce } from '../drain-at-once.js';
import type { Host, RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';
import { conformanceOptions } from '../topology.js';

const query = 'subscription { orderPlaced { id } }';
const json = { 'content-type': 'application/json' };
const overGraphQL = (server: RunningHost) =>
  server.ask('/graphql', {
    method: 'POST',
    headers: { ...json, accept: 'text/event-stream' },
    body: JSON.stringify({ query }),
  });
const overRest = (server: RunningHost) => server.ask('/api/orderPlaced', { headers: { accept: 'text/event-stream' } });

/** The stream of MCP, as the stock client asks for it. */
async function overMcp(server: RunningHost): Promise<Response> {
  let stream: Response | undefined;
  const client = await connect(async (path, init) => {
    const response = await server.ask(path, init);
    if (!String(init?.body).includes('subscriptions/listen')) return response;
    stream = response;
    return response.clone();
  }, '2026-07-28');
  onTestFinished(() => client.close());
  await client.listen({ resourceSubscriptions: ['gg://events/orderPlaced'] });
  if (stream === undefined) throw new Error('The client has opened no stream.');
  return stream;
}

/** Streams of subscriptions, with an event of theirs and the message that would end them. */
const streams = [
  ['GraphQL over SSE', overGraphQL, 'event: next\n', 'event: complete', {}],
  ['GraphQL over SSE with a plugin', overGraphQL, 'event: next\n', 'event: complete', { plugins: true }],
  ['REST', overRest, 'data: {"id"', 'event: complete', {}],
  ['MCP', overMcp, 'notifications/resources/updated', '"result":', { mcp: true }],
] as const;

/** How a server ends the streams of its clients: a client that is told that all is complete does not come back. */
export const cutStreams: Topic = {
  name: 'cut streams',
  countsRequests: true,
  define(host) {
    test.each(streams)(
      '%s has all events and is cut without its end when the server drains',
      async (_, open, event, end, more) => {
        const server = await start(host, more);
        const read = readAll(await open(server));
        await post(server, '/api/placeOrder', { input: { total: 1 } });
        await until(() => read.text.includes(event));
        await drainAtOnce(server);
        await until(() => read.end !== undefined);
        expect(read.end).toBe('cut');
        expect(read.text).not.toContain(end);
      },
    );

    test.each(streams.slice(0, 3))(
      '%s ends properly when its subscription completes by itself',
      async (_, open, _event, end, more) => {
        const resolvers = {
          Subscription: {
            orderPlaced: {
              subscribe: async function* () {
                yield { id: '1', total: 2 };
              },
              resolve: (event: unknown) => event,
            },
          },
        };
        const server = await start(host, { ...more, resolvers });
        const read = readAll(await open(server));
        await until(() => read.end !== undefined);
        expect(read.end).toBe('complete');
        expect(read.text).toContain(end);
      },
    );

    describe('a WebSocket', () => {
      test('a WebSocket is closed with 1001 and without the message complete when the server drains', async () => {
        if (!host.hasNetwork) return;
        const server = await start(host, {});
        const socket = new WebSocket(`${server.origin}/graphql`, 'graphql-transport-ws');
        onTestFinished(() => socket.terminate());
        const types: string[] = [];
        let code: number | undefined;
        socket.on('message', (text) => types.push(JSON.parse(String(text)).type));
        socket.once('close', (given) => {
          code = given;
        });
        await new Promise((resolve) => socket.once('open', resolve));
        socket.send('{"type":"connection_init"}');
        await until(() => types.length === 1);
        for (const id of ['a', 'b']) socket.send(JSON.stringify({ type: 'subscribe', id, payload: { query } }));
        // The answer comes after the subscriptions began.
        socket.send(JSON.stringify({ type: 'subscribe', id: 'c', payload: { query: '{ greeting { text } }' } }));
        await until(() => types.includes('complete'));
        await post(server, '/api/placeOrder', { input: { total: 1 } });
        await until(() => types.length === 5);
        await drainAtOnce(server);
        await until(() => code !== undefined);
        expect(code).toBe(1001);
        expect(types).toEqual(['connection_ack', 'next', 'complete', 'next', 'next']);
      });
    });
  },
};

function start(host: Host, more: object): Promise<RunningHost> {
  const { plugins, ...others } = more as { readonly plugins?: true };
  return host.start(conformanceOptions({ ...others, ...(plugins && { plugins: { yoga: [{}], apollo: [{}] } }) }));
}

/** Reads a stream in the background. */
function readAll(response: Response): { text: string; end: 'complete' | 'cut' | undefined } {
  const read: ReturnType<typeof readAll> = { text: '', end: undefined };
  const decoder = new TextDecoder();
  const work = async (): Promise<void> => {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>)
      read.text += decoder.decode(chunk, { stream: true });
  };
  work().then(
    () => {
      read.end = 'complete';
    },
    () => {
      read.end = 'cut';
    },
  );
  return read;
}
