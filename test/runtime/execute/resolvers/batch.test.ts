import { describe, expect, test } from 'vitest';
import type { Resolvers } from '../../../../src/runtime/execute/resolvers/contract.js';
import { post, run, serve } from '../../server/topology-server.js';

const source = `
  (author { id: ID!, name: String! })
  (tag { id: ID!, name: String! })
  (review { text: String!, stars: Int! })
  (book {
    id: ID!, title: String!, authorId: ID, tagIds: [ID!]!,
    author: Author, tags: [Tag]!, reviews(stars: Int = 0): [Review!]!,
  })
  (root)-[:PROCESS { first: Int, operation: 'books', returns: [Book!]! }]->(book)
  (form { title: String })-[:FOLD]->(saved { book: Book })
  (saved)-[:FORK]->(book_saved { book: Book })
`;

const books = [
  { id: 1, title: 'A', authorId: 'x', tagIds: ['t', 'u'] },
  { id: 2, title: 'B', authorId: 'y', tagIds: ['u'] },
  { id: 3, title: 'C', authorId: 'x', tagIds: [] },
  { id: 4, title: 'D', authorId: null, tagIds: ['t'] },
];

/** Resolvers that note the keys of each call. */
function noting(more: Record<string, unknown> = {}) {
  const calls: unknown[] = [];
  const byKey =
    (name: string, value: (key: unknown) => unknown) =>
    async (keys: readonly unknown[], _context: unknown, args: Readonly<Record<string, unknown>>) => {
      calls.push([name, keys, args]);
      return keys.map(value);
    };
  const resolvers: Resolvers = {
    Query: { books: () => books },
    Mutation: { saved: () => ({ book: books[0] }) },
    Book: {
      author: { batch: byKey('author', (key) => (key === 'y' ? null : { id: key, name: `Author ${key}` })) },
      tags: { batch: byKey('tags', (key) => ({ id: key, name: `Tag ${key}` })) },
      reviews: { batch: byKey('reviews', (key) => [{ text: `Of ${key}`, stars: 5 }]) },
      ...more,
    },
  };
  return { calls, server: serve(source, { resolvers }) };
}

