import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noSqlite } from '../../../../runtime/store/engines.js';
import { directoryWith, runCli } from '../../stand-in-io.js';

async function databaseWith(sql: string) {
  const directory = directoryWith();
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(join(directory, 'data.sqlite'));
  database.exec(sql);
  database.close();
  return directory;
}

const library = `
CREATE TABLE author (id TEXT PRIMARY KEY, name VARCHAR(80) NOT NULL CHECK (length(name) >= 1), "born at" TEXT, boss_id TEXT REFERENCES author);
CREATE TABLE book (
  isbn INTEGER PRIMARY KEY,
  title TEXT NOT NULL DEFAULT 'untitled',
  kind TEXT CHECK (kind IN ('novel', 'poem')),
  author_id TEXT NOT NULL REFERENCES author (id) ON DELETE CASCADE,
  editor_id TEXT REFERENCES author (id),
  code TEXT UNIQUE,
  "isGood" BOOLEAN NOT NULL DEFAULT 1,
  price DECIMAL(10, 2),
  cover BLOB,
  added DATETIME,
  pages INT CHECK (pages > 0) CHECK (pages <> 13),
  upper_title AS (upper(title))
);
CREATE INDEX book_title ON book (title);
CREATE INDEX book_two ON book (title, code);
CREATE TABLE pair (a INT NOT NULL, book_isbn INT REFERENCES book, note TEXT, PRIMARY KEY (a, book_isbn));
CREATE UNIQUE INDEX pair_note ON pair (note, a);
CREATE TABLE loose (a INT REFERENCES pair);
CREATE VIEW shelf AS SELECT title FROM book;
CREATE TRIGGER watch AFTER DELETE ON book BEGIN SELECT 1; END;
`;

