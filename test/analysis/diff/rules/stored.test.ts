import { expect, test } from 'vitest';
import { diffSchemas } from '../../../../src/analysis/diff/diff-schemas.js';
import { schemaFrom } from '../schemas.js';

const book = (fields: string, more = '') =>
  schemaFrom(`
(book: Stored { id: ID!, ${fields} })
${more}
(root)-[:PROCESS { id: ID!, returns: Book }]->(book)
`);

const rowsChanges = (...[before, after]: Parameters<typeof diffSchemas>) =>
  diffSchemas(before, after)
    .filter(({ kind }) => /^(?:stored|migration|table)-/.test(kind))
    .map(({ level, kind, coordinate, message }) => `${level} ${kind} ${coordinate}: ${message}`);

test('a change of stored nodes has the steps and losses of their tables', () => {
  const before = book('title: String, isbn: String, pages: Int', '(author: Stored { id: ID! })');
  const after = book(`
    /// @maxLength 80
    title: String!,
    pages: BigInt,
    year: Int`);
  expect(rowsChanges(before, after)).toEqual([
    'breaking stored-values-deleted Book.isbn: The column book.isbn is deleted with its values.',
    'breaking stored-values-deleted Author: The table author is deleted with its rows.',
    'dangerous table-changed Book: The table book changes: convert pages, add year, drop isbn.',
    'dangerous stored-rule-added Book.title: The migration is refused if rows of book lack title: fill it first, or give it a default.',
    'dangerous stored-rule-added Book.title: The migration is refused if rows of book break the limits of title.',
  ]);
});

test('a unique rule of several columns is weighed by the rows that break it', () => {
  const ruled = (rule: string) =>
    schemaFrom(`
${rule}
(book: Stored { id: ID!, shelf: Int, place: Int })
(root)-[:PROCESS { id: ID!, returns: Book }]->(book)
`);
  const [plain, unique] = [ruled(''), ruled('/// @store unique shelf, place')];
  expect(rowsChanges(plain, unique)).toEqual([
    'dangerous stored-rule-added Book.shelf: The migration is refused if rows of book have the same shelf and place, which must be unique.',
    'safe table-changed Book: The table book changes: rules of its columns.',
  ]);
  expect(rowsChanges(unique, plain)).toEqual([
    'safe table-changed Book: The table book changes: rules of its columns.',
  ]);
});

test('a stored node that changes in its descriptions alone changes no table', () => {
  expect(rowsChanges(book('title: String'), book('\n/// Its name.\ntitle: String'))).toEqual([]);
});

test('a topology whose nodes cannot be stored says nothing about rows', () => {
  expect(rowsChanges(book('title: String'), book('word: Int, Word: Int'))).toEqual([]);
});

test('a node that is no longer stored loses its rows, and has none when it is stored first', () => {
  const plain = schemaFrom('(book { id: ID!, title: String })(root)-[:PROCESS { id: ID! }]->(book)');
  const stored = schemaFrom('(book: Stored { id: ID!, title: String })(root)-[:PROCESS { id: ID! }]->(book)');
  expect(rowsChanges(stored, plain)).toEqual([
    'breaking stored-values-deleted Book: The table book is deleted with its rows.',
  ]);
  expect(rowsChanges(plain, stored)).toEqual(['safe table-added Book: The table book is created.']);
});
