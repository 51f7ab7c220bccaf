import { expect, test } from 'vitest';
import { mostValues } from '../../../../src/runtime/store/read/conditions.js';
import { sqliteStore } from '../../../../src/runtime/store/sqlite.js';
import { noSqlite } from '../engines.js';
import { checkFilters } from './odd-strings.js';
import { serveRows } from './serve-rows.js';

const source = `
(book_order: Enum { values: [TITLE, TITLE_DESC, year, year_desc] })
(author: Stored {
  id: ID!,
  name: String!,
  /// @store by writtenBy
  books(title: String, orderBy: BookOrder): [Book!]!,
  /// @store by writtenBy
  /// @page 2
  bookPage(orderBy: BookOrder): [Book!]!,
})
(book: Stored {
  id: ID!, title: String!, year: Int, writtenBy: ID,
  /// @store by writtenBy
  author: Author,
})
(book_filter: Input {
  /// @store contains title
  contains: String,
  /// @store startsWith title
  startsWith: String,
  /// @store ne title
  not: String,
  /// @store gte year
  from: Int,
  /// @store lt year
  to: Int,
})
(root)-[:PROCESS { operation: 'book', id: ID, returns: Book }]->(book)
(root)-[:PROCESS { operation: 'first', returns: Book }]->(book)
(root)-[:PROCESS { operation: 'books', id: [ID!], title: String, filter: BookFilter, orderBy: BookOrder, returns: [Book!]! }]->(book)
(root)-[:PROCESS { operation: 'bookPage', orderBy: BookOrder, returns: [Book!]!, page: 2 }]->(book)
(root)-[:PROCESS { operation: 'authors', returns: [Author!]! }]->(author)
`;

const rows = {
  author: [
    { id: 'a', name: 'Ada' },
    { id: 'b', name: 'Bob' },
    { id: 'c', name: 'Cy' },
  ],
  book: [
    { id: '1', title: 'Zoo', year: 3, writtenBy: 'a' },
    { id: '2', title: 'Ark', year: null, writtenBy: 'a' },
    { id: '3', title: 'Ark', year: 1, writtenBy: 'b' },
    { id: '4', title: 'a_k', year: 2, writtenBy: null },
    { id: '5', title: 'Bee', year: 3, writtenBy: 'a' },
  ],
};

