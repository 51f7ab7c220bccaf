import { expect, test } from 'vitest';
import { readsOf } from '../../../src/analysis/store/reads.js';
import { storeModelOf } from '../../../src/analysis/store/tables.js';
import { compile } from '../../../src/compiler.js';

function read(edge: string, more = '') {
  const source = `
(genre: Enum { values: [PROSE, VERSE] })
(book_order: Enum { values: [title, YEAR_DESC, genreAsc] })
(by_notes: Enum { values: [NOTES] })
(by_price: Enum { values: [PRICE_DESC] })
(by_secret: Enum { values: [secret] })
(book_filter: Input {
  title: String,
  /// @store gte year
  from: Int,
  /// @store contains title
  like: String
})
(nested: Input { inner: NestedFilter })
(nested_filter: Input { title: String })
(book: Stored {
  id: ID!, title: String!, year: Int, genre: Genre, notes: JSON,
  /// @roles admin
  secret: String
})
${more}
(root)-[:PROCESS { operation: 'books', ${edge} }]->(book)`;
  const { schema } = compile({ name: 'a.gg', source });
  const { reads, diagnostics } = readsOf(schema, storeModelOf(schema).model);
  return diagnostics[0]?.message ?? reads.get('Query.books');
}

test('compares arguments with the columns of their names, and sorts by enums', () => {
  const given = 'title: String, year: [Int!], filter: BookFilter, orderBy: [BookOrder!], returns: [Book!]!';
  expect(read(given)).toEqual({
    table: 'book',
    shape: 'list',
    filters: [
      { path: ['title'], comparison: 'eq', column: 'title' },
      { path: ['year'], comparison: 'in', column: 'year' },
      { path: ['filter', 'title'], comparison: 'eq', column: 'title' },
      { path: ['filter', 'from'], comparison: 'gte', column: 'year' },
      { path: ['filter', 'like'], comparison: 'contains', column: 'title' },
    ],
    order: {
      path: ['orderBy'],
      by: {
        title: { column: 'title', isDescending: false },
        YEAR_DESC: { column: 'year', isDescending: true },
        genreAsc: { column: 'genre', isDescending: false },
      },
    },
  });
  expect(read('id: ID!, returns: Book')).toMatchObject({ shape: 'one' });
  expect(read('page: 5, returns: [Book!]!')).toMatchObject({ shape: 'page' });
});

test.each([
  ['limit: Int, returns: Book', '“limit” compares no column of Book'],
  ['limit: String, returns: [Book!]!', '“limit” compares no column of Book'],
  ['limit: Int, returns: [Book!]!, page: 5', '“limit” compares no column of Book'],
  ['year: String, returns: [Book!]!', '“year” has not the type of the column “year”'],
  ['notes: JSON, returns: [Book!]!', '“notes” is an object, a list or JSON, which is not compared'],
  ['sort: ByPrice, returns: [Book!]!', '“PRICE_DESC” of “sort” is no column of Book'],
  ['sort: ByNotes, returns: [Book!]!', '“notes” is an object'],
  ['sort: BySecret, returns: [Book!]!', '“secret” demands more of callers than the rows'],
  ['secret: String, returns: [Book!]!', '“secret” demands more of callers than the rows'],
  ['filter: [BookFilter!], returns: [Book!]!', '“filter” compares no column of Book'],
  ['filter: Nested, returns: [Book!]!', '“filter.inner” compares no column of Book'],
  ['returns: [[Book!]!]!', 'its result is a list of lists'],
])('does not serve a query with %s', (edge, reason) => {
  expect(read(edge)).toContain(`The store does not serve Query.books: ${reason}`);
});

test('reports words of @store that do not fit an argument', () => {
  const withTag = (tag: string, type: string) =>
    read(
      'filter: Odd, returns: [Book!]!',
      `(odd: Input {
  /// @store ${tag}
  it: ${type}
})`,
    );
  expect(withTag('like title', 'String')).toContain('“@store like title” of “filter.it” is none of order, limit, eq');
  expect(withTag('in title', 'String')).toContain('“filter.it” is no list');
  expect(withTag('gt title', '[String!]')).toContain('“filter.it” is a list');
  expect(withTag('contains year', 'Int')).toContain('“year” is no text');
  expect(withTag('gt nosuch', 'Int')).toContain('“filter.it” compares no column');
  expect(withTag('order', 'BookOrder')).toMatchObject({ order: { path: ['filter', 'it'] } });
});

test('limits a list by an Int named “first” or “limit”, or with @store limit, unless that is a column', () => {
  expect(read('first: Int = 20, returns: [Book!]!')).toMatchObject({ limit: 'first', filters: [] });
  expect(read('limit: Int!, returns: [Book!]!')).toMatchObject({ limit: 'limit', filters: [] });
  expect(read('/// @store limit\nmost: Int, returns: [Book!]!')).toMatchObject({ limit: 'most', filters: [] });
  const { schema } = compile({
    name: 'a.gg',
    source: `(rank: Stored { id: ID!, first: Int })
      (root)-[:PROCESS { operation: 'ranks', first: Int, returns: [Rank!]! }]->(rank)`,
  });
  const { reads } = readsOf(schema, storeModelOf(schema).model);
  expect(reads.get('Query.ranks')).toMatchObject({ filters: [{ column: 'first' }] });
});

/** What a query for letters by a column without a field reads. */
function readLetters({ person = '', sender = '', id = '', letter = '', edge = 'senderId: ID' }) {
  const source = `
${person}
(person: Stored {
  ${id}
  id: ID!
  name: String
})
${letter}
(letter: Stored {
  id: ID!
  text: String
  ${sender}
  sender: Person
})
(root)-[:PROCESS { operation: 'letters', ${edge}, returns: [Letter!]! }]->(letter)`;
  const { schema } = compile({ name: 'a.gg', source });
  const { reads, diagnostics } = readsOf(schema, storeModelOf(schema).model);
  return diagnostics.find(({ message }) => message.includes('Query.letters'))?.message ?? reads.get('Query.letters');
}

test('compares the column of a relation that no field shows', () => {
  expect(readLetters({})).toMatchObject({ filters: [{ path: ['senderId'], column: 'senderId' }] });
  expect(readLetters({ edge: '/// @store in senderId\nof: [ID!]' })).toMatchObject({
    filters: [{ comparison: 'in', column: 'senderId' }],
  });
});

test.each([
  ['the relation', { sender: '/// @roles admin' }],
  ['the other rows', { person: '/// @roles admin' }],
  ['their key', { id: '/// @roles admin' }],
  ['their owners', { person: '/// @owner id' }],
  ['a column that sorts rows', { letter: '/// @store order senderId', person: '/// @owner id', edge: 'text: String' }],
])('does not compare a column whose value is only for callers with access to %s', (_, given) => {
  expect(readLetters(given)).toContain('“senderId” demands more of callers than the rows');
});
