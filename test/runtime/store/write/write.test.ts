import { expect, test } from 'vitest';
import { createGqlServer, sqliteStore } from '../../../../src/index.js';
import { noSqlite } from '../engines.js';
import { checkWrites } from './write-cases.js';

const source = `
(author: Stored {
  id: ID!,
  name: String!,
  /// @store unique
  email: String,
  motto: String,
  books: [Book!]!,
  /// @store version
  version: Int!,
  /// @store updated
  updatedAt: DateTime!
})
(book: Stored {
  id: ID!, title: String!, authorId: ID!, author: Author, tags: [String!],
  /// @maximum 5
  stars: Int
})
(new_book: Input { title: String!, authorId: ID, tags: [String!] })
(new_author: Input { name: String!, email: String, books: [NewBook!] })
(written_author: Input { id: ID!, name: String, email: String, motto: String, version: Int })
(root)-[:PROCESS { operation: 'author', id: ID!, returns: Author }]->(author)
(root)-[:PROCESS { operation: 'bookList', returns: [Book!]! }]->(book)
(new_author)-[:FOLD { operation: 'addAuthor', returns: Author!, route: 'POST /authors', status: 201, fields: ['id', 'name'] }]->(author)
(written_author)-[:FOLD { operation: 'changeAuthor', returns: Author }]->(author)
(author)-[:FOLD { operation: 'saveAuthor', returns: Author! }]->(author)
(root)-[:FOLD { operation: 'removeAuthor', id: ID!, returns: Author!, route: 'DELETE /authors/{id}' }]->(author)
(root)-[:FOLD { operation: 'dropBook', id: ID!, returns: Boolean, null: 404, route: 'DELETE /books/{id}' }]->(book)
(book)-[:FOLD { operation: 'saveBook', returns: Book! }]->(book)
(root)-[:FOLD { operation: 'rateBook', id: ID!, stars: Int!, returns: Book! }]->(book)
(root)-[:FOLD { operation: 'addTitle', title: String!, authorId: ID!, stars: Int, returns: ID! }]->(book)
(new_book)-[:FOLD { operation: 'addBook', returns: Book! }]->(book)
(root)-[:FOLD {
  operation: 'patchAuthor', id: ID!, name: String,
  /// @header If-Match
  version: String,
  route: 'PATCH /authors/{id}', returns: Author!, fields: ['version']
}]->(author)
`;

const serve = (topology = source, options = {}) =>
  createGqlServer({
    topologies: [{ name: 'a.gg', source: topology }],
    store: sqliteStore({ file: ':memory:' }),
    ...options,
  });

/** Runs a mutation: its value, or its errors as `CODE parameter`. */
const runner =
  (server: ReturnType<typeof serve>) =>
  async (mutation: string, principal?: { id: string } | null): Promise<unknown> => {
    const { data, errors } = await server.executeOperation({
      query: `mutation { it: ${mutation} }`,
      ...(principal !== undefined && { principal }),
    });
    if (errors === undefined) return data?.it;
    return errors.map(({ extensions: { code, parameter } }) => [code, parameter].filter(Boolean).join(' ')).join();
  };

test.skipIf(noSqlite)('inserts a row with its children, and answers with what it wrote', async () => {
  const server = serve();
  const run = runner(server);
  expect(
    await run(`addAuthor(input: { name: "Ada", email: "a@b", books: [{ title: "1", tags: ["x"] }, { title: "2" }] }) {
      id name email motto version updatedAt
    }`),
  ).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    name: 'Ada',
    email: 'a@b',
    motto: null,
    version: 1,
    updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(await run('addTitle(title: "T", authorId: "nobody")')).toBe('BAD_USER_INPUT authorId');
  expect(await run('addBook(input: { title: "T" }) { id }')).toBe('BAD_USER_INPUT input.authorId');
});

