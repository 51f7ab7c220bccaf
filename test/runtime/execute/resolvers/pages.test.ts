import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { decodeCursor, encodeCursor } from '../../../../src/compiler/schema/cursor.js';
import { createGqlServer } from '../../../../src/runtime/server/service.js';

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

const source = `
(thing { id: ID, name: String })
(root)-[:PROCESS { operation: 'things', returns: [Thing!]!, page: 3 }]->(thing)
(root)-[:PROCESS { operation: 'words', returns: [String!]!, page: 3 }]->(thing)`;

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly pageInfo: Readonly<Record<'hasNextPage' | 'hasPreviousPage', boolean>>;
}

type Args = Readonly<Record<'first' | 'last', number | undefined> & Record<'after' | 'before', string | undefined>>;

/** A page of things, as `abc>` when there is a next one and `<abc` when there is one before. */
function ask(things: unknown) {
  const server = createGqlServer({
    topologies: [{ name: 'a.gg', source }],
    resolvers: { Query: { things: things as never } },
  });
  return async (args = '') => {
    const query = `{ things${args === '' ? '' : `(${args})`} { edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage } } }`;
    const { data, errors } = await server.executeOperation({ query });
    if (errors !== undefined) return { text: errors[0]?.message ?? '', cursors: [] };
    const { edges, pageInfo } = (data as { readonly things: Page }).things;
    const ids = edges.map(({ node }) => node.id).join('');
    const text = `${pageInfo.hasPreviousPage ? '<' : ''}${ids}${pageInfo.hasNextPage ? '>' : ''}`;
    return { text, cursors: edges.map(({ cursor }) => cursor) };
  };
}

const listOf = (ids: string) => [...ids].map((id) => ({ id }));

describe('a resolver that returns a whole list', () => {
  test.each([
    ['', 'abc>'],
    ['first: 0', '>'],
    ['first: 9', 'abcde'],
    ['last: 2', '<de'],
    ['first: 2, after: "b"', '<cd>'],
    ['first: 2, after: "e"', '<'],
    ['last: 2, before: "d"', '<bc>'],
    ['first: 2, after: "a", before: "d"', '<bc>'],
    ['last: 1, after: "a", before: "d"', '<c>'],
    ['first: 2, after: "d", before: "b"', '<>'],
  ])('returns for “%s” the page %s', async (args, page) => {
    const given = args.replace(/"(.)"/g, (_, id: string) =>
      JSON.stringify(encodeCursor('things', { position: 'abcde'.indexOf(id), key: id })),
    );
    expect((await ask(listOf('abcde'))(given)).text).toBe(page);
  });

  test('may change between two pages', async () => {
    let ids = 'abcde';
    const page = ask(() => listOf(ids));
    const cursor = (await page('first: 2')).cursors[1];
    ids = 'xyabcde';
    expect((await page(`first: 2, after: "${cursor}"`)).text).toBe('<cd>');
    ids = 'acde';
    expect((await page(`first: 2, after: "${cursor}"`)).text).toBe('<cd>');
    ids = 'a';
    expect((await page(`first: 2, after: "${cursor}"`)).text).toBe('<');
  });

  test('may have items without an id', async () => {
    const server = createGqlServer({
      topologies: [{ name: 'a.gg', source }],
      resolvers: { Query: { words: ['a', 'b', 'c', 'd'] } },
    });
    const first = await server.executeOperation({
      query: '{ words { edges { node } pageInfo { endCursor } } }',
    });
    const { endCursor } = (first.data as { words: { pageInfo: { endCursor: string } } }).words.pageInfo;
    const query = `{ words(after: "${endCursor}") { edges { node } } }`;
    expect((await server.executeOperation({ query })).data).toEqual({ words: { edges: [{ node: 'd' }] } });
  });
});

describe('a resolver that returns a page', () => {
  test('gets the number of items and the key of the item before or after it', async () => {
    const seen: Args[] = [];
    const page = ask((_: unknown, args: Args) => {
      seen.push(args);
      return { items: listOf('abcd') };
    });
    const { text, cursors } = await page();
    expect(text).toBe('abc>');
    expect((await page(`first: 4, after: "${cursors[2]}"`)).text).toBe('<abcd');
    expect((await page(`last: 2, before: "${cursors[0]}"`)).text).toBe('<cd>');
    expect(seen).toEqual([{ first: 3 }, { first: 4, after: 'c' }, { last: 2, before: 'a' }]);
  });

  test('may set whether there are other pages, and provide keys', async () => {
    const page = ask((_: unknown, { after }: Args) => ({
      items: [{ id: after ?? '-' }],
      cursors: ['k/1'],
      hasNextPage: true,
      hasPreviousPage: true,
    }));
    const { text, cursors } = await page();
    expect(text).toBe('<->');
    expect((await page(`after: "${cursors[0]}"`)).text).toBe('<k/1>');
  });

  test('may return a connection, whose cursors become opaque', async () => {
    const page = ask((_: unknown, { after }: Args) => ({
      edges: [{ node: { id: after ?? '-' }, cursor: 'own' }],
      pageInfo: { hasNextPage: true, hasPreviousPage: false },
    }));
    const { text, cursors } = await page();
    expect([text, cursors]).toEqual(['->', [encodeCursor('things', { position: null, key: 'own' })]]);
    expect((await page(`after: "${cursors[0]}"`)).text).toBe('own>');
  });

  test.each([
    ['an object that is none', { name: 'x' }, /must return a list/],
    ['items without keys', { items: [{ name: 'x' }] }, /need/],
  ])('fails with %s', async (_, value, message) => {
    expect((await ask(() => value)()).text).toMatch(message);
  });
});

