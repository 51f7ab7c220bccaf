// The server that the programs of all runtimes serve.

import { createGqlServer } from 'gg-svc';

/** Makes a server for topologies that the runtime can read. */
export function createServer(topologies) {
  const books = [{ id: '1', title: 'Emma' }];
  return createGqlServer({
    topologies,
    limits: { aliases: 2, body: 2000, masking: true },
    resolvers: {
      Query: {
        book: (_, { id }) => books.find((book) => book.id === id) ?? null,
        broken: () => {
          throw new Error('password=hunter2');
        },
      },
      Mutation: {
        addBook: (_, { input }) => {
          const book = { id: String(books.length + 1), title: input.title };
          books.push(book);
          return book;
        },
      },
    },
  });
}
