import { beforeAll, expect, test } from 'vitest';
import type { GqlServerOptions } from '../../../src/index.js';
import { get } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';
import type { ConformanceContext } from '../topology.js';

const source = `
(shelf: Enum { values: [NEW, OLD] })
(book: Record { isbn: ID!, title: String!, shelf: Shelf, year: Int })
(book_form { title: String, year: Int })
(root)-[:PROCESS { isbn: ID!, loud: Boolean, route: 'GET /books/{isbn}', null: 404 }]->(book)
(root)-[:PROCESS { operation: 'newest', returns: Book, route: 'GET /books/newest' }]->(book)
(root)-[:PROCESS { operation: 'onShelf', returns: [Book!]!, shelf: Shelf!, year: Int!,
  route: 'GET /v1.0/shelves/{shelf}/{year}' }]->(book)
(book_form)-[:FOLD { isbn: ID!, input: BookForm!, route: 'PUT /books/{isbn}', status: 201, returns: Book }]->(save_book)
(root)-[:FOLD { isbn: ID!, why: String, route: 'DELETE /books/{isbn}', status: 204, null: 410, returns: Book }]->(drop_book)
(cover { of: ID!, type: String! })
(root)-[:PROCESS { operation: 'myBook', returns: Book, route: 'GET /books/@me' }]->(book)
(root)-[:PROCESS { operation: 'plainBook', isbn: ID!, returns: Book, route: 'GET /books/{isbn}.txt' }]->(book)
(root)-[:PROCESS { of: ID!, type: String!, route: 'GET /books/{of}/cover.{type}' }]->(cover)
(root)-[:PROCESS { operation: 'changes', base: String!, head: String!, returns: [String!]!,
  route: 'GET /compare/{base}...{head}' }]->(book)
(root)-[:FOLD { operation: 'patchBook', isbn: ID!, title: String, route: 'PATCH /books/{isbn}', returns: Book }]->(patched)
`;

function options(): GqlServerOptions<ConformanceContext> {
  const book = (isbn: string, title = 'Emma') => ({ isbn, title, shelf: 'NEW', year: 1815 });
  return {
    topologies: [{ name: 'books.gg', source }],
    resolvers: {
      Query: {
        book: (_: unknown, { isbn, loud }: { isbn: string; loud?: boolean }) =>
          isbn === 'none' ? null : book(isbn, loud === true ? 'EMMA' : 'Emma'),
        newest: () => book('newest', 'New'),
        myBook: () => book('mine', 'Mine'),
        plainBook: (_: unknown, { isbn }: { isbn: string }) => book(isbn, 'plain'),
        cover: (_: unknown, args: object) => args,
        changes: (_: unknown, { base, head }: { base: string; head: string }) => [base, head],
        onShelf: (_: unknown, args: object) => [book('1', JSON.stringify(args))],
      },
      Mutation: {
        saveBook: (_: unknown, { isbn, input }: { isbn: string; input: { title: string } }) => book(isbn, input.title),
        dropBook: (_: unknown, { isbn, why }: { isbn: string; why?: string }) =>
          isbn === 'none' ? null : book(isbn, why),
        patchBook: (_: unknown, { isbn, title }: { isbn: string; title?: string }) => book(isbn, title),
      },
    },
  };
}