describe('a batch resolver', () => {
  test('is called once for all parents, with each key once', async () => {
    const { calls, server } = noting();
    const { data, errors } = await run(server, '{ books { title author { name } } }');
    expect(errors).toBeUndefined();
    expect(data.books.map((book: { author: unknown }) => book.author)).toEqual([
      { name: 'Author x' },
      null,
      { name: 'Author x' },
      null,
    ]);
    expect(calls).toEqual([['author', ['x', 'y'], {}]]);
  });

  test('reads the elements of a list by their keys', async () => {
    const { calls, server } = noting();
    const { data } = await run(server, '{ books { tags { id } } }');
    expect(data.books.map(({ tags }: { tags: { id: string }[] }) => tags.map(({ id }) => id))).toEqual(
      books.map(({ tagIds }) => tagIds),
    );
    expect(calls).toEqual([['tags', ['t', 'u'], {}]]);
  });

  test('gets the id of the parent as text for a list without keys', async () => {
    const { calls, server } = noting();
    await run(server, '{ books { reviews { text } } }');
    expect(calls).toEqual([['reviews', ['1', '2', '3', '4'], { stars: 0 }]]);
  });

  test('is called once for each set of arguments', async () => {
    const { calls, server } = noting();
    await run(server, '{ books { good: reviews(stars: 4) { text } all: reviews { text } } }');
    expect(calls).toEqual([
      ['reviews', ['1', '2', '3', '4'], { stars: 4 }],
      ['reviews', ['1', '2', '3', '4'], { stars: 0 }],
    ]);
  });

  test('is called once for each operation, also in one tick', async () => {
    const { calls, server } = noting();
    await Promise.all([1, 2].map(() => run(server, '{ books { author { name } } }')));
    expect(calls).toEqual([
      ['author', ['x', 'y'], {}],
      ['author', ['x', 'y'], {}],
    ]);
  });

  test('serves REST and GraphQL', async () => {
    const { calls, server } = noting();
    const { body } = await post(server, '/graphql', { query: '{ books { author { name } } }' });
    calls.length = 0;
    const response = await server.fetch(new Request('http://test.local/api/books?fields=author.name'));
    expect(await response.json()).toEqual(body.data.books);
    expect(calls).toEqual([['author', ['x', 'y'], {}]]);
  });

  test('resolves the payloads of events', async () => {
    const { server } = noting();
    const stream = await server.subscribe({
      query: 'subscription { bookSaved { book { author { name } } } }',
    });
    if (!(Symbol.asyncIterator in stream)) throw new Error(JSON.stringify(stream));
    const next = stream.next();
    await server.publish('bookSaved', { book: books[0] });
    expect(JSON.parse(JSON.stringify((await next).value))).toEqual({
      data: { bookSaved: { book: { author: { name: 'Author x' } } } },
    });
    await stream.return();
  });

  test('reads its key through the resolver of the key', async () => {
    const { calls, server } = noting({ authorId: (book: { title: string }) => book.title });
    await run(server, '{ books { author { name } } }');
    expect(calls).toEqual([['author', ['A', 'B', 'C', 'D'], {}]]);
  });

  test.each([
    ['throws', () => Promise.reject(new Error('down')), 'down'],
    ['returns too few values', () => [1], 'Book.author returned 1 values for 2 keys'],
    ['returns no array', () => ({ x: 1 }), 'Book.author returned no array for 2 keys'],
  ])('that %s fails only its own fields', async (_, batch, message) => {
    const noted: string[] = [];
    const resolvers: Resolvers = {
      Query: { books: () => books },
      Book: { author: { batch: batch as never } },
    };
    const server = serve(source, {
      resolvers,
      onError: ({ error }: { error: unknown }) => noted.push(String(error)),
    } as never);
    const { data, errors } = await run(server, '{ books { title author { name } } }');
    expect(data.books.map(({ title }: { title: string }) => title)).toEqual(['A', 'B', 'C', 'D']);
    expect(errors).toHaveLength(3);
    expect(JSON.stringify([errors, noted])).toContain(message);
  });

  test('may fail for one key', async () => {
    const { server } = noting({
      author: {
        batch: (keys: readonly unknown[]) => keys.map((key) => (key === 'x' ? new Error('no') : null)),
      },
    });
    const { errors } = await run(server, '{ books { author { name } } }');
    expect(errors.map(({ path }: { path: unknown[] }) => path[1])).toEqual([0, 2]);
  });

  test('feeds scalars, enums and lists of them, with access and errors as other batches', async () => {
    const text = `
      (mood: Enum { values: [GOOD, BAD] })
      (slot { id: ID!, free: Boolean!, mood: Mood, tags: [String!]!, /// @scopes read
        note: String })
      (root)-[:PROCESS { operation: 'slots', returns: [Slot!]! }]->(slot)`;
    const calls: unknown[] = [];
    const each = (name: string, value: (id: string) => unknown) => ({
      batch: (ids: readonly string[]) => {
        calls.push([name, ids]);
        return ids.map(value);
      },
    });
    const server = serve(text, {
      resolvers: {
        Query: { slots: () => [{ id: 1 }, { id: 2 }] },
        Slot: {
          free: each('free', (id) => id === '1'),
          mood: each('mood', (id) => (id === '1' ? 'GOOD' : new Error('no mood'))),
          tags: each('tags', (id) => [id, 'x']),
          note: each('note', () => 'secret'),
        },
      },
      authenticate: () => null,
    });
    const { data, errors } = await run(server, '{ slots { free mood tags } }');
    expect(data.slots).toEqual([
      { free: true, mood: 'GOOD', tags: ['1', 'x'] },
      { free: false, mood: null, tags: ['2', 'x'] },
    ]);
    expect(errors.map(({ path }: { path: unknown }) => path)).toEqual([['slots', 1, 'mood']]);
    expect(calls).toEqual(['free', 'mood', 'tags'].map((name) => [name, ['1', '2']]));
    calls.length = 0;
    const free = await server.fetch(new Request('http://test.local/api/slots?fields=free'));
    expect(await free.json()).toEqual([{ free: true }, { free: false }]);
    expect(calls).toEqual([['free', ['1', '2']]]);
    const guarded = await post(server, '/graphql', { query: '{ slots { note } }' });
    expect(guarded.body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    expect(calls).toHaveLength(1);
  });

  test('of a field without a key is rejected', () => {
    const text = '(a { b: B }) (b { x: Int }) (root)-[:PROCESS]->(a)';
    expect(() => serve(text, { resolvers: { A: { b: { batch: () => [] } } } })).toThrow(/A\.b.*key/s);
  });

  test('with other properties is a value instead', async () => {
    const text = '(a { b: B! }) (b { batch: String, x: Int! }) (root)-[:PROCESS]->(a { id: 1 })';
    const server = serve(text, { resolvers: { A: { b: { batch: () => 'y', x: 1 } } } });
    expect((await run(server, '{ a { b { batch x } } }')).data).toEqual({ a: { b: { batch: 'y', x: 1 } } });
  });
});
