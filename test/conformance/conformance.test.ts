import { versionInfo } from 'graphql';
import { afterAll, afterEach, describe, vi } from 'vitest';
import { hosts as allHosts, type RunningHost } from './hosts.js';
import { throughPrism } from './prism.js';
import { topics } from './topics.js';

// Faults of resolvers are reported on the console; the suite causes them on purpose.
vi.spyOn(console, 'error').mockImplementation(() => undefined);
afterEach(() => vi.unstubAllEnvs());

// Set by `test/external/clients/prism.test.mjs`, which has the program installed.
const prism = process.env.CONFORMANCE_PRISM;
// Apollo Server needs release 16, and one host of Yoga covers what the engines get from graphql-js.
const tested = versionInfo.major === 16 ? allHosts : allHosts.filter(({ name }) => name === 'Beta on Node');
const hosts =
  prism === undefined
    ? tested
    : allHosts.filter(({ name }) => name === 'Beta on Node').map((host) => throughPrism(host, prism));

describe.each(hosts)('$name', (host) => {
  const running: RunningHost[] = [];
  afterAll(async () => {
    for (const server of running) await server.close();
  });

  for (const { name, countsRequests, define } of topics) {
    if (prism !== undefined && countsRequests) continue;
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
