import { sql } from 'kysely';
import { createGqlServer, postgresStore, type Store, sqliteStore } from '../../../src/index.js';
import { type EngineName, sizes } from './rows.js';

/** The tables of all servers. */
export const topology = `
(author: Stored {
  id: ID!,
  name: String!,
  /// @store index
  shelf: Int!,
  books: [Book!]!,
})
(book: Stored { id: ID!, title: String!, authorId: ID!, author: Author!, reviews: [Review!]! })
(review: Stored { id: ID!, stars: Int!, body: String, bookId: ID! })
(note: Stored { id: ID!, text: String!, stars: Int! })
(note)-[:FORK]->(note_added: Event { id: ID!, text: String! })
(root)-[:PROCESS { operation: 'authors', shelf: Int!, returns: [Author!]! }]->(author)
(root)-[:PROCESS { operation: 'book', id: ID! }]->(book)
(root)-[:PROCESS { operation: 'books', returns: [Book!]! }]->(book)
(root)-[:FOLD { operation: 'addNote', text: String!, stars: Int!, returns: Note! }]->(note)`;

/** Where the databases are. A server's process gets it by its environment. */
export const locations = {
  get PostgreSQL() {
    return process.env.BENCH_POSTGRES ?? '';
  },
  get SQLite() {
    return process.env.BENCH_SQLITE ?? '';
  },
};

export function storeOf(engine: EngineName): Store {
  return engine === 'SQLite' ? sqliteStore({ file: locations.SQLite }) : postgresStore({ url: locations.PostgreSQL });
}

/** Our server, with its limits. */
export function ourServer(engine: EngineName) {
  const limits = { cost: 1_000_000_000 };
  return createGqlServer({
    topologies: [{ name: 'library.gg', source: topology }],
    store: storeOf(engine),
    limits,
  });
}

/** Makes the tables and fills them. The servers beside ours keep an outbox of their own. */
export async function fill(engine: EngineName): Promise<void> {
  const server = ourServer(engine);
  const db = await server.store();
  const { shelves, authors, books, reviews } = sizes;
  const all = shelves * authors;
  const rows = (count: number, row: (at: number) => Record<string, unknown>) =>
    Array.from({ length: count }, (_, at) => row(at));
  const tables = {
    author: rows(all, (at) => ({ id: `a${at}`, name: `Author ${at}`, shelf: Math.floor(at / authors) })),
    book: rows(all * books, (at) => ({
      id: `b${at}`,
      title: `The book ${at} of its time`,
      authorId: `a${Math.floor(at / books)}`,
    })),
    review: rows(all * books * reviews, (at) => ({
      id: `r${at}`,
      stars: at % 5,
      body: `Better than book ${at % 97}, and shorter`,
      bookId: `b${Math.floor(at / reviews)}`,
    })),
  };
  await db.transaction().execute(async (transaction) => {
    for (const [table, values] of Object.entries(tables))
      for (let from = 0; from < values.length; from += 5_000)
        await transaction
          .insertInto(table)
          .values(values.slice(from, from + 5_000))
          .execute();
  });
  const id = engine === 'SQLite' ? sql`integer primary key` : sql`bigserial primary key`;
  await sql`create table hand_outbox (id ${id}, payload text not null)`.execute(db);
  await server.close();
}
