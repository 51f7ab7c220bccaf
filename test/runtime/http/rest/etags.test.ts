import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGqlServer, type GqlServer } from '../../../../src/index.js';

const source = `
  (book { isbn: ID!, title: String! })
  (draft { isbn: ID! })
  (root)-[:PROCESS { isbn: ID!, route: 'GET /books/{isbn}', null: 404, etag: true }]->(book)
  (root)-[:PROCESS { operation: 'books', returns: [Book!]!, page: 10, route: 'GET /books', etag: true }]->(book)
  (root)-[:PROCESS { operation: 'plain', returns: String }]->(book)
  (root)-[:FOLD { isbn: ID!, title: String!, route: 'PUT /books/{isbn}', etag: true, returns: Book! }]->(save_book)
  (root)-[:FOLD { isbn: ID!, route: 'DELETE /books/{isbn}', status: 204, etag: 'required', returns: Boolean }]->(drop_book)
  (root)-[:PROCESS { isbn: ID!, route: 'GET /drafts/{isbn}', etag: true, scopes: ['drafts:read'] }]->(draft)
  (root)-[:FOLD { isbn: ID!, route: 'PUT /drafts/{isbn}', etag: true, returns: Boolean }]->(save_draft)
`;

let server: GqlServer;
let books: Map<string, string>;
let fails = false;
beforeEach(() => {
  books = new Map([['1', 'Emma']]);
  fails = false;
  const read = (isbn: string) => {
    if (fails) throw new Error('out of order');
    const title = books.get(isbn);
    return title === undefined ? null : { isbn, title };
  };
  server = createGqlServer({
    topologies: [{ name: 'a.gg', source }],
    idempotency: {},
    authenticate: ({ header }) => {
      const scopes = header('x-scopes');
      return scopes === undefined ? null : { id: 'ada', scopes: scopes.split(' ') };
    },
    context: async () => ({}),
    resolvers: {
      Query: {
        book: (_, { isbn }) => read(isbn as string),
        books: () => [...books].map(([isbn, title]) => ({ isbn, title })),
        plain: () => 'plain',
        draft: (_, { isbn }) => ({ isbn }),
      },
      Mutation: {
        saveBook: (_, { isbn, title }) => {
          books.set(isbn as string, title as string);
          return { isbn, title };
        },
        dropBook: (_, { isbn }) => books.delete(isbn as string),
        saveDraft: () => books.set('draft', 'saved') !== undefined,
      },
    },
  });
});
afterEach(async () => {
  await server.close();
  vi.restoreAllMocks();
});

type Headers = Readonly<Record<string, string>>;

const get = (target: string, headers: Headers = {}, method = 'GET') =>
  server.fetch(new Request(`http://localhost${target}`, { method, headers }));

