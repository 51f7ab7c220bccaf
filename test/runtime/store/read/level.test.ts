import { expect, test, vi } from 'vitest';
import { mostValues } from '../../../../src/runtime/store/read/conditions.js';
import { noSqlite } from '../engines.js';
import { serveRows } from './serve-rows.js';

const columns = Array.from({ length: 120 }, (_, at) => `c${at}`);

const source = `
(book_order: Enum { values: [TITLE, TITLE_DESC] })
(named: Interface { id: ID! })
(author: Stored {
  id: ID!,
  name: String!,
  books(id: [ID!], orderBy: BookOrder): [Book!]!,
  /// @page 2
  bookPage(orderBy: BookOrder): [Book!]!,
})
(book: Stored { id: ID!, title: String!, authorId: ID, author: Author, ${columns.map((name) => `${name}: Int`).join(', ')} })
(root)-[:PROCESS { operation: 'author', id: ID!, returns: Author }]->(author)
(root)-[:PROCESS { operation: 'authors', returns: [Author!]! }]->(author)
(root)-[:PROCESS { operation: 'authorPage', returns: [Author!]!, page: 2 }]->(author)
(root)-[:PROCESS { operation: 'book', id: ID!, returns: Book }]->(book)
(author | book)-[:RACE]->(found)
(root)-[:PROCESS { operation: 'found', id: ID!, returns: Found }]->(found)
`;

const rows = {
  author: [
    { id: 'a', name: 'Ada' },
    { id: 'b', name: 'Bob' },
  ],
  book: [
    { id: '1', title: 'Zoo', authorId: 'a', c119: 7 },
    { id: '2', title: 'Ark', authorId: 'a' },
    { id: '3', title: 'Bee', authorId: 'a' },
  ],
};

test.skipIf(noSqlite)('reads only the columns that a selection needs', async () => {
  const { ask, statements } = await serveRows(source, rows);
  await ask('{ author(id: "a") { __typename books { id } } }');
  expect(statements).toHaveLength(1);
  expect(statements[0]).not.toMatch(/name|title|c0/);
});

test.skipIf(noSqlite)('builds the statement of a selection once', async () => {
  const { ask, statements } = await serveRows(source, rows);
  const query = 'query ($id: ID!) { author(id: $id) { name books { title } } }';
  expect(await ask(query, { id: 'a' })).toMatchObject({ author: { name: 'Ada', books: { length: 3 } } });
  const [first] = statements;
  expect(await ask(query, { id: 'b' })).toEqual({ author: { name: 'Bob', books: [] } });
  expect(statements).toEqual([first]);
});

test.skipIf(noSqlite)('compiles one statement for an operation that is repeated with other arguments', async () => {
  const { server } = await serveRows(source, rows);
  const compileQuery = vi.spyOn((await server.store()).getExecutor(), 'compileQuery');
  const query =
    'query ($id: ID!, $some: [ID!], $yes: Boolean!) { author(id: $id) { name @include(if: $yes) books(id: $some) { title } } }';
  for (const id of ['a', 'b', 'x', 'a'])
    await server.executeOperation({ query, variables: { id, some: [id], yes: true } });
  expect(compileQuery).toHaveBeenCalledTimes(1);
  await server.executeOperation({ query, variables: { id: 'a', some: ['1', '2'], yes: true } });
  await server.executeOperation({ query, variables: { id: 'a', some: ['1'], yes: false } });
  expect(compileQuery).toHaveBeenCalledTimes(3);
});

test.skipIf(noSqlite)('decodes the cursor of a page once', async () => {
  const { server } = await serveRows(source, rows);
  const query = 'query ($after: String) { authorPage(first: 1, after: $after) { edges { cursor node { id } } } }';
  const { data } = await server.executeOperation({ query });
  const [{ cursor }] = (data as { authorPage: { edges: [{ cursor: string }] } }).authorPage.edges;
  const decode = vi.spyOn(globalThis, 'atob');
  try {
    const next = await server.executeOperation({ query, variables: { after: cursor } });
    expect(next.data).toMatchObject({ authorPage: { edges: [{ node: { id: 'b' } }] } });
    expect(decode).toHaveBeenCalledTimes(1);
  } finally {
    decode.mockRestore();
  }
});

test.skipIf(noSqlite)('reads fragments, aliases and repeated fields together', async () => {
  const { ask, statements } = await serveRows(source, rows);
  const query = `
    query ($yes: Boolean!) {
      author(id: "a") {
        ...Names ...Names
        books { id }
        ... on Author { books { author { name } } }
        one: books(id: ["1"]) { title }
        other: books(id: ["2"]) @include(if: $yes) { title }
        none: books @skip(if: $yes) { title }
      }
    }
    fragment Names on Author { name }`;
  expect(await ask(query, { yes: true })).toEqual({
    author: {
      name: 'Ada',
      books: ['1', '2', '3'].map((id) => ({ id, author: { name: 'Ada' } })),
      one: [{ title: 'Zoo' }],
      other: [{ title: 'Ark' }],
    },
  });
  expect(statements).toHaveLength(1);
});

test.skipIf(noSqlite)('reads objects with more members than a function of SQLite has arguments', async () => {
  const { ask, statements } = await serveRows(source, rows);
  const data = await ask(`{ author(id: "a") { books(id: ["1"]) { ${columns.join(' ')} author { name } } } }`);
  expect(data).toMatchObject({ author: { books: [{ c0: null, c119: 7, author: { name: 'Ada' } }] } });
  expect(statements).toHaveLength(1);
});

