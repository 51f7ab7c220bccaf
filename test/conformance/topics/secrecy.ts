import { beforeAll, expect, test } from 'vitest';
import { ask, get, post } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';
import { conformanceOptions } from '../topology.js';

const documentPaths = ['/', '/openapi.json', '/collection.json', '/asyncapi.json', '/schema.graphql'];

/** With introspection off, no answer tells a name that the client did not know. */
export const secrecy: Topic = {
  name: 'introspection off',
  define(host) {
    let server: RunningHost;
    beforeAll(async () => {
      server = await host.start(conformanceOptions({ limits: { introspection: false } }));
    });

    test.each([
      '/api/greetin',
      '/api/placeOrde',
      '/api/listOrders?stat=OPEN',
      '/api/listOrders?state=OPE',
      '/api/listOrders?fields=totl',
      '/api/findOrders?at[latitud]=1',
    ])('REST does not suggest names for %s', async (path) => {
      const { status, text } = await get(server, path);
      expect([400, 404]).toContain(status);
      expect(text).not.toMatch(/Did you mean|greeting|placeOrder\b|SHIPPED|total|latitude/);
    });

    test('REST does not suggest names for the body of a mutation', async () => {
      const { status, text } = await post(server, '/api/placeOrder', { input: { totl: 1 } });
      expect([status, /Did you mean|\btotal\b/.test(text)]).toEqual([400, false]);
    });

    test.each([
      ['{ greetin { text } }', undefined],
      ['{ greeting { texx } }', undefined],
      ['{ listOrders(stat: OPEN) { id } }', undefined],
      ['{ listOrders(state: OPE) { id } }', undefined],
      ['query($s: OrderStat) { listOrders(state: $s) { id } }', undefined],
      ['query($s: OrderState) { listOrders(state: $s) { id } }', { s: 'OPE' }],
      ['query($at: PointInput) { findOrders(at: $at) }', { at: { latitud: 1 } }],
    ])('GraphQL does not suggest names for %s', async (query, variables) => {
      const { body } = await ask(server, query, variables);
      expect(body.errors.length).toBeGreaterThan(0);
      expect(JSON.stringify(body)).not.toMatch(/Did you mean/);
    });

    test('the documents and the page are served only with the option', async () => {
      const open = await host.start(conformanceOptions({ limits: { introspection: false }, documents: true }));
      for (const path of documentPaths) {
        expect([path, (await get(server, path)).status]).toEqual([path, 404]);
        expect([path, (await get(open, path)).status]).toEqual([path, 200]);
      }
      const closed = await host.start(conformanceOptions({ documents: false }));
      for (const path of documentPaths) expect((await get(closed, path)).status).toBe(404);
    });
  },
};
