import { createClient as createEventClient } from 'graphql-sse';
import { createClient as createSocketClient } from 'graphql-ws';
import { beforeEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import { post } from '../client.js';
import { drainAtOnce } from '../drain-at-once.js';
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

    test('a mutation reaches a subscriber over SSE, whose stream is cut when the server drains', async () => {
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
      const drained = drainAtOnce(server);
      await expect(readUntil('event: complete')).rejects.toThrow();
      await drained;
    });

    /** Events of a server with a log, over SSE, as blocks of the stream. */
    const follow = async (resumable: RunningHost, lastEventId = '') => {
      const response = await resumable.ask('/graphql', {
        method: 'POST',
        headers: {
          accept: 'text/event-stream',
          'content-type': 'application/json',
          'last-event-id': lastEventId,
        },
        body: JSON.stringify({ query }),
      });
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      let text = '';
      const next = async (): Promise<{ id: string; total: number }> => {
        for (;;) {
          const [, id, total] = /^id: (.+)\nevent: next\ndata: .*"total":(\d+)/m.exec(text) ?? [];
          if (id !== undefined) {
            text = text.slice(text.indexOf(`"total":${total}`));
            return { id, total: Number(total) };
          }
          const { done, value } = await reader.read();
          if (done) throw new Error(`The stream ended: ${text}`);
          text += new TextDecoder().decode(value);
        }
      };
      return { status: response.status, next, stop: () => reader.cancel() };
    };

    test('a subscriber over SSE continues after its last event, and an invalid id is rejected', async () => {
      const resumable = await host.start(conformanceOptions());
      const order = (total: number) => post(resumable, '/api/placeOrder', { input: { total } });
      const first = await follow(resumable);
      await order(1);
      const { id } = await first.next();
      await first.stop();
      await order(2);
      await order(3);
      const resumed = await follow(resumable, id);
      await order(4);
      const totals = [await resumed.next(), await resumed.next(), await resumed.next()].map(({ total }) => total);
      expect(totals).toEqual([2, 3, 4]);
      await resumed.stop();
      expect((await follow(resumable, `${id}x`)).status).toBe(400);
    });

    test('the errors of an operation that cannot run are in the stream', async () => {
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

    test('graphql-ws continues after the id that it gives', async () => {
      const resumable = await host.start(conformanceOptions());
      const order = (total: number) => post(resumable, '/api/placeOrder', { input: { total } });
      const url = `${resumable.origin.replace('http', 'ws')}/graphql`;
      const client = createSocketClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 });
      const text = 'subscription ($after: String) { orderPlaced(after: $after) { total } }';
      const continueAfter = (after: unknown) =>
        client.iterate<object, { eventId: string }>({ query: text, variables: { after } });
      const first = await follow(resumable);
      await order(1);
      const { id } = await first.next();
      await first.stop();
      await order(2);
      const { value } = await continueAfter(id).next();
      expect(value).toMatchObject({ data: { orderPlaced: { total: 2 } } });
      await order(3);
      const resumed = continueAfter(value?.extensions?.eventId);
      expect((await resumed.next()).value).toMatchObject({ data: { orderPlaced: { total: 3 } } });
      await client.dispose();
    });

    test('graphql-ws subscribes, and loses its connection with 1001 when the server drains', async () => {
      const url = `${server.origin.replace('http', 'ws')}/graphql`;
      const client = createSocketClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 });
      const events = client.iterate({ query });
      const next = events.next();
      await subscribed;
      await place(7);
      expect((await next).value).toEqual({ data: { orderPlaced: { total: 7 } } });
      const end = events.next();
      const drained = drainAtOnce(server);
      await expect(end).rejects.toMatchObject({ code: 1001 });
      await drained;
      await client.dispose();
    });
  },
};
