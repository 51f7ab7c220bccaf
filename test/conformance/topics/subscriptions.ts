import { createClient as createEventClient } from 'graphql-sse';
import { createClient as createSocketClient } from 'graphql-ws';
import { beforeEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import { post } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';
import { conformanceOptions } from '../topology.js';

const query = 'subscription { orderPlaced { total } }';

/** Events of FORK edges, over both protocols. */
export const subscriptions: Topic = {
  name: 'subscriptions',
  define(host) {
    /** A new server for each test, so that no test hears events of another. */
    let server: RunningHost;
    /** Settles when somebody subscribes. */
    let subscribed: Promise<void>;
    beforeEach(async () => {
      const events = new EventTarget();
      const add = events.addEventListener.bind(events);
      subscribed = new Promise((resolve) => {
        events.addEventListener = (...args: Parameters<typeof add>) => {
          add(...args);
          resolve();
        };
      });
      server = await host.start(conformanceOptions({ events }));
    });
    const place = (total: number) => post(server, '/api/placeOrder', { input: { total } });

    test('a mutation reaches a subscriber over SSE, who is completed when the server drains', async () => {
      const response = await server.ask('/graphql', {
        method: 'POST',
        headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
      ]);
      await subscribed;
      expect((await place(5)).status).toBe(200);
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      let text = '';
      const readUntil = async (end: string): Promise<void> => {
        while (!text.includes(end)) {
          const { done, value } = await reader.read();
          if (done) throw new Error(`The stream ended without ${end}:\n${text}`);
          text += new TextDecoder().decode(value);
        }
      };
      await readUntil('data: {"data":{"orderPlaced":{"total":5}}}\n\n');
      const drained = server.drain({ grace: 2_000 });
      await readUntil('event: complete\ndata: \n\n');
      await drained;
    });

    test('an operation that cannot be run is told of in the stream', async () => {
      const answer = await post(
        server,
        '/graphql',
        { query: 'subscription { nonsense }' },
        { accept: 'text/event-stream' },
      );
      expect(answer.text).toContain('event: next\ndata: {"errors":[{"message":"Cannot query field');
    });

    if (!host.hasNetwork) return;

    test('graphql-sse subscribes', async () => {
      const client = createEventClient({ url: `${server.origin}/graphql`, retryAttempts: 0 });
      const events = client.iterate({ query });
      const next = events.next();
      await subscribed;
      await place(6);
      expect((await next).value).toEqual({ data: { orderPlaced: { total: 6 } } });
      client.dispose();
    });

    test('graphql-ws subscribes, and is completed when the server drains', async () => {
      const url = `${server.origin.replace('http', 'ws')}/graphql`;
      const client = createSocketClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 });
      const events = client.iterate({ query });
      const next = events.next();
      await subscribed;
      await place(7);
      expect((await next).value).toEqual({ data: { orderPlaced: { total: 7 } } });
      const end = events.next();
      const drained = server.drain({ grace: 2_000 });
      expect((await end).done).toBe(true);
      await drained;
      await client.dispose();
    });
  },
};