const put = (target: string, headers: Headers, body: object = { title: 'Persuasion' }) =>
  server.fetch(
    new Request(`http://localhost${target}`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );

const tagOf = async (target: string, headers: Headers = {}) => (await get(target, headers)).headers.get('etag') ?? '';

describe('the ETag of a read', () => {
  test('is strong, and the same for the same body', async () => {
    const tag = await tagOf('/books/1');
    expect(tag).toMatch(/^"[\w-]{43}"$/);
    expect(await tagOf('/books/1')).toBe(tag);
    expect(await tagOf('/books/1?fields=title')).not.toBe(tag);
    books.set('1', 'Persuasion');
    expect(await tagOf('/books/1')).not.toBe(tag);
    expect(await tagOf('/books')).toMatch(/^"/);
  });

  test('is absent from other reads, and from errors', async () => {
    expect([await tagOf('/api/plain'), await tagOf('/books/2')]).toEqual(['', '']);
  });

  test.each([
    ['the same tag', (tag: string) => tag],
    ['a weak tag', (tag: string) => `W/${tag}`],
    ['a list with it', (tag: string) => `"other", W/"x",${tag}`],
    ['any tag', () => ' * '],
  ])('gives 304 without content for %s', async (_, condition) => {
    const tag = await tagOf('/books/1');
    for (const method of ['GET', 'HEAD']) {
      const answer = await get('/books/1', { 'if-none-match': condition(tag) }, method);
      expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([304, tag, '']);
      expect(answer.headers.get('content-type')).toBeNull();
      expect(answer.headers.get('vary')).not.toBeNull();
    }
  });

  test('gives the content for another tag, and a problem for what is not there', async () => {
    const other = await get('/books/1', { 'if-none-match': '"other", other' });
    expect([other.status, await other.json()]).toEqual([200, { isbn: '1', title: 'Emma' }]);
    expect((await get('/books/2', { 'if-none-match': '*' })).status).toBe(404);
  });
});

describe('the precondition of a write', () => {
  test('lets the first of two writers change what both have read', async () => {
    const tag = await tagOf('/books/1');
    expect((await put('/books/1', { 'if-match': `"old", ${tag}` })).status).toBe(200);
    const late = await put('/books/1', { 'if-match': tag }, { title: 'Sanditon' });
    expect(late.status).toBe(412);
    expect(await late.json()).toMatchObject({ code: 'PRECONDITION_FAILED' });
    expect(books.get('1')).toBe('Persuasion');
  });

  test('is optional unless the setting requires it', async () => {
    expect((await put('/books/1', {})).status).toBe(200);
    const lacking = await get('/books/1', {}, 'DELETE');
    expect([lacking.status, await lacking.json()]).toEqual([
      428,
      expect.objectContaining({ code: 'PRECONDITION_REQUIRED' }),
    ]);
    const tag = await tagOf('/books/1');
    expect((await get('/books/1', { 'if-match': tag }, 'DELETE')).status).toBe(204);
    expect((await get('/books/1', { 'if-match': '*' }, 'DELETE')).status).toBe(412);
  });

  test('compares strongly, so that a weak tag never matches', async () => {
    expect((await put('/books/1', { 'if-match': `W/${await tagOf('/books/1')}` })).status).toBe(412);
    expect((await put('/books/1', { 'if-match': '*' })).status).toBe(200);
  });

  test('can say that nothing is there yet', async () => {
    expect((await put('/books/2', { 'if-none-match': '*' })).status).toBe(200);
    expect((await put('/books/2', { 'if-none-match': '*' })).status).toBe(412);
    expect((await put('/books/2', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('compares with the read without a query string', async () => {
    const tag = await tagOf('/books/1');
    expect((await put('/books/1?fields=title', { 'if-match': tag })).status).toBe(200);
    expect((await put('/books/1', { 'if-match': await tagOf('/books/1?fields=title') })).status).toBe(412);
  });

  test('tells nothing to a caller that may not read', async () => {
    const tag = await tagOf('/drafts/1', { 'x-scopes': 'drafts:read' });
    for (const condition of [tag, '*', '"other"']) {
      const answer = await put('/drafts/1', { 'if-match': condition, 'x-scopes': 'none' }, {});
      expect([answer.status, books.has('draft')]).toEqual([403, false]);
    }
    const allowed = await put('/drafts/1', { 'if-match': tag, 'x-scopes': 'drafts:read' }, {});
    expect([allowed.status, books.has('draft')]).toEqual([200, true]);
  });

  test('does not hold for a repeat, which gets its first answer', async () => {
    const headers = { 'if-match': await tagOf('/books/1'), 'idempotency-key': 'a', 'x-scopes': 'any' };
    const first = await (await put('/books/1', headers)).text();
    const again = await put('/books/1', headers);
    expect([again.status, again.headers.get('idempotency-replayed'), await again.text()]).toEqual([200, 'true', first]);
  });

  test('leaves the key to the next try if it refuses the call', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const headers = { 'idempotency-key': 'a', 'x-scopes': 'any' };
    expect((await put('/books/1', { ...headers, 'if-match': '"old"' })).status).toBe(412);
    const tag = await tagOf('/books/1');
    fails = true;
    expect((await put('/books/1', { ...headers, 'if-match': tag })).status).toBe(500);
    fails = false;
    expect((await put('/books/1', { ...headers, 'if-match': tag })).status).toBe(200);
  });
});