test.skipIf(noSqlite)('keeps two selections of one page apart', async () => {
  const { ask } = await serveRows(source, rows);
  const query = `{
    authorPage {
      one: edges { node { x: books(orderBy: TITLE) { title } } }
      other: edges { node { x: books(orderBy: TITLE_DESC) { title } } }
    }
  }`;
  const node = (...titles: string[]) => ({ node: { x: titles.map((title) => ({ title })) } });
  expect(await ask(query)).toEqual({
    authorPage: { one: [node('Ark', 'Bee', 'Zoo'), node()], other: [node('Zoo', 'Bee', 'Ark'), node()] },
  });
  expect(await ask('{ authorPage { pageInfo { hasNextPage } } }')).toEqual({
    authorPage: { pageInfo: { hasNextPage: false } },
  });
});

test.skipIf(noSqlite)('reports invalid arguments of a relation at its field', async () => {
  const { server } = await serveRows(source, rows);
  const query = '{ author(id: "a") { name bookPage(first: -1) { pageInfo { hasNextPage } } } }';
  const { errors } = await server.executeOperation({ query });
  expect(errors).toMatchObject([{ path: ['author', 'bookPage'], extensions: { code: 'BAD_USER_INPUT' } }]);
});

test.skipIf(noSqlite)('gives a resolver of the program the whole row', async () => {
  const { ask, statements } = await serveRows(source, rows, {
    resolvers: {
      Book: { title: ({ id, title, c119 }: Record<string, unknown>) => `${id} ${title} ${c119}` },
      Author: {
        bookPage: ({ name }: Record<string, unknown>) => [{ id: name, title: 'own', authorId: 'b' }],
      },
    },
  });
  expect(await ask('{ author(id: "a") { books(id: ["1"]) { title } } }')).toEqual({
    author: { books: [{ title: '1 Zoo 7' }] },
  });
  expect(statements).toHaveLength(1);
  expect(await ask('{ author(id: "a") { bookPage { edges { node { id author { name } } } } } }')).toEqual({
    author: { bookPage: { edges: [{ node: { id: 'Ada', author: { name: 'Bob' } } }] } },
  });
  expect(statements).toHaveLength(2);
});

test.skipIf(noSqlite)('reads the whole row for a race, and its relations with it', async () => {
  const { ask, statements } = await serveRows(source, rows);
  expect(
    await ask('{ found(id: "a") { ... on Author { name books { title } } ... on Book { title author { name } } } }'),
  ).toEqual({ found: { name: 'Ada', books: ['Zoo', 'Ark', 'Bee'].map((title) => ({ title })) } });
  // One for each branch.
  expect(statements).toHaveLength(2);
});

const writing = `
(author: Stored {
  id: ID!,
  name: String!,
  books: [Book!]!,
  /// @page 2
  bookPage: [Book!]!,
})
(book: Stored {
  /// @store default uuid
  id: ID!,
  title: String!,
  authorId: ID,
  author: Author,
})
(new_book: Input { title: String!, authorId: ID })
(new_book)-[:FOLD { operation: 'addBook', returns: Book! }]->(book)
(book)-[:FORK { operation: 'bookChanged' }]->(book)
`;

const deep = 'title author { name books { title author { name } } bookPage { edges { node { title } } } }';

const ada = {
  name: 'Ada',
  books: ['New', 'Zoo', 'Ark', 'Bee'].map((title) => ({ title, author: { name: 'Ada' } })),
  bookPage: { edges: ['New', 'Zoo'].map((title) => ({ node: { title } })) },
};

test.skipIf(noSqlite)('reads a relation of a mutation and of its event by one statement each', async () => {
  const { server, ask, statements } = await serveRows(writing, rows);
  const events = await server.subscribe({ query: `subscription { bookChanged { ${deep} } }` });
  if (!(Symbol.asyncIterator in events)) throw new Error('no subscription');
  const query = `mutation { addBook(input: { title: "New", authorId: "a" }) { ${deep} } }`;
  expect(await ask(query)).toEqual({ addBook: { title: 'New', author: ada } });
  expect((await events.next()).value?.data).toEqual({ bookChanged: { title: 'New', author: ada } });
  // The outbox has statements of its own.
  expect(statements.filter((sql) => /^select.*"author"/.test(sql))).toHaveLength(2);
  await events.return();
  await server.close();
});

test.skipIf(noSqlite)('keeps two selections of one relation of a result apart', async () => {
  const { ask } = await serveRows(writing, rows);
  const query =
    'mutation { addBook(input: { title: "New", authorId: "b" }) { a: author { name } b: author { books { title } } } }';
  expect(await ask(query)).toEqual({ addBook: { a: { name: 'Bob' }, b: { books: [{ title: 'New' }] } } });
});

test.skipIf(noSqlite)('accepts more values in the lists of relations than a statement can hold', async () => {
  const { ask, statements } = await serveRows(source, rows);
  const query = `query ($id: [ID!]) { author(id: "a") { ${['p', 'q', 'r', 's'].map((key) => `${key}: books(id: $id) { id }`).join(' ')} } }`;
  const id = Array.from({ length: mostValues }, (_, at) => String(at));
  const books = [{ id: '1' }, { id: '2' }, { id: '3' }];
  expect(await ask(query, { id })).toEqual({ author: { p: books, q: books, r: books, s: books } });
  // The relations have the same keys and arguments.
  expect(statements).toHaveLength(2);
});