test.skipIf(noSqlite)('leaves no parent if a child cannot be inserted', async () => {
  const store = sqliteStore({ file: ':memory:' });
  const run = runner(serve(source, { store }));
  expect(await run('saveAuthor(input: { name: "A", books: [{ title: "1" }, {}] }) { id }')).toBe(
    'BAD_USER_INPUT input.books[1].title',
  );
  expect(
    await run('saveAuthor(input: { name: "A", books: [{ id: "b", title: "1" }, { id: "b", title: "2" }] }) { id }'),
  ).toBe('ALREADY_EXISTS');
  expect(await run('saveAuthor(input: { name: "A", books: [{ title: "1", authorId: "other" }] }) { id }')).toBe(
    'BAD_USER_INPUT input.books[0].authorId',
  );
  expect(await run('saveAuthor(input: { name: "A", books: [{ title: "1", author: { name: "B" } }] }) { id }')).toBe(
    'BAD_USER_INPUT input.books[0].author',
  );
  expect(await run('saveAuthor(input: { id: "new", version: 1, name: "A" }) { id }')).toBe('VERSION_CONFLICT');
  expect(await run('saveAuthor(input: { version: 1, name: "A" }) { id }')).toBe('BAD_USER_INPUT input.version');
  expect(await run('saveAuthor(input: { name: "A", updatedAt: "2020-01-01T00:00:00Z" }) { id }')).toBe(
    'BAD_USER_INPUT input.updatedAt',
  );
  const db = await store.open({ tables: [] });
  expect(await db.selectFrom('author').selectAll().execute()).toEqual([]);
});

test.skipIf(noSqlite)('updates what is given, and nothing if the version is another one', async () => {
  const run = runner(serve());
  await run('saveAuthor(input: { id: "a", name: "Ada", email: "a@b", motto: "m" }) { id }');
  await run('saveAuthor(input: { id: "b", name: "Bob", email: "b@b" }) { id }');
  expect(await run('changeAuthor(input: { id: "a", motto: null, version: 1 }) { name motto version }')).toEqual({
    name: 'Ada',
    motto: null,
    version: 2,
  });
  expect(await run('changeAuthor(input: { id: "a", name: "X", version: 1 }) { name }')).toBe('VERSION_CONFLICT');
  expect(await run('changeAuthor(input: { id: "a", name: null }) { name }')).toBe('BAD_USER_INPUT input.name');
  expect(await run('changeAuthor(input: { id: "a", email: "b@b" }) { name }')).toBe('ALREADY_EXISTS');
  expect(await run('changeAuthor(input: { id: "none", name: "X" }) { name }')).toBeNull();
  expect(await run('changeAuthor(input: { id: "none", version: 1 }) { name }')).toBeNull();
  expect(await run('patchAuthor(id: "none", name: "X") { name }')).toBe('NOT_FOUND');
  expect(await run('patchAuthor(id: "a", name: "X", version: "W/\\"2\\"") { version }')).toEqual({
    version: 3,
  });
  expect(await run('patchAuthor(id: "a", name: "X", version: "*") { version }')).toEqual({ version: 4 });
  expect(await run('patchAuthor(id: "a", name: "X", version: "old") { version }')).toBe('PRECONDITION_FAILED');
  expect(
    await run('saveAuthor(input: { id: "a", motto: "n", books: [{ title: "1" }] }) { name motto version }'),
  ).toEqual({
    name: 'X',
    motto: 'n',
    version: 5,
  });
});

test.skipIf(noSqlite)('writes each of several concurrent versions once', async () => {
  const run = runner(serve());
  await run('saveAuthor(input: { id: "a", name: "Ada" }) { id }');
  const all = Array.from({ length: 8 }, (_, at) =>
    run(`changeAuthor(input: { id: "a", name: "${at}", version: 1 }) { name }`),
  );
  const results = await Promise.all(all);
  expect(results.filter((one) => one === 'VERSION_CONFLICT')).toHaveLength(7);
  const upserts = ['1', '2', '3'].map((name) => run(`saveAuthor(input: { id: "z", name: "${name}" }) { version }`));
  expect(await Promise.all(upserts)).toEqual([{ version: 1 }, { version: 2 }, { version: 3 }]);
});

test.skipIf(noSqlite)('deletes a row unless others refer to it', async () => {
  const run = runner(serve());
  await run('saveAuthor(input: { id: "a", name: "Ada", books: [{ id: "b", title: "1" }] }) { id }');
  await run('saveAuthor(input: { id: "c", name: "Cyd" }) { id }');
  expect(await run('removeAuthor(id: "a") { name }')).toBe('STILL_REFERENCED');
  expect(await run('removeAuthor(id: "c") { name }')).toEqual({ name: 'Cyd' });
  expect(await run('removeAuthor(id: "c") { name }')).toBe('NOT_FOUND');
  expect(await run('dropBook(id: "b")')).toBe(true);
  expect(await run('dropBook(id: "b")')).toBeNull();
  expect(await run('removeAuthor(id: "a") { name }')).toEqual({ name: 'Ada' });
});

