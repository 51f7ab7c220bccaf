/** @import * as Api from './shop.types.js' */

/** @typedef {{ id: string, name: string, born: string }} AuthorRow */
/** @typedef {{ isbn: string, title: string, genre: Api.Genre, price: string, authorId: string, addedAt: Date }} BookRow */

/** @type {Map<string, AuthorRow>} */
const authors = new Map([
  ['1', { id: '1', name: 'Jane Austen', born: '1775-12-16' }],
  ['2', { id: '2', name: 'Mary Shelley', born: '1797-08-30' }],
]);

const addedAt = new Date('2026-03-02T09:00:00Z');
/** @type {Map<string, BookRow>} */
const books = new Map([
  [
    '978-0141439587',
    { isbn: '978-0141439587', title: 'Emma', genre: 'FICTION', price: '9.50', authorId: '1', addedAt },
  ],
  [
    '978-0141439471',
    {
      isbn: '978-0141439471',
      title: 'Frankenstein',
      genre: 'FICTION',
      price: '7.00',
      authorId: '2',
      addedAt,
    },
  ],
]);

/**
 * The reviews by the ISBN of their book.
 *
 * @type {Map<string, Api.Review[]>}
 */
const reviews = new Map([['978-0141439587', [{ stars: 5, text: 'Badly done, indeed!' }]]]);

const copiesLeft = 5;
let orders = 0;

/** @type {Api.CompleteResolvers<unknown, { Author: AuthorRow, Book: BookRow }>} */
const resolvers = {
  Query: {
    listBooks: (_parent, { genre }) =>
      [...books.values()].filter((book) => genre == null || book.genre === genre),
    book: (_parent, { isbn }) => books.get(isbn) ?? null,
    findBook: (_parent, { by }) =>
      [...books.values()].find(({ isbn, title }) => isbn === by.isbn || title === by.title) ?? null,
    listAuthors: (_parent, { bornAfter }) =>
      [...authors.values()].filter(({ born }) => bornAfter == null || born > bornAfter),
  },
  Mutation: {
    addBook: (_parent, { input }) => {
      if (books.has(input.isbn)) throw problem('Taken');
      const book = { ...input, addedAt };
      books.set(book.isbn, book);
      return book;
    },
    removeBook: (_parent, { isbn }) => books.delete(isbn),
    addReview: (_parent, { isbn, review }) => {
      if (!books.has(isbn)) throw problem('UnknownBook', { isbn });
      reviews.set(isbn, [...(reviews.get(isbn) ?? []), review]);
      return review;
    },
    placeOrder: (_parent, { input }) => {
      for (const { isbn, copies } of input.lines) {
        if (!books.has(isbn)) throw problem('UnknownBook', { isbn });
        if (copies > copiesLeft) throw problem('OutOfStock', { left: copiesLeft });
      }
      orders += 1;
      return { id: String(orders), ...input, placedAt: addedAt };
    },
  },
  Book: {
    author: { batch: (ids) => ids.map((id) => authors.get(id) ?? null) },
    reviews: (book, { first }) =>
      [...(reviews.get(book.isbn) ?? [])].sort((one, other) => other.stars - one.stars).slice(0, first),
  },
  Author: {
    books: { batch: (ids) => ids.map((id) => [...books.values()].filter(({ authorId }) => authorId === id)) },
  },
};

/**
 * A declared error with its fields.
 *
 * @param {string} name
 * @param {object} fields
 */
function problem(name, fields = {}) {
  return Object.assign(new Error(), { name, ...fields });
}

export default resolvers;
