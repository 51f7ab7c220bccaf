import { request } from 'node:http';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { get } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';

const source = `
(root)-[:PROCESS]->(book: Record { text: 'Hello' })
(root)-[:PROCESS { isbn: ID!, operation: 'item', route: 'GET /items/{isbn}' }]->(item: Record { isbn: ID! })
`;

const literals = ['/api/book', '/graphql', '/health/live', '/health/ready', '/schema.graphql', '/openapi.json', '/'];

/** Other spellings of a character, which parsers of URLs or proxies may take for it. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  '/': [
    '\\',
    '%2f',
    '%2F',
    '%5c',
    '%5C',
    '//',
    '/./',
    '/../',
    '/x/../',
    '/%2e/',
    '/%2E%2e/',
    '/.%2e/',
    '/x/%2e%2e/',
    '/\\',
    '%252f',
    '/;/',
    ';/',
  ],
  '.': ['%2e', '%2E', '%252e'],
};

const misspelled = fc
  .tuple(
    fc.constantFrom(...literals, '/items/7'),
    fc.array(fc.tuple(fc.nat(20), fc.nat(40)), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '', '/', '/.', '/..', '/%2e', '\\', '%2f', '#', '#x', ';x', '%00', '?x=/../a'),
  )
  .map(([path, changes, end]) => {
    const parts = [...path];
    for (const [at, choice] of changes) {
      const index = at % parts.length;
      const part = parts[index] as string;
      const encoded = [...part].map((one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
      const options = [...(spellings[part] ?? []), encoded];
      parts[index] = options[choice % options.length] as string;
    }
    return parts.join('') + end;
  });

/** However a path is spelled, it is the route with exactly that path, or none. */
export const pathSpellings: Topic = {
  name: 'spellings of a path',
  define(host) {
    let server: RunningHost;
    beforeAll(async () => {
      server = await host.start({
        topologies: [{ name: 'books.gg', source }],
        resolvers: { Query: { item: (_: unknown, { isbn }: { isbn: string }) => ({ isbn }) } },
      });
    });

    /** Sends a path as it is written. Over fetch, the request has normalized it before the server gets it. */
    const send = (path: string): Promise<{ readonly status: number; readonly text: string }> =>
      new Promise((resolve, reject) => {
        const { hostname, port } = new URL(server.origin);
        request({ hostname, port, path, agent: false }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk) => {
            text += chunk;
          });
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        })
          .on('error', reject)
          .end();
      });

    test.runIf(host.hasNetwork)('another spelling of a path does not reach the route', async () => {
      await fc.assert(
        fc.asyncProperty(misspelled, async (spelled) => {
          const { status, text } = await send(spelled);
          const [path = ''] = spelled.split('?', 1);
          const [, segment] = /^\/items\/([^/\\#]+)$/.exec(path) ?? [];
          // An encoded slash in the place of an argument is data.
          if (status === 200 && segment !== undefined && !/^(?:\.|%2e){1,2}$/i.test(segment))
            expect(JSON.parse(text)).toEqual({ isbn: decodeURIComponent(segment) });
          else if (!literals.includes(path)) expect([spelled, [400, 404].includes(status)]).toEqual([spelled, true]);
        }),
        { numRuns: 300 },
      );
    });

    test
      .runIf(host.hasNetwork)
      .each([
        '/api\\book',
        '\\api\\book',
        '/api/./book',
        '/x/../api/book',
        '/x/%2e%2e/api/book',
        '/%2E/api/book',
        '/api/book#',
        '/api%2fbook',
        '/api%5cbook',
        '/api//book',
        '/api/book/',
        '/api/b%6fok',
      ])('is refused: %s', async (path) => {
      expect([400, 404]).toContain((await send(path)).status);
      expect((await send('/api/book')).status).toBe(200);
    });

    test.each(['a%2Fb', 'a%5Cb', 'a.b', 'a%2Eb', '...', '%C3%A9', 'a;b', 'a:b', 'a%23b', 'a%3Fb'])(
      'an argument of a path may contain any data: %s',
      async (segment) => {
        const answer = await get(server, `/items/${segment}`);
        expect([answer.status, answer.body]).toEqual([200, { isbn: decodeURIComponent(segment) }]);
      },
    );
  },
};
