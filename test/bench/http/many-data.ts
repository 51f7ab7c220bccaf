/** Answers with many objects: 1,000 of eight fields, and 820 in a tree. */

const rows = Array.from({ length: 1000 }, (_, at) => ({
  id: String(at),
  name: `Name ${at}`,
  email: `user${at}@example.com`,
  age: at % 90,
  score: at / 7,
  active: at % 2 === 0,
  city: `City ${at % 50}`,
  note: null,
}));

const authors = Array.from({ length: 20 }, (_, author) => ({
  id: String(author),
  name: `Author ${author}`,
  books: Array.from({ length: 10 }, (_, book) => ({
    id: `${author}-${book}`,
    title: `Book ${book}`,
    reviews: Array.from({ length: 3 }, (_, stars) => ({ stars, body: `Review ${stars}` })),
  })),
}));

/** What the servers answer, by operation. */
export const answers = { rows, authors, lateAuthors: authors };

const tree = '{ id name books { id title reviews { stars body } } }';

/** The selection of each operation: all fields. */
export const selections = {
  rows: '{ id name email age score active city note }',
  authors: tree,
  lateAuthors: tree,
};
