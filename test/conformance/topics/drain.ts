import { Agent, get as httpGet } from 'node:http';
import { createClient } from 'graphql-ws';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { FakeLog } from '../../runtime/brokers/fake-broker.js';
import { until } from '../../runtime/server/http-server.js';
import { ask, get, post } from '../client.js';
import { drainAtOnce } from '../drain-at-once.js';
import type { Host, RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';
import { conformanceOptions } from '../topology.js';

/** How a server comes to its end. */
export const drain: Topic = {
  name: 'drain',
  define(host) {
    afterEach(() => void vi.useRealTimers());

    test('requests in flight are answered, and readiness fails meanwhile', async () => {
      const { running, release, server } = await startHeld(host);
      const answer = ask(server, '{ broken { value } }');
      await running;
      // While it is given notice, a server still takes connections, and says that it wants none. The clock stands still.
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const drained = server.drain({ notice: 300, grace: 600_000 });
      const ready = await get(server, '/health/ready');
      expect(ready.status).toBe(503);
      expect((await get(server, '/health/live')).status).toBe(200);
      release();
      expect((await answer).body).toEqual({ data: { broken: { value: 'done' } } });
      // The notice, and then the time in which clients may send another request.
      await vi.advanceTimersByTimeAsync(300 + 500);
      await drained;
      if (host.hasNetwork) await expect(server.ask('/health/live')).rejects.toThrow();
    });

    test.runIf(host.hasNetwork)('operations in flight over WebSocket are answered, too', async () => {
      const { running, release, server } = await startHeld(host);
      const client = createClient({
        url: `${server.origin.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        retryAttempts: 0,
      });
      const answer = client.iterate({ query: '{ broken { value } }' }).next();
      await running;
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const drained = server.drain({ notice: 0, grace: 600_000 });
      // Long after subscriptions were cut.
      await vi.advanceTimersByTimeAsync(60_000);
      release();
      expect((await answer).value).toEqual({ data: { broken: { value: 'done' } } });
      await vi.advanceTimersByTimeAsync(500);
      await drained;
      await client.dispose();
    });

    test('busy clients that keep their connections lose no request', async () => {
      if (!host.hasNetwork) return;
      expect((await drainUnderLoad(host)).lost).toEqual([]);
    });

    describe('a subscription that waits for an event broker ends', () => {
      const ways = {
        'over GraphQL': ['/graphql', JSON.stringify({ query: 'subscription { orderPlaced { id } }' })],
        'over REST': ['/api/orderPlaced', undefined],
      } as const;
      const cases = Object.entries(ways).map(([way, [path, body]]) => [way, path, body] as const);
      const open = (server: RunningHost, path: string, body: string | undefined, id?: string) =>
        server.ask(path, {
          ...(body !== undefined && { method: 'POST', body }),
          headers: {
            accept: 'text/event-stream',
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...(id !== undefined && { 'last-event-id': id }),
          },
        });
      let asked = 0;
      const context = () => {
        asked += 1;
        return { name: null };
      };
      beforeEach(() => {
        asked = 0;
        vi.spyOn(console, 'error').mockImplementation(() => undefined);
      });

      test.each(cases)('that was never connected, %s', async (_, path, body) => {
        const log = new FakeLog();
        log.stop();
        const server = await host.start(conformanceOptions({ events: log.broker(), context }));
        const text = open(server, path, body).then(readText);
        await until(() => asked > 0);
        await drainAtOnce(server);
        expect(await text).not.toContain('event: next');
      });

      test.each(cases)('whose log it is reading, %s', async (_, path, body) => {
        const log = new FakeLog();
        const server = await host.start(conformanceOptions({ events: log.broker(), context }));
        const first = await open(server, path, body);
        await post(server, '/api/placeOrder', { input: { total: 1 } });
        const reader = first.body?.getReader();
        let id: string | undefined;
        while (id === undefined) {
          const { value } = (await reader?.read()) ?? {};
          id = /^id: (\S+)$/m.exec(Buffer.from(value ?? []).toString())?.[1];
        }
        log.stop();
        asked = 0;
        const text = open(server, path, body, id).then(readText);
        await until(() => asked > 0);
        await drainAtOnce(server);
        expect(await text).not.toContain('event: next');
        await reader?.cancel().catch(() => undefined);
      });
    });
  },
};

/** What a stream has until it ends or is cut. */
async function readText(response: Response): Promise<string> {
  let text = '';
  try {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) text += Buffer.from(chunk).toString();
  } catch {
    // The stream was cut.
  }
  return text;
}

/** Drains a host while 40 clients send one request after the other over connections that they keep. */
export async function drainUnderLoad(host: Host): Promise<{ answered: number; lost: string[] }> {
  const server = await host.start(conformanceOptions());
  const counts = { answered: 0, lost: [] as string[] };
  let isOver = false;
  const clients = Array.from({ length: 40 }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!isOver) {
      const end = await fetchOnce(`${server.origin}/api/greeting`, agent);
      if (end === 200) counts.answered += 1;
      // A client finds another instance when this one takes no more connections.
      else if (end === 'ECONNREFUSED') break;
      else counts.lost.push(String(end));
    }
    agent.destroy();
  });
  while (counts.answered < 400) await new Promise((resolve) => setTimeout(resolve, 5));
  await server.drain({ notice: 50, grace: 300_000 });
  isOver = true;
  await Promise.all(clients);
  return counts;
}

/** Asks once over an agent; gives the status, or the code of the error. */
function fetchOnce(url: string, agent: Agent): Promise<number | string | undefined> {
  return new Promise((resolve) => {
    httpGet(url, { agent }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
      response.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    }).once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
  });
}

/** A server whose query `broken` is under way until it is released. */
async function startHeld(host: Host) {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begun = (): void => undefined;
  const running = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const broken = async () => {
    begun();
    await held;
    return { value: 'done' };
  };
  const server = await host.start(conformanceOptions({ resolvers: { Query: { broken } } }));
  return { running, release, server };
}
