import { expect, test } from 'vitest';
import type { Caller } from '../../../src/index.js';
import { get } from '../client.js';
import type { Topic } from '../topics.js';
import { conformanceOptions } from '../topology.js';

const headers = {
  'x-forwarded-for': '203.0.113.7',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'api.example.com',
};

/** Proxies in front of a server, and clients that pretend to be one. */
export const proxies: Topic = {
  name: 'trusted proxies',
  define(host) {
    test('headers of a trusted proxy set the origin of documents', async () => {
      const server = await host.start(conformanceOptions({ trustedProxies: ['loopback', 'unix'] }));
      for (const path of ['/', '/collection.json']) {
        expect((await get(server, path, { headers })).text).toContain('https://api.example.com');
        expect((await get(server, path)).text).toContain(server.origin);
      }
    });

    test.each([undefined, [], ['10.0.0.0/8']])('%j: headers of other clients have no effect', async (trusted) => {
      const server = await host.start(conformanceOptions(trusted && { trustedProxies: trusted }));
      for (const path of ['/', '/collection.json']) {
        const { text } = await get(server, path, { headers });
        expect(text).toContain(server.origin);
        expect(text).not.toContain('api.example.com');
      }
    });

    test('headers of a trusted proxy set the address of the caller', async () => {
      const context = (_: Request, { address }: Caller) => ({ name: address ?? null });
      const server = await host.start(conformanceOptions({ trustedProxies: ['loopback', 'unix'], context }));
      expect((await get(server, '/api/whoami', { headers })).body).toEqual({ name: '203.0.113.7' });
      const untrusting = await host.start(conformanceOptions({ context }));
      const peer = host.hasNetwork ? '127.0.0.1' : null;
      expect((await get(untrusting, '/api/whoami', { headers })).body).toEqual({ name: peer });
    });

    test('headers of a trusted proxy set the host that an origin is compared with', async () => {
      const server = await host.start(conformanceOptions({ trustedProxies: ['loopback', 'unix'] }));
      const query = `/graphql?query=${encodeURIComponent('{ greeting { text } }')}`;
      const from = (origin: string) => get(server, query, { headers: { ...headers, origin } });
      expect((await from('https://api.example.com')).status).toBe(200);
      expect((await from(server.origin)).status).toBe(400);
    });
  },
};
