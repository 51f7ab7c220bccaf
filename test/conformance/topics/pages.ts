import { beforeAll, expect, test } from 'vitest';
import type { GqlServerOptions } from '../../../src/index.js';
import { ask, get } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';
import type { ConformanceContext } from '../topology.js';

const source = `
(book { id: ID!, title: String! })
(root)-[:PROCESS { operation: 'books', returns: [Book!]!, shelf: String, page: 2, route: 'GET /books' }]->(book)
(root)-[:PROCESS { operation: 'others', returns: [Book!], page: 2 }]->(book)
`;

const books = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, title: id.toUpperCase() }));

function options(): GqlServerOptions<ConformanceContext> {
  return {
    topologies: [{ name: 'books.gg', source }],
    limits: { pageSize: 4 },
    resolvers: { Query: { books, others: () => null } },
  };
}

const fields = '{ edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }';

/** Pages over GraphQL, and over REST with their links. */
export const pages: Topic = {
  name: 'pages',
  define(host) {
    let server: RunningHost;
    beforeAll(async () => {
      server = await host.start(options());
    });

    /** The ids of all pages from a URL on, by the links of a relation. */
    const follow = async (path: string, rel: string): Promise<string[]> => {
      const seen: string[] = [];
      let next: string | undefined = path;
      while (next !== undefined && seen.length < 10) {
        const { headers, body } = await get(server, next);
        seen.push(body.map(({ id }: { id: string }) => id).join(''));
        const link = headers
          .get('link')
          ?.split(', ')
          .find((one) => one.endsWith(`rel="${rel}"`));
        const target = link === undefined ? undefined : /^<(.*)>/.exec(link)?.[1];
        next = target === undefined ? undefined : new URL(target, `http://x${next}`).href.slice('http://x'.length);
      }
      return seen;
    };

    test('pages are linked over REST, with the other arguments', async () => {
      expect(await follow('/books', 'next')).toEqual(['ab', 'cd', 'e']);
      expect(await follow('/books?last=2', 'prev')).toEqual(['de', 'bc', 'a']);
      expect(await follow('/books?first=3&shelf=a%26b&fields=id', 'next')).toEqual(['abc', 'de']);
      const { headers } = await get(server, '/books?first=3&shelf=a%26b&fields=id');
      expect(headers.get('link')).toContain('<?shelf=a%26b&fields=id&first=3>; rel="first"');
      expect((await get(server, '/books', { method: 'HEAD' })).headers.get('link')).toContain('rel="next"');
    });

    test('pages have the same cursors over GraphQL', async () => {
      const { books: page } = (await ask(server, `{ books(first: 2) ${fields} }`)).body.data;
      expect(page.edges.map(({ node }: { node: { id: string } }) => node.id)).toEqual(['a', 'b']);
      const { endCursor, ...info } = page.pageInfo;
      expect(info).toEqual({ hasNextPage: true, hasPreviousPage: false, startCursor: page.edges[0].cursor });
      expect((await get(server, `/books?after=${endCursor}`)).body.map(({ id }: { id: string }) => id)).toEqual([
        'c',
        'd',
      ]);
    });

    test('a page is null if its result is null', async () => {
      const { text, headers } = await get(server, '/api/others');
      expect([text, headers.get('link')]).toEqual(['null', null]);
    });

    test('invalid page arguments are rejected', async () => {
      const { endCursor } = (await ask(server, `{ books ${fields} }`)).body.data.books.pageInfo;
      for (const query of [
        'first=1&last=1',
        'first=-1',
        'last=-1',
        'first=5',
        'after=',
        'before=x',
        `after=${endCursor}=`,
      ]) {
        const { status, body } = await get(server, `/books?${query}`);
        expect([query, status, body.code]).toEqual([query, 400, 'BAD_USER_INPUT']);
      }
      const other = await get(server, `/api/others?after=${endCursor}`);
      expect([other.status, other.body.detail]).toEqual([400, '“after” is not a cursor of others.']);
      expect(other.body.parameter).toBe('after');
      const { body } = await ask(server, '{ books(first: 1, last: 1) { pageInfo { endCursor } } }');
      expect(body.errors[0].extensions.code).toBe('BAD_USER_INPUT');
    });
  },
};
