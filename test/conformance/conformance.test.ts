import { afterAll, afterEach, describe, vi } from 'vitest';
import { hosts, type RunningHost } from './hosts.js';
import { topics } from './topics.js';

// Faults of resolvers are reported on the console; the suite causes them on purpose.
vi.spyOn(console, 'error').mockImplementation(() => undefined);
afterEach(() => vi.unstubAllEnvs());

describe.each(hosts)('$name', (host) => {
  const running: RunningHost[] = [];
  afterAll(async () => {
    for (const server of running) await server.close();
  });

  for (const { name, define } of topics) {
    describe(name, () => {
      define({
        ...host,
        async start(options) {
          const server = await host.start(options);
          running.push(server);
          return server;
        },
      });
    });
  }
});