test.skipIf(noSqlite)('inserts the row that a nested object gives before the row that refers to it', async () => {
  const run = runner(serve());
  expect(await run('saveBook(input: { id: "b", title: "1", author: { id: "a", name: "Ada" } }) { authorId }')).toEqual({
    authorId: 'a',
  });
  expect(await run('saveBook(input: { id: "b", author: { id: "c", name: "Cyd" } }) { title authorId }')).toEqual({
    title: '1',
    authorId: 'c',
  });
  expect(await run('saveBook(input: { id: "b", authorId: "a", author: { name: "D" } }) { id }')).toBe(
    'BAD_USER_INPUT input.authorId',
  );
  expect(await run('saveBook(input: { id: "b" }) { authorId }')).toEqual({ authorId: 'c' });
  expect(await run('saveBook(input: { id: "b", stars: 6 }) { stars }')).toBe('BAD_USER_INPUT input.stars');
  expect(await run('rateBook(id: "b", stars: 7) { stars }')).toBe('BAD_USER_INPUT stars');
});

test.skipIf(noSqlite)('keeps strings that are hard to keep, and answers 400 to those that it cannot keep', async () => {
  const server = serve();
  const post = async (body: object) => {
    const request = new Request('http://localhost/authors', {
      method: 'POST',
      body: JSON.stringify({ input: body }),
      headers: { 'content-type': 'application/json' },
    });
    const answer = await server.fetch(request);
    return { status: answer.status, body: await answer.json() };
  };
  for (const name of ["'; DROP TABLE author; --", '"', '$1 ? :a', '\u202e\u{1f4a9}', '', 'x'.repeat(100_000), '%_\\']) {
    expect(await post({ name })).toMatchObject({ status: 201, body: { name } });
  }
  for (const name of ['a\0b', '\ud800']) {
    expect(await post({ name })).toMatchObject({
      status: 400,
      body: { code: 'BAD_USER_INPUT', errors: [{ pointer: '#/input/name' }] },
    });
  }
  expect(await post({ name: 'A', email: 'e' })).toMatchObject({ status: 201 });
  expect(await post({ name: 'A', email: 'e' })).toMatchObject({
    status: 409,
    body: { code: 'ALREADY_EXISTS', column: 'email' },
  });
});

test.skipIf(noSqlite)('compares If-Match with the version over REST', async () => {
  const server = serve();
  await runner(server)('saveAuthor(input: { id: "a", name: "Ada" }) { id }');
  const patch = (tag: string) =>
    server.fetch(
      new Request('http://localhost/authors/a', {
        method: 'PATCH',
        body: '{"name":"B"}',
        headers: { 'content-type': 'application/json', 'if-match': tag },
      }),
    );
  expect((await patch('"1"')).status).toBe(200);
  const late = await patch('"1"');
  expect([late.status, await late.json()]).toMatchObject([412, { code: 'PRECONDITION_FAILED' }]);
});

test.skipIf(noSqlite)('writes once for an Idempotency-Key', async () => {
  const store = sqliteStore({ file: ':memory:' });
  const server = serve(source, { store, idempotency: {} });
  const post = () =>
    server.fetch(
      new Request('http://localhost/authors', {
        method: 'POST',
        body: '{"input":{"name":"Ada"}}',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'k1', authorization: 'Basic YTpi' },
      }),
    );
  const [one, two] = [await post(), await post()];
  expect(await two.json()).toEqual(await one.json());
  const db = await store.open({ tables: [] });
  expect(await db.selectFrom('author').selectAll().execute()).toHaveLength(1);
});

test.skipIf(noSqlite)('writes the rows of the caller alone', async () => {
  const run = runner(
    serve(
      `
/// @owner userId
(note: Stored { id: ID!, userId: ID!, text: String })
(root)-[:PROCESS { operation: 'note', id: ID!, returns: Note }]->(note)
(note)-[:FOLD { operation: 'saveNote', returns: Note }]->(note)
(root)-[:FOLD { operation: 'editNote', id: ID!, text: String, returns: Note }]->(note)
(root)-[:FOLD { operation: 'dropNote', id: ID!, returns: Note }]->(note)
`,
      { authenticate: () => null },
    ),
  );
  const [ada, bob] = [{ id: 'ada' }, { id: 'bob' }];
  expect(await run('saveNote(input: { id: "n", text: "x" }) { userId }', ada)).toEqual({ userId: 'ada' });
  expect(await run('saveNote(input: { text: "x", userId: "ada" }) { userId }', bob)).toBe('FORBIDDEN');
  expect(await run('editNote(id: "n", text: "y") { text }', bob)).toBeNull();
  expect(await run('dropNote(id: "n") { text }', bob)).toBeNull();
  expect(await run('saveNote(input: { id: "n", text: "y" }) { text }', bob)).toBe('ALREADY_EXISTS');
  expect(await run('editNote(id: "n", text: "y") { text }', ada)).toEqual({ text: 'y' });
  expect(await run('dropNote(id: "n") { text }', ada)).toEqual({ text: 'y' });
});

