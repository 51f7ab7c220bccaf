import { beforeAll, expect, test } from 'vitest';
import { get } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';
import { conformanceOptions } from '../topology.js';

/** Whether a server runs, and whether it takes requests. */
export const health: Topic = {
  name: 'health',
  define(host) {
    let server: RunningHost;
    beforeAll(async () => {
      server = await host.start(conformanceOptions());
    });

    test.each(['/health/live', '/health/ready'])('%s answers 200', async (path) => {
      const { status, headers, body } = await get(server, path);
      expect([status, body]).toEqual([200, { status: 'ok' }]);
      expect(headers.get('cache-control')).toBe('no-store');
    });
  },
};
