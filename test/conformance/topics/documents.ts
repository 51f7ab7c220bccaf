import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { get } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';
import { conformanceOptions } from '../topology.js';

/** The documents and the start page. */
export const documents: Topic = {
  name: 'documents',
  define(host) {
    let server: RunningHost;
    beforeAll(async () => {
      server = await host.start(conformanceOptions());
    });

    test('the documents are OpenAPI, a collection and AsyncAPI for the address of the server, and the SDL', async () => {
      const openapi = await get(server, '/openapi.json');
      expect([openapi.status, openapi.body.info.title]).toEqual([200, 'Orders']);
      expect(Object.keys(openapi.body.paths)).toContain('/api/placeOrder');
      const collection = await get(server, '/collection.json');
      expect(collection.body.variable).toContainEqual(
        expect.objectContaining({ key: 'base_url', value: server.origin }),
      );
      const asyncapi = await get(server, '/asyncapi.json');
      expect(asyncapi.body.info.title).toBe('Orders');
      expect(Object.keys(asyncapi.body.channels)).toContain('orderPlaced');
      expect(asyncapi.body.servers.server).toEqual({ host: new URL(server.origin).host, protocol: 'http' });
      const sdl = await get(server, '/schema.graphql');
      expect(sdl.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(sdl.text).toContain('type Subscription');
    });

    test('the documents answer HEAD and OPTIONS, and reject other methods', async () => {
      const head = await get(server, '/openapi.json', { method: 'HEAD' });
      expect([head.status, head.text]).toEqual([200, '']);
      expect(Number(head.headers.get('content-length'))).toBeGreaterThan(1000);
      const options = await get(server, '/schema.graphql', { method: 'OPTIONS' });
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
      expect((await get(server, '/collection.json', { method: 'PUT', body: '{}' })).status).toBe(405);
    });

    test('GraphiQL runs only its own scripts, and loads nothing from other addresses', async () => {
      const { status, headers, text } = await get(server, '/graphql', { headers: { accept: 'text/html' } });
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(text) ?? [];
      const hash = createHash('sha256').update(script).digest('base64');
      const policy = headers.get('content-security-policy')?.split('; ');
      expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", `script-src 'sha256-${hash}'`]));
      expect(policy).toEqual(expect.arrayContaining(["connect-src 'self'", "frame-ancestors 'none'"]));
    });

    test('the start page lists the operations and blocks scripts', async () => {
      const { status, headers, text } = await get(server, '/');
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(text).toContain('/api/placeOrder');
    });
  },
};