describe('a field with pages', () => {
  const nested = `
    (review { id: ID!, stars: Int! })
    (book {
      id: ID!,
      /// @page 2
      reviews(stars: Int): [Review!]!,
    })
    (root)-[:PROCESS { operation: 'books', returns: [Book!]! }]->(book)`;
  const reviews = ['a', 'b', 'c'].map((id, at) => ({ id, stars: at }));
  const fields = 'edges { node { id } } pageInfo { hasNextPage endCursor }';

  function serve(resolvers: Record<string, object>) {
    return createGqlServer({
      topologies: [{ name: 'a.gg', source: nested }],
      resolvers: {
        Query: {
          books: [
            { id: '1', reviews },
            { id: '2', reviews: [] },
          ],
        },
        ...resolvers,
      },
    });
  }

  test.each([
    ['the property of the object', {}],
    ['a resolver', { Book: { reviews: ({ id }: { id: string }) => (id === '1' ? reviews : []) } }],
    [
      'a batch resolver',
      { Book: { reviews: { batch: (keys: string[]) => keys.map((key) => (key === '1' ? reviews : [])) } } },
    ],
  ])('has the items of %s', async (_, resolvers) => {
    const server = serve(resolvers);
    const { data, errors } = await server.executeOperation({ query: `{ books { reviews { ${fields} } } }` });
    expect(errors).toBeUndefined();
    const [first, second] = (data as { books: { reviews: { pageInfo: { endCursor: string } } }[] }).books;
    expect(first).toMatchObject({
      reviews: { edges: [{ node: { id: 'a' } }, { node: { id: 'b' } }], pageInfo: { hasNextPage: true } },
    });
    expect(second).toEqual({ reviews: { edges: [], pageInfo: { hasNextPage: false, endCursor: null } } });
    const query = `{ books { reviews(first: 1, after: "${first?.reviews.pageInfo.endCursor}") { ${fields} } } }`;
    expect((await server.executeOperation({ query })).data).toMatchObject({
      books: [{ reviews: { edges: [{ node: { id: 'c' } }] } }, {}],
    });
  });

  test('is a connection with its items over REST', async () => {
    const response = await serve({}).fetch(new Request('http://localhost/api/books'));
    expect(await response.json()).toMatchObject([
      { id: '1', reviews: { edges: [{ node: { id: 'a', stars: 0 } }, { node: { id: 'b' } }] } },
      { reviews: { edges: [] } },
    ]);
  });
});

test('accepts only cursors of the server', () => {
  const cursor = { position: 3, key: 'ä/1' };
  const text = encodeCursor('x', cursor);
  expect(text).toMatch(/^[\w-]+$/);
  expect(decodeCursor('x', text)).toEqual(cursor);
  const forged = [
    '',
    '!',
    'e30',
    `${text}=`,
    ` ${text}`,
    btoa('["x",-1,"a"]'),
    btoa('["x",1.5,"a"]'),
    btoa('["x", 1,"a"]'),
  ];
  for (const one of [encodeCursor('y', cursor), ...forged]) expect(decodeCursor('x', one), one).toBeUndefined();
});

test.each([
  [listOf('abcde'), 5],
  [{ items: listOf('ab'), totalCount: 7 }, 7],
  [{ items: listOf('ab'), totalCount: async () => 8 }, 8],
  [{ items: listOf('ab') }, null],
  [{ edges: [], pageInfo: {}, totalCount: 9 }, 9],
])('pages tell the number of all items', async (things, total) => {
  const server = createGqlServer({
    topologies: [{ name: 'a.gg', source: source.replace('page: 3', "page: '3 totalCount'") }],
    resolvers: { Query: { things: things as never } },
  });
  const { data } = await server.executeOperation({ query: '{ things(first: 1) { totalCount } }' });
  expect(data).toEqual({ things: { totalCount: total } });
  const answer = await server.fetch(new Request('http://localhost/api/things?first=1'));
  expect(answer.headers.get('x-total-count')).toBe(total === null ? null : String(total));
});
