import { expect, test } from 'vitest';
import { storeModelOf } from '../../../src/analysis/store/tables.js';
import { storeWritesOf } from '../../../src/analysis/store/writes.js';
import { compile } from '../../../src/compiler.js';

const writesOf = (edges: string) => {
  const source = `
(shelf: Stored { id: ID!, name: String!, books: [Book!]! })
(book: Stored { id: ID!, title: String!, pages: Int, shelfId: ID, shelf: Shelf,
  /// @store version
  version: Int! })
(stamp: Stored { id: Int!, text: String! })
/// @owner userId
(note: Stored { id: ID!, userId: ID!, text: String })
(receipt { id: ID!, text: String! })
(untitled: Input { pages: Int })
(new_shelf: Input { name: String!, books: [Untitled!] })
(other: Input { page: Int })
(root)-[:PROCESS { operation: 'shelf', id: ID!, returns: Shelf }]->(shelf)
(root)-[:PROCESS { operation: 'note', id: ID!, returns: Note }]->(note)
${edges}
`;
  const { schema } = compile({ name: 'a.gg', source });
  return storeWritesOf(schema, storeModelOf(schema).model);
};

const fold = (target: string, properties: string, from = 'root') =>
  writesOf(`(${from})-[:FOLD { operation: 'it', ${properties} }]->(${target})`);

test.each([
  ['book', 'title: String!, returns: Book', 'insert'],
  ['book', 'id: ID!, returns: Book', 'delete'],
  ['book', 'id: ID!, version: Int, returns: Book', 'delete'],
  ['book', 'id: ID!, title: String, returns: Book', 'update'],
  ['book', 'id: ID, title: String, returns: Book', 'upsert'],
  ['book', "id: ID, pages: Int, returns: Book, route: 'PATCH /books/{id}'", 'update'],
  ['book', "id: ID!, returns: Book, route: 'DELETE /books/{id}'", 'delete'],
  ['book', "id: ID!, title: String!, returns: Book, writes: 'insert'", 'insert'],
  ['book', "id: ID!, shelfId: ID!, returns: Book, owner: 'shelfId'", 'delete'],
  ['book', "shelfId: ID!, title: String!, returns: Book, owner: 'shelfId'", 'insert'],
])('serves a mutation into %s with { %s } as %s', (target, properties, action) => {
  const { writes, diagnostics } = fold(target, properties);
  expect(diagnostics).toEqual([]);
  expect(writes).toMatchObject([{ operation: 'it', action, answer: 'row', isNullable: true }]);
});

test('gives the column that @store as names', () => {
  const { writes, diagnostics } = writesOf(`
(scan: Input {
  /// @store as shelfId
  code: ID!,
  title: String!
})
(scan)-[:FOLD { operation: 'it', returns: Book! }]->(book)`);
  expect(diagnostics).toEqual([]);
  expect(writes[0]?.row.values).toEqual([
    { column: 'shelfId', path: ['input', 'code'], isRequired: true },
    { column: 'title', path: ['input', 'title'], isRequired: true },
  ]);
});

test('answers with the row, its key or true, as the result says', () => {
  expect(fold('book', 'id: ID!, returns: Boolean!').writes).toMatchObject([{ answer: 'true', isNullable: false }]);
  expect(fold('book', 'id: ID!, returns: ID').writes).toMatchObject([{ answer: 'key', isNullable: true }]);
  expect(fold('stamp', 'id: Int!, text: String!, returns: Int').writes).toMatchObject([{ answer: 'key' }]);
});

test('leaves mutations into other nodes, and old names, to resolvers', () => {
  expect(fold('receipt', 'text: String!, returns: Receipt')).toMatchObject({ writes: [], diagnostics: [] });
});

test('names the places of nested rows, also of inputs that contain themselves', () => {
  const { writes, shapes, diagnostics } = fold('shelf', 'returns: Shelf!', 'shelf');
  expect(diagnostics).toEqual([]);
  expect(writes[0]?.row.nested).toEqual([
    { kind: 'many', columns: ['shelfId'], path: ['input', 'books'], shape: 'BookInput of book' },
  ]);
  expect(Object.keys(shapes)).toEqual(['BookInput of book', 'ShelfInput of shelf']);
});

test.each([
  ['book', "pages: Int, returns: Book, writes: 'update'", 'root', 'it has no argument “id”, the key of Book'],
  [
    'book',
    "id: ID!, pages: Int, returns: Book, writes: 'delete'",
    'root',
    'a delete takes the key alone, and not “pages”',
  ],
  ['book', 'pages: Int, returns: Book', 'root', 'callers cannot give Book.title, which is required'],
  ['stamp', 'text: String!, returns: Stamp', 'root', 'callers cannot give Stamp.id, which is required'],
  ['shelf', 'returns: Shelf', 'new_shelf', 'callers cannot give Book.title, which is required'],
  ['book', 'id: ID!, page: Int, returns: Book', 'root', '“page” is no column of Book'],
  ['book', 'returns: Book', 'other', '“input.page” is no column of Book'],
  ['book', 'id: ID!, returns: [Book!]', 'root', 'its result must be Book, Boolean or the type of its key'],
  ['book', 'id: ID!, returns: Receipt', 'root', 'its result must be Book, Boolean or the type of its key'],
  ['note', 'id: ID!, returns: Boolean', 'root', 'its result must be Note, so that callers are compared with its owner'],
])('does not serve a mutation into %s with { %s } from %s: %s', (target, properties, from, reason) => {
  const { writes, diagnostics } = fold(target, properties, from);
  expect(writes).toEqual([]);
  expect(diagnostics).toMatchObject([{ code: 'GG7002', message: `The store does not serve Mutation.it: ${reason}.` }]);
});