test.skipIf(noSqlite)('names no row of another owner: the answer is that of a row that does not exist', async () => {
  const run = runner(
    serve(
      `
/// @owner userId
(order: Stored { id: ID!, userId: ID!, note: String, items: [Item!]! })
(item: Stored { id: ID!, orderId: ID, order: Order, sku: String, parts: [Part!]! })
(part: Stored { id: ID!, itemId: ID!, item: Item, orderId: ID, order: Order })
(new_part: Input { orderId: ID })
(new_item: Input { orderId: ID, sku: String, parts: [NewPart!] })
(root)-[:FOLD { operation: 'addOrder', id: ID!, writes: 'insert', returns: Order! }]->(order)
(root)-[:FOLD { operation: 'addItem', input: NewItem!, returns: Item! }]->(item)
(root)-[:FOLD { operation: 'moveItem', id: ID!, orderId: ID, returns: Item }]->(item)
(root)-[:FOLD { operation: 'saveItem', id: ID, orderId: ID, returns: Item }]->(item)
(root)-[:PROCESS { operation: 'items', returns: [Item!]! }]->(item)
`,
      { authenticate: () => null, owners: { exempt: ['staff'] } },
    ),
  );
  const [ada, bob, staff] = [{ id: 'ada' }, { id: 'bob' }, { id: 'eve', roles: ['staff'] }];
  await run('addOrder(id: "o") { id }', ada);
  const item = await run('addItem(input: { orderId: "o" }) { id }', ada);
  expect(item).toEqual({ id: expect.any(String) });
  const { id } = item as { id: string };
  const unknown = /^BAD_USER_INPUT .*orderId$/;
  for (const caller of [bob, null]) {
    for (const order of ['o', 'none']) {
      expect(await run(`addItem(input: { orderId: "${order}" }) { id }`, caller)).toMatch(unknown);
      expect(await run(`addItem(input: { parts: [{ orderId: "${order}" }] }) { id }`, caller)).toMatch(unknown);
      expect(await run(`moveItem(id: "${id}", orderId: "${order}") { id }`, caller)).toMatch(unknown);
      expect(await run(`saveItem(id: "${id}", orderId: "${order}") { id }`, caller)).toMatch(unknown);
      expect(await run(`saveItem(orderId: "${order}") { id }`, caller)).toMatch(unknown);
    }
    expect(await run('addItem(input: { sku: "x" }) { sku }', caller)).toEqual({ sku: 'x' });
    expect(await run(`moveItem(id: "${id}") { id }`, caller)).toEqual({ id });
  }
  expect(await run(`moveItem(id: "${id}", orderId: "o") { id }`, staff)).toEqual({ id });
});

test.skipIf(noSqlite)('changes only rows of the owner that the edge names, and never the owner', async () => {
  const run = runner(
    serve(
      `
(note: Stored { id: ID!, userId: ID!, text: String,
  /// @store version
  version: Int! })
(root)-[:PROCESS { operation: 'note', id: ID!, userId: ID!, owner: 'userId', returns: Note }]->(note)
(root)-[:FOLD { operation: 'saveNote', id: ID, userId: ID!, text: String, owner: 'userId', returns: Note }]->(note)
(root)-[:FOLD { operation: 'editNote', id: ID!, userId: ID!, text: String, version: Int, owner: 'userId', returns: Note }]->(note)
(root)-[:FOLD { operation: 'dropNote', id: ID!, userId: ID!, owner: 'userId', returns: Note }]->(note)
`,
      { authenticate: () => null, owners: { exempt: ['staff'] } },
    ),
  );
  const [ada, bob, desk] = [{ id: 'ada' }, { id: 'bob' }, { id: 'desk', roles: ['staff'] }];
  expect(await run('saveNote(id: "n", userId: "ada", text: "x") { userId }', ada)).toEqual({ userId: 'ada' });
  expect(await run('editNote(id: "n", userId: "ada", text: "y") { id }', bob)).toBe('FORBIDDEN');
  for (const theft of ['editNote(id: "n", userId: "bob", text: "y", version: 7)', 'dropNote(id: "n", userId: "bob")']) {
    expect(await run(`${theft} { id }`, bob)).toBeNull();
    expect(await run(`${theft} { id }`, desk)).toBeNull();
  }
  expect(await run('saveNote(id: "n", userId: "bob") { id }', bob)).toBe('ALREADY_EXISTS');
  expect(await run('saveNote(id: "n", userId: "ada", text: "z") { text }', ada)).toEqual({ text: 'z' });
  expect(await run('editNote(id: "n", userId: "ada", text: "w") { userId text }', desk)).toEqual({
    userId: 'ada',
    text: 'w',
  });
  expect(await run('dropNote(id: "n", userId: "ada") { text }', ada)).toEqual({ text: 'w' });
});