test.skipIf(noSqlite)('a query whose result must be a row answers NOT_FOUND without one', async () => {
  const needed = `
(root)-[:PROCESS { operation: 'byId', id: ID!, returns: Book! }]->(book)
(root)-[:PROCESS { operation: 'byTitle', title: String!, year: Int!, returns: Book! }]->(book)
(root)-[:PROCESS { operation: 'newest', year: Int = 9, returns: Book! }]->(book)`;
  const { server } = await serveRows(source + needed, rows);
  // The second request runs a compiled plan.
  for (const [path, message] of [
    ['byId?id=9', 'There is no Book with this “id”.'],
    ['byId?id=9&fields=title', 'There is no Book with this “id”.'],
    ['byTitle?title=Zoo&year=1', 'There is no Book with these “title” and “year”.'],
    ['newest', 'There is no Book with this “year”.'],
  ])
    for (let turn = 0; turn < 3; turn++) {
      const response = await server.fetch(new Request(`http://localhost/api/${path}`));
      expect([path, response.status, await response.json()]).toMatchObject([path, 404, { detail: message }]);
    }
  const query = '{ byId(id: "9") { title } other: byId(id: "1") { title } }';
  const { errors } = await server.executeOperation({ query });
  expect(errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual([[['byId'], 'NOT_FOUND']]);
  expect((await server.fetch(new Request('http://localhost/api/byId?id=1'))).status).toBe(200);
});

test.skipIf(noSqlite)('reads one row, and lists with filters and orders', async () => {
  const { ask } = await serveRows(source, rows);
  expect(await ask('{ book(id: "3") { title author { name } } }')).toEqual({
    book: { title: 'Ark', author: { name: 'Bob' } },
  });
  expect(await ask('{ book(id: "9") { title } none: book { title } first { id } }')).toEqual({
    book: null,
    none: null,
    first: { id: '1' },
  });
  const ids = async (args: string) => {
    const data = (await ask(`{ books${args} { id } }`)) as { books: { id: string }[] };
    return data.books.map(({ id }) => id).join('');
  };
  expect(await ids('')).toBe('12345');
  expect(await ids('(title: "Ark")')).toBe('23');
  expect(await ids('(title: null)')).toBe('12345');
  expect(await ids('(id: ["1", "4", "x"])')).toBe('14');
  expect(await ids('(id: [])')).toBe('');
  expect(await ids('(filter: { contains: "_" })')).toBe('4');
  expect(await ids('(filter: { contains: "" })')).toBe('12345');
  expect(await ids('(filter: { startsWith: "A" })')).toBe('23');
  expect(await ids('(filter: { not: "Ark" })')).toBe('145');
  expect(await ids('(filter: { from: 2, to: 3 })')).toBe('4');
  expect(await ids('(orderBy: TITLE)')).toBe('23514');
  expect(await ids('(orderBy: TITLE_DESC)')).toBe('41523');
  expect(await ids('(orderBy: year)')).toBe('23415');
  expect(await ids('(orderBy: year_desc)')).toBe('15432');
});

test.skipIf(noSqlite)('reads rows with all of their relations in one statement', async () => {
  const { ask, statements } = await serveRows(source, rows);
  const query = `{ authors { name books(orderBy: TITLE) { title author { id } } bookPage(first: 1, orderBy: year_desc) { edges { node { id author { id } } } pageInfo { hasNextPage } } } }`;
  expect(await ask(query)).toEqual({
    authors: [
      {
        name: 'Ada',
        books: ['Ark', 'Bee', 'Zoo'].map((title) => ({ title, author: { id: 'a' } })),
        bookPage: { edges: [{ node: { id: '1', author: { id: 'a' } } }], pageInfo: { hasNextPage: true } },
      },
      {
        name: 'Bob',
        books: [{ title: 'Ark', author: { id: 'b' } }],
        bookPage: { edges: [{ node: { id: '3', author: { id: 'b' } } }], pageInfo: { hasNextPage: false } },
      },
      { name: 'Cy', books: [], bookPage: { edges: [], pageInfo: { hasNextPage: false } } },
    ],
  });
  expect(statements).toHaveLength(1);
  expect(await ask('{ books { author { id } } }')).toMatchObject({ books: { 3: { author: null } } });
  expect(statements).toHaveLength(1);
});

test.skipIf(noSqlite)('reads pages in both directions in each order', async () => {
  const { ask } = await serveRows(source, rows);
  type Page = { edges: { node: { id: string }; cursor: string }[]; pageInfo: Record<string, unknown> };
  for (const [order, all] of [
    ['TITLE', '23514'],
    ['year', '23415'],
    ['year_desc', '15432'],
  ] as const) {
    for (const [count, cursor] of [
      ['first', 'after'],
      ['last', 'before'],
    ] as const) {
      let found = '';
      for (let at: string | undefined = ''; at !== undefined; ) {
        const given = at === '' ? '' : `, ${cursor}: "${at}"`;
        const { bookPage } = (await ask(
          `{ bookPage(${count}: 2, orderBy: ${order}${given}) { edges { node { id } cursor } pageInfo { hasNextPage hasPreviousPage } } }`,
        )) as { bookPage: Page };
        const { edges, pageInfo } = bookPage;
        const part = edges.map(({ node }) => node.id).join('');
        found = count === 'first' ? found + part : part + found;
        const more = pageInfo[count === 'first' ? 'hasNextPage' : 'hasPreviousPage'];
        at = more === true ? edges.at(count === 'first' ? -1 : 0)?.cursor : undefined;
      }
      expect(found).toBe(all);
    }
  }
});

test.skipIf(noSqlite)('rejects cursors of other orders, and those that a client made up', async () => {
  const { ask } = await serveRows(source, rows);
  const { bookPage } = (await ask('{ bookPage(orderBy: TITLE) { edges { cursor } } }')) as {
    bookPage: { edges: { cursor: string }[] };
  };
  const after = (cursor = '') =>
    ask('query ($after: String) { bookPage(after: $after, orderBy: year) { edges { cursor } } }', {
      after: cursor,
    });
  const forged = (key: unknown) =>
    Buffer.from(JSON.stringify(['bookPage', null, typeof key === 'string' ? key : JSON.stringify(key)])).toString(
      'base64url',
    );
  const refusal = [['BAD_USER_INPUT', '“after” is not a cursor of this order.']];
  expect(await after(bookPage.edges[0]?.cursor)).toEqual(refusal);
  for (const key of [
    'x',
    '{}',
    ['year,id', 1],
    ['year,id', 'x', '1'],
    ['year,id', 2 ** 31, '1'],
    ['year,id', 1, null],
    ['year,id', 1, '\0'],
    ['year,id', 1, '\ud800'],
  ])
    expect(await after(forged(key))).toEqual(refusal);
  expect(await after(forged(['year,id', null, '']))).not.toEqual(refusal);
});

test.skipIf(noSqlite)('filters accept each string, or refuse it as bad input', () =>
  checkFilters(sqliteStore({ file: ':memory:' }), expect),
);

test.skipIf(noSqlite)('cuts lists at 1,000 rows, those of each parent alone', async () => {
  const book = Array.from({ length: 1002 }, (_, at) => ({
    id: String(at).padStart(5, '0'),
    title: 'x',
    writtenBy: at === 0 ? 'b' : 'a',
  }));
  const { ask } = await serveRows(source, { author: rows.author, book });
  const { books, authors } = (await ask('{ books { id } authors { books { id } } }')) as {
    books: unknown[];
    authors: { books: unknown[] }[];
  };
  expect(books).toHaveLength(1000);
  expect(authors.map((author) => author.books.length)).toEqual([1000, 1, 0]);
});

test.skipIf(noSqlite)('rejects lists that no statement can hold', async () => {
  const { ask } = await serveRows(source, rows);
  const query = 'query ($id: [ID!]) { books(id: $id) { id } }';
  const ids = Array.from({ length: mostValues + 1 }, (_, at) => String(at));
  expect(await ask(query, { id: ids })).toEqual([
    ['BAD_USER_INPUT', 'A list for “id” must have at most 10000 values.'],
  ]);
  expect(await ask(query, { id: ids.slice(1) })).toMatchObject({ books: { length: 5 } });
});

test.skipIf(noSqlite)('leaves the fields to the resolvers of the program', async () => {
  const { ask } = await serveRows(source, rows, {
    resolvers: { Query: { books: () => [{ id: 'x', title: 'own', writtenBy: 'b' }] } },
  });
  expect(await ask('{ books { title author { name } } }')).toEqual({
    books: [{ title: 'own', author: { name: 'Bob' } }],
  });
});
