import { Agent, get as httpGet } from 'node:http';
import { expect, test } from 'vitest';
import { ask, get } from '../client.js';
import type { Host } from '../hosts.js';
import type { Topic } from '../topics.js';
import { conformanceOptions } from '../topology.js';

/** How a server comes to its end. */
export const drain: Topic = {
  name: 'drain',
  define(host) {
    test('what is under way is answered, and readiness fails meanwhile', async () => {
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let begun = (): void => undefined;
      const running = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const server = await host.start(
        conformanceOptions({
          resolvers: {
            Query: {
              broken: async () => {
                begun();
                await held;
                return { value: 'done' };
              },
            },
          },
        }),
      );
      const answer = ask(server, '{ broken { value } }');
      await running;
      // While it is given notice, a server still takes connections, and says that it wants none.
      const drained = server.drain({ notice: 300, grace: 5_000 });
      const ready = await get(server, '/health/ready');
      expect(ready.status).toBe(503);
      expect((await get(server, '/health/live')).status).toBe(200);
      release();
      expect((await answer).body).toEqual({ data: { broken: { value: 'done' } } });
      await drained;
      if (host.hasNetwork) await expect(server.ask('/health/live')).rejects.toThrow();
    });

    test('busy clients that keep their connections lose no request', async () => {
      if (!host.hasNetwork) return;
      expect((await drainUnderLoad(host)).lost).toEqual([]);
    });

    test('subscriptions complete', async () => {
      const server = await host.start(conformanceOptions());
      const response = await server.ask('/graphql', {
        method: 'POST',
        headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
        body: JSON.stringify({ query: 'subscription { orderPlaced { id } }' }),
      });
      const text = response.text();
      await server.drain({ notice: 0, grace: 5_000 });
      expect(await text).toContain('event: complete');
    });
  },
};

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
  await server.drain({ notice: 50, grace: 10_000 });
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
