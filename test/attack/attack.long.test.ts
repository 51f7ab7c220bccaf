import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { hosts } from '../conformance/hosts.js';
import { bundlePrograms, programFolder } from '../programs/bundle.mjs';
import { attackHost } from './harness.js';

/**
 * The attacks in their short form: Node's timeouts are shortened, and how long the good client waits is not
 * judged, for this machine may be busy with other tests. `npm run attack` judges that too.
 */
describe('bad input', () => {
  let scratch: string;

  beforeAll(async () => {
    scratch = programFolder('attack');
    await bundlePrograms(['test/attack/target.ts', 'test/attack/good-client.ts'], scratch);
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  const networked = hosts.filter(({ hasNetwork }) => hasNetwork).map(({ name }) => name);

  // Most of the time goes by with waiting, so the hosts are tried side by side.
  test.concurrent.for(networked)(
    '%s answers malicious requests with 4xx, stays up, and keeps serving other clients',
    { timeout: 1_800_000 },
    async (host, { expect }) => {
      const { results, faults, good } = await attackHost(host, {
        bundle: join(scratch, 'target.mjs'),
        goodClient: join(scratch, 'good-client.mjs'),
        headersTimeout: 15_000,
        requestTimeout: 20_000,
        pause: 50,
      });
      const wrong = results.flatMap(({ attack, faults }) => faults.map((fault) => `${attack}: ${fault}`));
      expect([...faults, ...wrong]).toEqual([]);
      expect(good.answered).toBeGreaterThan(0);
      expect(results.length).toBeGreaterThan(25);
    },
  );
});
