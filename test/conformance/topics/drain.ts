import { expect, test } from 'vitest';
import { ask, get } from '../client.js';
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

    test('subscriptions complete', async () => {
      const server = await host.start(conformanceOptions());
      const response = await server.ask('/graphql', {
        method: 'POST',
        headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
        body: JSON.stringify({ query: 'subscription { orderPlaced { id } }' }),
      });
      const text = response.text();
      await server.drain({ grace: 5_000 });
      expect(await text).toContain('event: complete');
    });
  },
};