test.skipIf(noSqlite)('refuses new rows of a caller whose id the column of the owner cannot have', async () => {
  const run = runner(
    serve(
      `
/// @owner userId
(note: Stored { id: ID!, userId: Int!, text: String })
(root)-[:PROCESS { operation: 'note', id: ID!, returns: Note }]->(note)
(note)-[:FOLD { operation: 'saveNote', returns: Note }]->(note)
`,
      { authenticate: () => null },
    ),
  );
  expect(await run('saveNote(input: { id: "n" }) { userId }', { id: '7' })).toEqual({ userId: 7 });
  expect(await run('saveNote(input: { id: "o" }) { userId }', { id: '07' })).toBe('FORBIDDEN');
  expect(await run('saveNote(input: { id: "o" }) { userId }', { id: 'seven' })).toBe('FORBIDDEN');
});

test.skipIf(noSqlite)('names every value that the database cannot keep', async () => {
  const { errors } = await serve().executeOperation({
    query: 'mutation ($text: String!) { saveAuthor(input: { name: $text, motto: $text }) { id } }',
    variables: { text: '\0' },
  });
  const reason = 'cannot be stored: it contains the character U+0000.';
  expect(errors?.[0]?.extensions.errors).toEqual([
    { pointer: '#/input/name', detail: `“input.name” ${reason}`, code: 'BAD_USER_INPUT' },
    { pointer: '#/input/motto', detail: `“input.motto” ${reason}`, code: 'BAD_USER_INPUT' },
  ]);
});

test.skipIf(noSqlite)(
  'leaves the rows that a model in memory has, for random topologies and mutations',
  async () => {
    await checkWrites(() => sqliteStore({ file: ':memory:' }), { numRuns: 25 });
  },
  60_000,
);

test.skipIf(noSqlite)('names each limit of a column that no argument repeats, at any depth', async () => {
  const server = serve(`
(shelf: Stored { id: ID!, books: [Book!]! })
(book: Stored {
  id: ID!,
  /// @pattern ^[A-Z]
  title: String!,
  shelfId: ID,
  /// @maxItems 1
  tags: [String!],
  /// @format email
  contact: String,
  /// @maximum 5
  stars: Int
})
(new_shelf: Input { books: [NewBook!] })
(new_book: Input { title: String!, tags: [String!], contact: String, stars: Int })
(new_shelf)-[:FOLD { operation: 'addShelf', returns: ID! }]->(shelf)
(root)-[:FOLD { operation: 'rename', id: ID!, title: String!, returns: Boolean }]->(book)
`);
  const run = async (mutation: string) => {
    const { errors } = await server.executeOperation({ query: `mutation { it: ${mutation} }` });
    return errors?.[0]?.extensions.errors;
  };
  const mistake = (pointer: string, detail: string) => ({ code: 'BAD_USER_INPUT', pointer, detail });
  expect(await run('addShelf(input: { books: [{ title: "A", stars: 5, contact: "a@b.de" }] })')).toBeUndefined();
  const bad = '{ title: "a", tags: ["1", "2"], contact: "x", stars: 6 }';
  const path = (name: string) => [`#/input/books/1/${name}`, `“input.books[1].${name}”`] as const;
  expect(await run(`addShelf(input: { books: [{ title: "B" }, ${bad}] })`)).toEqual(
    (
      [
        [path('title'), 'must match the pattern ^[A-Z]'],
        [path('tags'), 'must have at most 1 element'],
        [path('contact'), 'must be a valid email'],
        [path('stars'), 'must be at most 5'],
      ] as const
    ).map(([[pointer, place], reason]) => mistake(pointer, `${place} ${reason}.`)),
  );
  expect(await run('rename(id: "1", title: "b")')).toEqual([
    mistake('#/title', '“title” must match the pattern ^[A-Z].'),
  ]);
  await server.close();
});