describe.skipIf(noSqlite)('gg-svc import of a SQLite file', () => {
  test('follows foreign keys of several columns to the key of a table, whatever their order', async () => {
    const directory = await databaseWith(`
CREATE TABLE seat (hall TEXT, number INT, row TEXT, place TEXT, PRIMARY KEY (hall, number), UNIQUE (row, place));
CREATE TABLE ticket (
  id TEXT PRIMARY KEY,
  number INT,
  hall TEXT NOT NULL,
  old_hall TEXT,
  old_number INT,
  row TEXT,
  place TEXT,
  text_number TEXT,
  FOREIGN KEY (number, hall) REFERENCES seat (number, hall),
  FOREIGN KEY (old_hall, old_number) REFERENCES seat,
  FOREIGN KEY (row, place) REFERENCES seat (row, place),
  FOREIGN KEY (hall, text_number) REFERENCES seat (hall, number)
);
CREATE INDEX ticket_seat ON ticket (hall, number);
INSERT INTO seat VALUES ('A', 1, 'x', 'y');
INSERT INTO ticket VALUES ('t', 1, 'A', NULL, 1, NULL, NULL, NULL);
`);
    const { stdout, stderr } = await runCli(['import', 'data.sqlite', '-o', 'a.gg'], { directory });
    expect(stdout).toBe('');
    expect(stderr.split('\n').filter((line) => /:$|^ {2}|\.$/.test(line))).toMatchInlineSnapshot(`
      [
        "data.sqlite (SQLite): 10 operations, 2 types imported; 2 parts do not fit.",
        "The key has another type.",
        "  ticket  foreign key hall, text_number",
        "It leads to other columns than the key.",
        "  ticket  foreign key row, place",
      ]
    `);
    const written = readFileSync(join(directory, 'a.gg'), 'utf8');
    expect(written.match(/@store by .*\n.*/g)).toMatchInlineSnapshot(`
      [
        "@store by old_hall, old_number
        ticketsBySeat: [Ticket!]!,",
        "@store by hall, number
        ticketsBySeat_: [Ticket!]!,",
        "@store by old_hall, old_number
        seat: Seat,",
        "@store by hall, number
        seat_: Seat,",
      ]
    `);
    const config = { sources: ['a.gg'], server: { store: { file: 'data.sqlite' } } };
    writeFileSync(join(directory, 'gg-svc.config.json'), JSON.stringify(config));
    const plan = await runCli(['migrate', 'plan'], { directory });
    expect([plan.stdout, plan.stderr]).toMatchInlineSnapshot(`
      [
        "-- Adopts seat, ticket, which no topology made.

      -- adopt the table ticket: its next change deletes foreign key hall, text_number, foreign key row, place
      -- It deletes values.

      -- change the table ticket: rules of its columns
      CREATE TABLE "gg_svc_new_ticket" (
        "id" TEXT NOT NULL PRIMARY KEY,
        "number" INTEGER,
        "hall" TEXT NOT NULL,
        "old_hall" TEXT,
        "old_number" INTEGER,
        "row" TEXT,
        "place" TEXT,
        "text_number" TEXT,
        FOREIGN KEY ("old_hall", "old_number") REFERENCES "seat" ("hall", "number"),
        FOREIGN KEY ("hall", "number") REFERENCES "seat" ("hall", "number")
      ) STRICT;
      INSERT INTO "gg_svc_new_ticket" ("id", "number", "hall", "old_hall", "old_number", "row", "place", "text_number") SELECT "id", "number", "hall", "old_hall", "old_number", "row", "place", "text_number" FROM "ticket";
      DROP TABLE "ticket";
      ALTER TABLE "gg_svc_new_ticket" RENAME TO "ticket";
      CREATE INDEX "ticket.old_hall,old_number.plain" ON "ticket" ("old_hall", "old_number");
      CREATE INDEX "ticket.hall,number.plain" ON "ticket" ("hall", "number");

      ",
        "",
      ]
    `);
  });

  test('writes nodes, relations and edges, and reports the parts that do not fit', async () => {
    const directory = await databaseWith(library);
    const before = readFileSync(join(directory, 'data.sqlite'));
    expect(await runCli(['import', 'data.sqlite'], { directory })).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "data.sqlite (SQLite): 15 operations, 4 types imported; 10 parts do not fit.

      The name fits no field: only the letters A–Z, digits and _ are allowed.
        author  column author.born at

      The store has no column for the type BLOB.
        book  column book.cover

      SQLite does not check the form of its values, so they are texts.
        book  column book.added DATETIME

      The database computes its values.
        book  column book.upper_title

      A topology cannot express it.
        book  check pages <> 13

      The store knows indexes of one column and unique ones of several, without expressions and conditions.
        book  index book_two

      The topology does not show it; the database keeps it.
        book  trigger watch

      The store needs a primary key.
        loose  table loose

      Only tables are imported.
        shelf  view shelf

      The store knows no ON DELETE CASCADE; the database does it nevertheless.
        book  foreign key author_id
      ",
        "stdout": "(author: Stored {
        id: ID!,
        /// @minLength 1
        name: String!,
        boss_id: ID,
        /// @store by boss_id
        boss: Author,
        /// @page 20
        /// @store by boss_id
        authors: [Author!]!,
        /// @page 20
        /// @store by author_id
        booksByAuthor: [Book!]!,
        /// @page 20
        /// @store by editor_id
        booksByEditor: [Book!]!,
      })
      (root { internal: true })
      (book_kind: Enum { values: [novel, poem] })
      (book: Stored {
        /// @store key
        isbn: Int!,
        /// @store index
        title: String! = 'untitled',
        kind: BookKind,
        author_id: ID!,
        editor_id: ID,
        /// @store unique
        code: String,
        isGood: Boolean! = true,
        price: Float,
        added: String,
        /// @exclusiveMinimum 0
        pages: Int,
        /// @store by author_id
        author: Author,
        /// @store by editor_id
        editor: Author,
        /// @page 20
        /// @store by book_isbn
        pairs: [Pair!]!,
      })
      /// @store unique note, a
      (pair: Stored {
        /// @store key
        a: Int!,
        /// @store key
        book_isbn: Int!,
        note: String,
        /// @store by book_isbn
        book_isbn_: Book,
      })
      (root)-[:PROCESS { operation: 'author', id: ID! }]->(author)
      (root)-[:PROCESS { operation: 'authors', returns: [Author!]!, page: 20 }]->(author)
      (root)-[:FOLD {
        operation: 'addAuthor',
        returns: Author!,
        writes: 'insert',
        id: ID,
        name: String!,
        boss_id: ID,
      }]->(author)
      (root)-[:FOLD {
        operation: 'changeAuthor',
        writes: 'update',
        id: ID!,
        /// @notNull
        name: String,
        boss_id: ID,
      }]->(author)
      (root)-[:FOLD { operation: 'deleteAuthor', writes: 'delete', id: ID! }]->(author)
      (root)-[:PROCESS { operation: 'book', isbn: Int! }]->(book)
      (root)-[:PROCESS { operation: 'books', returns: [Book!]!, page: 20 }]->(book)
      (root)-[:FOLD {
        operation: 'addBook',
        returns: Book!,
        writes: 'insert',
        isbn: Int!,
        title: String,
        kind: BookKind,
        author_id: ID!,
        editor_id: ID,
        code: String,
        isGood: Boolean,
        price: Float,
        added: String,
        pages: Int,
      }]->(book)
      (root)-[:FOLD {
        operation: 'changeBook',
        writes: 'update',
        isbn: Int!,
        /// @notNull
        title: String,
        kind: BookKind,
        /// @notNull
        author_id: ID,
        editor_id: ID,
        code: String,
        /// @notNull
        isGood: Boolean,
        price: Float,
        added: String,
        pages: Int,
      }]->(book)
      (root)-[:FOLD { operation: 'deleteBook', writes: 'delete', isbn: Int! }]->(book)
      (root)-[:PROCESS { operation: 'pair', a: Int!, book_isbn: Int! }]->(pair)
      (root)-[:PROCESS { operation: 'pairs', returns: [Pair!]!, page: 20 }]->(pair)
      (root)-[:FOLD {
        operation: 'addPair',
        returns: Pair!,
        writes: 'insert',
        a: Int!,
        book_isbn: Int!,
        note: String,
      }]->(pair)
      (root)-[:FOLD {
        operation: 'changePair',
        writes: 'update',
        a: Int!,
        book_isbn: Int!,
        note: String,
      }]->(pair)
      (root)-[:FOLD { operation: 'deletePair', writes: 'delete', a: Int!, book_isbn: Int! }]->(pair)
      ",
      }
    `);
    expect(readFileSync(join(directory, 'data.sqlite'))).toEqual(before);
  });

  test('knows a file of SQLite by its content, whatever its name', async () => {
    const directory = await databaseWith('CREATE TABLE pet (id TEXT PRIMARY KEY)');
    renameSync(join(directory, 'data.sqlite'), join(directory, 'postgres'));
    const { code, stderr } = await runCli(['import', 'postgres'], { directory });
    expect(stderr).toContain('postgres (SQLite): ');
    expect(code).toBe(0);
  });

  test('reports a file that is not a database, and a database without tables', async () => {
    const directory = directoryWith({ 'data.sqlite': `SQLite format 3\0${'x'.repeat(600)}` });
    expect(await runCli(['import', 'data.sqlite'], { directory })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('GG7007'),
    });
    const empty = await databaseWith('CREATE TABLE pair (a INT, b INT)');
    expect(await runCli(['import', 'data.sqlite'], { directory: empty })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/GG7008.*\(table pair: The store needs a primary key\)/),
    });
  });
});
