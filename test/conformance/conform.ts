import { afterAll, afterEach, beforeEach, describe, vi } from 'vitest';
import { type Analysis, analyze, type SourceInput } from '../../src/compiler/analyze.js';
import type { GqlServerOptions } from '../../src/index.js';
import { hosts, type RunningHost } from './hosts.js';
import { throughPrism } from './prism.js';
import { topics } from './topics.js';
import type { ConformanceContext } from './topology.js';

// Set by `test/external/clients/prism.test.mjs`, which has the program installed.
const prism = process.env.CONFORMANCE_PRISM;

/** Declares the tests of all topics for a host. */
export function conform(hostName: string): void {
  const given = hosts.find(({ name }) => name === hostName);
  if (given === undefined) throw new Error(`There is no host ${hostName}.`);
  const host = prism === undefined ? given : throughPrism(given, prism);
  // Faults of resolvers are reported on the console; the suite causes them on purpose. A topic may restore all mocks.
  beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
  afterEach(() => vi.unstubAllEnvs());
  afterAll(() => void vi.restoreAllMocks());

  describe(host.name, () => {
    const running: RunningHost[] = [];
    afterAll(async () => {
      for (const server of running.splice(0)) await server.close();
    });

    for (const { name, countsRequests, define } of topics) {
      if (prism !== undefined && countsRequests) continue;
      describe(name, () => {
        define({
          ...host,
          async start(options) {
            const server = await host.start(analyzedOnce(options));
            running.push(server);
            return server;
          },
        });
      });
    }
  });
}

/** The topologies of the suite. It starts a server for nearly every test, on every host. */
const analyses = new Map<string, Analysis>();

function analyzedOnce(options: GqlServerOptions<ConformanceContext>): GqlServerOptions<ConformanceContext> {
  const { topologies } = options;
  if ('ir' in topologies || topologies.some((topology) => typeof topology === 'string')) return options;
  const key = JSON.stringify(topologies);
  const analysis = analyses.get(key) ?? analyze(topologies as readonly SourceInput[]);
  analyses.set(key, analysis);
  return { ...options, topologies: analysis };
}
