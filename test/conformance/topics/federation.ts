import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFederationBundle } from '../../../src/federation/node/bundle-source.js';
import { verifyFederationBundle } from '../../../src/federation/node/verify-federation-bundle.js';
import { bytesOf, inDirectory, noon, plainIndex, policy, signed } from '../../federation/bundles.js';
import { get, post } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';
import { conformanceOptions } from '../topology.js';

/** The federation layer, with and without a bundle. */
export const federation: Topic = {
  name: 'federation',
  define(host) {
    let bare: RunningHost;
    let server: RunningHost;
    let directory: string;
    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'gg-svc-federation-'));
      writeFileSync(join(directory, inDirectory.trust), JSON.stringify(policy));
      writeFileSync(join(directory, inDirectory.bundle), bytesOf(signed({ ...plainIndex, epoch: 9 })));
      const source = await openFederationBundle({ ...inDirectory, directory });
      // As of its own time nothing has expired; the layer asks the clock of the machine all the same.
      bare = await host.start(conformanceOptions());
      server = await host.start({ ...conformanceOptions(), federation: source });
    });
    afterAll(() => rm(directory, { recursive: true, force: true }));

    const query = '{ federationSnapshot { epoch recordCount } federationChain(id: "none") { id } }';

    test('federation queries answer null without a source, and the bundle is 404', async () => {
      expect((await post(bare, '/graphql', { query })).body.data).toEqual({
        federationSnapshot: null,
        federationChain: null,
      });
      for (const name of ['federationChain', 'federationLookup', 'federationSnapshot']) {
        const { status, body } = await get(bare, `/api/${name}`);
        expect([status, body]).toEqual([200, null]);
      }
      expect((await get(bare, '/federation/bundle')).status).toBe(404);
    });

    test('federation queries answer from the bundle, which is published byte for byte', async () => {
      expect((await post(server, '/graphql', { query })).body.data).toEqual({
        federationSnapshot: { epoch: 9, recordCount: 5 },
        federationChain: null,
      });
      expect((await get(server, '/api/federationSnapshot?epoch=9')).body.epoch).toBe(9);
      const { status, text } = await get(server, '/federation/bundle');
      expect(status).toBe(200);
      const verified = await verifyFederationBundle(text, policy, { now: new Date(noon) });
      expect(verified.ok).toBe(true);
    });

    test('readiness shows the state of the bundle', async () => {
      const { status, body } = await get(server, '/health/ready');
      expect([status, body.federation]).toMatchObject([200, { state: 'current', epoch: 9, refused: null }]);
    });
  },
};