/** The routes and the statuses that a topology gives. */
export const routes: Topic = {
  name: 'routes of a topology',
  define(host) {
    let server: RunningHost;
    beforeAll(async () => {
      server = await host.start(options());
    });
    const send = (method: string, path: string, body?: unknown) =>
      get(server, path, {
        method,
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });

    test('a route reads arguments from the path, the query string and the body', async () => {
      expect((await get(server, '/books/7?loud=true&fields=isbn&fields=title')).body).toEqual({
        isbn: '7',
        title: 'EMMA',
      });
      const saved = await send('PUT', '/books/7', { input: { title: 'Persuasion' } });
      expect([saved.status, saved.body.isbn, saved.body.title]).toEqual([201, '7', 'Persuasion']);
      expect((await send('PATCH', '/books/8', { title: 'Sanditon' })).body.title).toBe('Sanditon');
      expect((await send('PATCH', '/books/8')).body.title).toBe('Emma');
    });

    test('a route splits the path before it decodes segments, and parses them by type', async () => {
      expect((await get(server, '/books/a%2Fb%20%C3%A4+c')).body.isbn).toBe('a/b ä+c');
      expect(JSON.parse((await get(server, '/v1.0/shelves/OLD/1813')).body[0].title)).toEqual({
        shelf: 'OLD',
        year: 1813,
      });
      const wrong = await get(server, '/v1.0/shelves/OLD/soon');
      expect([wrong.status, wrong.body.parameter]).toEqual([400, 'year']);
      expect((await get(server, '/v1.0/shelves/MIDDLE/1')).body.parameter).toBe('shelf');
      expect((await get(server, '/books/%ff')).status).toBe(400);
    });

    test('a route rejects an argument of the path in the query string or in the body', async () => {
      expect((await get(server, '/books/7?isbn=8')).body.parameter).toBe('isbn');
      expect((await send('PATCH', '/books/8', { isbn: '9' })).body.parameter).toBe('isbn');
      expect((await send('DELETE', '/books/8?reason=old')).body.parameter).toBe('reason');
    });

    test('a request gets the more specific route', async () => {
      expect((await get(server, '/books/newest')).body.title).toBe('New');
      expect((await get(server, '/books/@me')).body.title).toBe('Mine');
      expect((await get(server, '/books/7.txt')).body).toMatchObject({ isbn: '7', title: 'plain' });
      expect((await get(server, '/books/.txt')).body).toMatchObject({ isbn: '.txt', title: 'Emma' });
    });

    test('finds the path for each method by itself, and allows the methods of all paths that match', async () => {
      const saved = await send('PUT', '/books/newest', { input: { title: 'Persuasion' } });
      expect([saved.status, saved.body.isbn, saved.body.title]).toEqual([201, 'newest', 'Persuasion']);
      const wrong = await send('POST', '/books/newest', {});
      expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT, DELETE, PATCH, OPTIONS']);
      expect((await send('OPTIONS', '/books/@me')).headers.get('allow')).toContain('PUT');
    });

    test('reads the arguments of a segment with texts', async () => {
      expect((await get(server, '/books/7/cover.tar.gz')).body).toEqual({ of: '7', type: 'tar.gz' });
      expect((await get(server, '/books/7/cover.')).status).toBe(404);
      expect((await get(server, '/compare/v1.0...a%2Fb...c')).body).toEqual(['v1.0', 'a/b...c']);
      expect((await get(server, '/compare/v1..v2')).status).toBe(404);
    });

    test('a route answers with the statuses of the edge', async () => {
      const missing = await get(server, '/books/none');
      expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
      expect(missing.body).toMatchObject({ status: 404, title: 'Not Found', detail: 'There is no result.' });
      const dropped = await send('DELETE', '/books/7?why=old');
      expect([dropped.status, dropped.text, dropped.headers.get('content-type')]).toEqual([204, '', null]);
      expect((await send('DELETE', '/books/none')).status).toBe(410);
    });

    test('a route answers HEAD, OPTIONS and wrong methods with the allowed methods', async () => {
      expect((await send('HEAD', '/books/7')).status).toBe(200);
      const allow = 'GET, HEAD, PUT, DELETE, PATCH, OPTIONS';
      expect((await send('OPTIONS', '/books/7')).headers.get('allow')).toBe(allow);
      const wrong = await send('POST', '/books/7', {});
      expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, allow]);
    });

    test('a route replaces the default route, and has no paths below it', async () => {
      for (const path of ['/api/book?isbn=7', '/api/onShelf', '/books/7/', '/books/', '/v1x0/shelves/OLD/1'])
        expect((await get(server, path)).status, path).toBe(404);
    });
  },
};
