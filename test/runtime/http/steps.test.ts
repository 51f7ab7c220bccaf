import { afterEach, describe, expect, test, vi } from 'vitest';
import { lastSteps, steps } from '../../../src/runtime/http/steps.js';
import { type Host, hosts, type RunningHost } from '../../conformance/hosts.js';
import { stepChecks } from '../../conformance/topics/steps.js';

const running: RunningHost[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
  vi.restoreAllMocks();
});

/** A host on a connection and one without, whose servers are closed after the test. */
const tried = hosts
  .filter(({ name }) => name === 'Beta on Node' || name === 'Beta over plain fetch')
  .map(
    (host): Host => ({
      ...host,
      async start(options) {
        const server = await host.start(options);
        running.push(server);
        return server;
      },
    }),
  );

/** Runs a check on both hosts; gives the number of hosts on which it fails. */
async function failuresOf(check: (host: Host) => Promise<void>): Promise<number> {
  const ends = await Promise.allSettled(tried.map(check));
  return ends.filter(({ status }) => status === 'rejected').length;
}

describe.each([
  ['the steps', steps],
  ['the last steps', lastSteps],
] as const)('%s of a request', (_, list) => {
  test.each(list.map(({ name }, at) => [name, at] as const))('%s is missed if it is removed', async (name, at) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const check = stepChecks[name];
    if (check === undefined) throw new Error(`The step ${name} has no check.`);
    expect(await failuresOf(check)).toBe(0);
    const changed = list as unknown[];
    const [removed] = changed.splice(at, 1);
    try {
      expect(await failuresOf(check)).toBeGreaterThan(0);
    } finally {
      changed.splice(at, 0, removed);
    }
  });
});
