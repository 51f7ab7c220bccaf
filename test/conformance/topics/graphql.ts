import { beforeAll, expect, test } from 'vitest';
import { ask, get, post } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';
import { conformanceOptions } from '../topology.js';

const order = 'query Order($id: ID!) { order(id: $id) { id total state } }';

/** GraphQL over HTTP. */
export const graphql: Topic = {
  name: 'GraphQL',
  define(host) {
    let server: RunningHost;
    beforeAll(async () => {
      server = await host.start(conformanceOptions());
    });

    test('GraphQL answers a POST', async () => {
      const { status, headers, body } = await ask(server, order, { id: 1 });
      expect([status, body]).toEqual([200, { data: { order: { id: '1', total: 30, state: 'OPEN' } } }]);
      expect(headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8');
    });

    test('GraphQL answers application/json to older clients', async () => {
      const { status, headers } = await post(server, '/graphql', { query: '{ greeting { text } }' });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    });

    test('GraphQL answers a GET', async () => {
      const query = new URLSearchParams({ query: order, variables: '{"id":"2"}', operationName: 'Order' });
      const headers = { accept: 'application/json', 'apollo-require-preflight': '1' };
      const { status, body } = await get(server, `/graphql?${query}`, { headers });
      expect([status, body]).toEqual([200, { data: { order: { id: '2', total: 12, state: 'SHIPPED' } } }]);
    });

    test('GraphQL runs a mutation over POST, but not over GET', async () => {
      const query = 'mutation { placeOrder(input: { total: 5 }) { total } }';
      expect((await ask(server, query)).body).toEqual({ data: { placeOrder: { total: 5 } } });
      const headers = { accept: 'application/json', 'apollo-require-preflight': '1' };
      const answer = await get(server, `/graphql?query=${encodeURIComponent(query)}`, { headers });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    });

    test('GraphQL chooses among several operations by name', async () => {
      const query = 'query A { greeting { text } } query B { order(id: 3) { total } }';
      const { body } = await post(server, '/graphql', { query, operationName: 'B' });
      expect(body).toEqual({ data: { order: { total: 7 } } });
    });

    test('GraphQL serves constants and the winner of a race', async () => {
      const { body } = await ask(server, '{ greeting { text } copy { ... on FastCopy { from } __typename } }');
      expect(body).toEqual({
        data: { greeting: { text: 'Hello' }, copy: { from: 'fast', __typename: 'FastCopy' } },
      });
    });

    test('GraphQL gives resolvers the context of the request', async () => {
      const { body } = await ask(server, '{ whoami { name } }', {}, { 'x-user': 'ada' });
      expect(body).toEqual({ data: { whoami: { name: 'ada' } } });
    });

    test('the GraphQL endpoint may have another path', async () => {
      const elsewhere = await host.start(conformanceOptions({ endpoint: '/v1/query' }));
      const query = '{ greeting { text } }';
      expect((await post(elsewhere, '/v1/query', { query })).body).toEqual({
        data: { greeting: { text: 'Hello' } },
      });
      expect((await post(elsewhere, '/graphql', { query })).status).toBe(404);
    });

    test('GraphQL shows browsers a self-contained page', async () => {
      const { status, headers, text } = await get(server, '/graphql', { headers: { accept: 'text/html' } });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(text).toContain('Orders');
      expect(text).not.toMatch(/(?:src|href)=["']?(?:https?:)?\/\//);
    });

    test('an answer to a GET has Vary: Accept and Cache-Control', async () => {
      const query = encodeURIComponent('{ greeting { text } }');
      for (const path of [`/graphql?query=${query}`, '/graphql?query={', '/graphql?query=%']) {
        for (const accept of ['application/json', 'application/graphql-response+json', 'text/event-stream']) {
          const { headers } = await get(server, path, { headers: { accept } });
          expect(headers.get('vary')).toMatch(/\baccept\b/i);
          expect(headers.get('cache-control')).toMatch(/no-store|no-cache/);
        }
      }
    });
  },
};
