import { beforeAll, expect, test } from 'vitest';
import { AuthenticationError, apiKeys } from '../../../src/index.js';
import { get } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';

const source = `
(root)-[:PROCESS { auth: 'required' }]->(mine: Record { text: 'for one' })
(root)-[:PROCESS]->(open: Record { text: 'for all' })
(root)-[:PROCESS { auth: 'optional' }]->(maybe: Record { text: 'for some' })
`;
const gql = (query: string) => `/graphql?query=${encodeURIComponent(query)}`;
const json = { accept: 'application/json', 'apollo-require-preflight': '1' };

/** What caches are told of the answers to GET on a server that authenticates. */
export const caching: Topic = {
  name: 'caches',
  define(host) {
    let server: RunningHost;
    beforeAll(async () => {
      server = await host.start({
        topologies: [{ name: 'caches.gg', source }],
        authenticate: [
          apiKeys({ header: 'X-Partner-Key', lookup: () => null }),
          ({ header }) => {
            if (header('cookie') === 'sid=wrong') throw new AuthenticationError();
            return header('cookie') === 'sid=1' ? { id: 'ada' } : null;
          },
        ],
      });
    });
    const varied = (headers: Headers) => headers.get('vary')?.toLowerCase().split(/,\s*/) ?? [];

    test.each([
      ['an answer for a caller', '/api/mine', { cookie: 'sid=1' }, 200],
      ['an open answer for a caller', '/api/open', { cookie: 'sid=1' }, 200],
      ['a refusal', '/api/mine', {}, 401],
      ['a refusal of credentials', '/api/open', { cookie: 'sid=wrong' }, 401],
      ['an answer that may be for a caller', '/api/maybe', {}, 200],
      ['GraphQL', gql('{ mine { text } }'), { cookie: 'sid=1', ...json }, 200],
      ['an open field over GraphQL', gql('{ open { text } }'), { cookie: 'sid=1', ...json }, 200],
    ])('caches must not store %s', async (_, path, headers, status) => {
      for (const method of ['GET', ...(path.startsWith('/api') ? ['HEAD'] : [])]) {
        const answer = await get(server, path, { method, headers });
        expect([answer.status, answer.headers.get('cache-control')]).toEqual([status, 'private, no-store']);
        for (const name of ['authorization', 'cookie', 'x-partner-key']) expect(varied(answer.headers)).toContain(name);
      }
    });

    test('a public answer varies by credentials', async () => {
      const { headers } = await get(server, '/api/open');
      expect(headers.get('cache-control')).toBeNull();
      expect(varied(headers)).toEqual(expect.arrayContaining(['authorization', 'cookie', 'x-partner-key']));
    });

    test.each(['/', '/openapi.json', '/health/live'])('documents do not vary by credentials: %s', async (path) => {
      const { headers } = await get(server, path, { headers: { cookie: 'sid=1' } });
      expect(headers.get('cache-control')).not.toBe('private, no-store');
      expect(varied(headers)).not.toContain('authorization');
    });
  },
};
