import { expect, test } from 'vitest';
import { planMigration } from '../../../../src/analysis/store/migrations/plan.js';
import { modelOf } from '../../../runtime/store/engines.js';

const stored = (fields: string, more = '') =>
  modelOf(`
(author: Stored { id: ID!, name: String! })
(book: Stored { id: ID!, ${fields} })
${more}
(root)-[:PROCESS { operation: 'books', returns: [Book!]! }]->(book)
`);

const sqlOf = (from: string, to: string) =>
  planMigration('postgres', stored(from), stored(to)).steps.flatMap(({ sql }) => sql);

test('links new tables of PostgreSQL after all are there, and drops old ones as a loss', () => {
  const { steps } = planMigration(
    'postgres',
    stored('title: String', '(old: Stored { id: ID! })'),
    stored('title: String', '(review: Stored { id: ID!, bookId: ID!, book: Book, at: DateTime! })'),
  );
  expect(steps).toMatchInlineSnapshot(`
    [
      {
        "sql": [
          "CREATE TABLE "review" (
      "id" text COLLATE "C" NOT NULL PRIMARY KEY,
      "bookId" text COLLATE "C" NOT NULL,
      "at" timestamptz(3) NOT NULL
    )",
          "CREATE INDEX "review.bookId.plain" ON "review" ("bookId")",
        ],
        "summary": "create the table review",
      },
      {
        "sql": [
          "ALTER TABLE "review" ADD CONSTRAINT "review.bookId.fkey" FOREIGN KEY ("bookId") REFERENCES "book" ("id")",
        ],
        "summary": "add foreign keys of review",
      },
      {
        "isContract": true,
        "isLoss": true,
        "sql": [
          "DROP TABLE "old" CASCADE",
        ],
        "summary": "drop the table old",
      },
    ]
  `);
});

test('gives no steps for columns in another order', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    const { steps } = planMigration(engine, stored('a: Int, b: Int'), stored('b: Int, a: Int'));
    expect(steps).toEqual([]);
  }
});

test('renames columns of PostgreSQL with their rules', () => {
  const from = `
    /// @store index
    /// @minimum 1
    a: Int
    authorId: ID, author: Author`;
  const to = `
    /// @store index
    /// @store was a
    /// @minimum 2
    b: Int
    /// @store was authorId
    writerId: ID, writer: Author`;
  expect(sqlOf(from, to)).toMatchInlineSnapshot(`
    [
      "ALTER TABLE "book" RENAME COLUMN "a" TO "b"",
      "ALTER TABLE "book" RENAME CONSTRAINT "book.a.check" TO "book.b.check"",
      "ALTER INDEX "book.a.plain" RENAME TO "book.b.plain"",
      "ALTER TABLE "book" DROP CONSTRAINT "book.b.check"",
      "ALTER TABLE "book" ADD CONSTRAINT "book.b.check" CHECK ("b" >= 2) NOT VALID",
      "ALTER TABLE "book" RENAME COLUMN "authorId" TO "writerId"",
      "ALTER TABLE "book" RENAME CONSTRAINT "book.authorId.fkey" TO "book.writerId.fkey"",
      "ALTER INDEX "book.authorId.plain" RENAME TO "book.writerId.plain"",
      "ALTER TABLE "book" VALIDATE CONSTRAINT "book.b.check"",
    ]
  `);
});

test('changes rules of columns of PostgreSQL', () => {
  const from = `
    /// @store unique
    a: Int
    b: Int! = 1
    authorId: ID, author: Author
    /// @store index
    c: String
    d: BigInt`;
  const to = `
    /// @store index
    a: BigInt
    b: Int
    authorId: ID
    /// @store unique
    /// @store default uuid
    c: String!
    d: String! = '0'`;
  expect(sqlOf(from, to)).toMatchInlineSnapshot(`
    [
      "ALTER TABLE "book" DROP CONSTRAINT "book.authorId.fkey"",
      "ALTER TABLE "book" ALTER COLUMN "b" DROP NOT NULL",
      "ALTER TABLE "book" ALTER COLUMN "a" TYPE bigint USING "a"::bigint",
      "ALTER TABLE "book" ALTER COLUMN "a" DROP DEFAULT",
      "ALTER TABLE "book" DROP CONSTRAINT IF EXISTS "book.a.unique"",
      "DROP INDEX IF EXISTS "book.a.unique"",
      "ALTER TABLE "book" ALTER COLUMN "b" DROP DEFAULT",
      "DROP INDEX IF EXISTS "book.authorId.plain"",
      "DROP INDEX IF EXISTS "book.c.plain"",
      "ALTER TABLE "book" ALTER COLUMN "d" TYPE text COLLATE "C" USING "d"::text",
      "ALTER TABLE "book" ALTER COLUMN "d" SET DEFAULT '0'",
      "DROP INDEX CONCURRENTLY IF EXISTS "book.a.plain"",
      "CREATE INDEX CONCURRENTLY "book.a.plain" ON "book" ("a")",
      "ALTER TABLE "book" DROP CONSTRAINT IF EXISTS "book.c.required"",
      "ALTER TABLE "book" ADD CONSTRAINT "book.c.required" CHECK ("c" IS NOT NULL) NOT VALID",
      "UPDATE "book" SET "c" = gen_random_uuid()::text WHERE "id" IN (SELECT "id" FROM "book" WHERE "c" IS NULL LIMIT 1000) RETURNING 1",
      "ALTER TABLE "book" VALIDATE CONSTRAINT "book.c.required"",
      "ALTER TABLE "book" ALTER COLUMN "c" SET NOT NULL",
      "ALTER TABLE "book" DROP CONSTRAINT IF EXISTS "book.c.required"",
      "DROP INDEX CONCURRENTLY IF EXISTS "book.c.unique"",
      "CREATE UNIQUE INDEX CONCURRENTLY "book.c.unique" ON "book" ("c")",
      "ALTER TABLE "book" DROP CONSTRAINT IF EXISTS "book.d.required"",
      "ALTER TABLE "book" ADD CONSTRAINT "book.d.required" CHECK ("d" IS NOT NULL) NOT VALID",
      "UPDATE "book" SET "d" = '0' WHERE "id" IN (SELECT "id" FROM "book" WHERE "d" IS NULL LIMIT 1000) RETURNING 1",
      "ALTER TABLE "book" VALIDATE CONSTRAINT "book.d.required"",
      "ALTER TABLE "book" ALTER COLUMN "d" SET NOT NULL",
      "ALTER TABLE "book" DROP CONSTRAINT IF EXISTS "book.d.required"",
    ]
  `);
});

test('adds columns of PostgreSQL, with values for the rows that exist', () => {
  const to = `
    /// @store default uuid
    a: String!
    /// @store default now
    b: DateTime!
    authorId: ID, author: Author
    /// @store unique
    c: String = "it's"
    d: JSON
    e: Boolean! = true`;
  expect(sqlOf('z: Int', `z: Int, ${to}`)).toMatchInlineSnapshot(`
    [
      "ALTER TABLE "book" ADD COLUMN "a" text COLLATE "C"",
      "ALTER TABLE "book" ALTER COLUMN "a" SET DEFAULT gen_random_uuid()::text",
      "ALTER TABLE "book" ADD COLUMN "b" timestamptz(3) NOT NULL DEFAULT now()",
      "ALTER TABLE "book" ADD COLUMN "authorId" text COLLATE "C"",
      "ALTER TABLE "book" ADD COLUMN "c" text COLLATE "C" DEFAULT 'it''s'",
      "ALTER TABLE "book" ADD COLUMN "d" jsonb",
      "ALTER TABLE "book" ADD COLUMN "e" boolean NOT NULL DEFAULT true",
      "UPDATE "book" SET "a" = gen_random_uuid()::text WHERE "id" IN (SELECT "id" FROM "book" WHERE "a" IS NULL LIMIT 1000) RETURNING 1",
      "DROP INDEX CONCURRENTLY IF EXISTS "book.authorId.plain"",
      "CREATE INDEX CONCURRENTLY "book.authorId.plain" ON "book" ("authorId")",
      "ALTER TABLE "book" ADD CONSTRAINT "book.authorId.fkey" FOREIGN KEY ("authorId") REFERENCES "author" ("id") NOT VALID",
      "UPDATE "book" SET "a" = gen_random_uuid()::text WHERE "id" IN (SELECT "id" FROM "book" WHERE "a" IS NULL LIMIT 1000) RETURNING 1",
      "ALTER TABLE "book" ALTER COLUMN "a" DROP DEFAULT",
      "ALTER TABLE "book" DROP CONSTRAINT IF EXISTS "book.a.required"",
      "ALTER TABLE "book" ADD CONSTRAINT "book.a.required" CHECK ("a" IS NOT NULL) NOT VALID",
      "ALTER TABLE "book" VALIDATE CONSTRAINT "book.a.required"",
      "ALTER TABLE "book" ALTER COLUMN "a" SET NOT NULL",
      "ALTER TABLE "book" DROP CONSTRAINT IF EXISTS "book.a.required"",
      "ALTER TABLE "book" VALIDATE CONSTRAINT "book.authorId.fkey"",
      "DROP INDEX CONCURRENTLY IF EXISTS "book.c.unique"",
      "CREATE UNIQUE INDEX CONCURRENTLY "book.c.unique" ON "book" ("c")",
    ]
  `);
});

const ruled = (rule: string, fields: string) =>
  modelOf(`
/// @store unique ${rule}
(book: Stored { id: ID!, ${fields} })
(root)-[:PROCESS { operation: 'books', returns: [Book!]! }]->(book)
`);

test('renames, drops and adds unique rules of several columns of PostgreSQL', () => {
  const from = ruled('a, b', 'a: Int, b: Int');
  const renamed = ruled('c, b', `/// @store was a\nc: Int, b: Int`);
  const sqlOf = (to: typeof from) => planMigration('postgres', from, to).steps.flatMap(({ sql }) => sql);
  expect(sqlOf(renamed)).toEqual([
    'ALTER TABLE "book" RENAME COLUMN "a" TO "c"',
    'ALTER INDEX "book.a,b.unique" RENAME TO "book.c,b.unique"',
  ]);
  expect(sqlOf(ruled('b, a', 'a: Int, b: Int'))).toEqual([
    'ALTER TABLE "book" DROP CONSTRAINT IF EXISTS "book.a,b.unique"',
    'DROP INDEX IF EXISTS "book.a,b.unique"',
    'DROP INDEX CONCURRENTLY IF EXISTS "book.b,a.unique"',
    'CREATE UNIQUE INDEX CONCURRENTLY "book.b,a.unique" ON "book" ("b", "a")',
  ]);
});

test('looks for rows that are equal in all columns of a new unique rule', () => {
  const checksOf = (fields: string, rule = 'a, b') =>
    planMigration('sqlite', ruled('a, c', 'a: Int, c: Int'), ruled(rule, fields)).steps.flatMap(({ rowChecks = [] }) =>
      rowChecks.map(({ sql, refusal }) => `${refusal}: ${sql}`),
    );
  expect(checksOf('a: Int! = 1, c: Int, b: Int = 2')).toEqual([
    'rows of book have the same a and b, which must be unique: SELECT 1 AS found FROM (SELECT coalesce("a", 1) AS "a", 2 AS "b" FROM "book") AS gg_svc_row WHERE "a" IS NOT NULL AND "b" IS NOT NULL GROUP BY "a", "b" HAVING count(*) > 1 LIMIT 1',
  ]);
  // Rows with a null, or each with a UUID of its own, differ.
  expect(checksOf('a: Int, c: Int, b: Int')).toEqual([]);
  expect(checksOf('a: Int, c: Int, /// @store default uuid\nb: String')).toEqual([]);
  expect(checksOf('a: Int, c: Int! = 1', 'a, c')).toHaveLength(1);
});

test('rejects another number of columns of the key', () => {
  const keyed = (more: string) =>
    modelOf(`
(book: Stored {
  /// @store key
  a: ID!
  ${more}b: ID!
})
(root)-[:PROCESS { operation: 'books', returns: [Book!]! }]->(book)
`);
  const [one, two] = [keyed(''), keyed('/// @store key\n  ')];
  const reason = 'is the key: keys keep their columns (@store was names the old one) and their types';
  expect(planMigration('sqlite', one, two).refusals).toEqual([`book.a ${reason}`, `book.b ${reason}`]);
  expect(planMigration('sqlite', two, one).refusals).toEqual([`book.a ${reason}`]);
});

test('drops and adds a column whose values fit no more', () => {
  const { steps, refusals } = planMigration('postgres', stored('a: String'), stored('a: Int'));
  expect(steps).toMatchObject([{ summary: 'change the table book: add a, drop a', isLoss: true }]);
  expect(refusals).toEqual([]);
});

test('rejects another key, and a required column without a default', () => {
  const key = '(item: Stored { id: ID!, code: String! })';
  const other = `(item: Stored {
    id: ID!
    /// @store key
    code: String!
  })`;
  const { steps, refusals } = planMigration('sqlite', stored('a: Int', key), stored('a: Int, b: Int!', other));
  expect(steps).toEqual([]);
  expect(refusals).toEqual([
    'book.b is required: give it a default for the rows that exist, or let it be null',
    'item.code is the key: keys keep their columns (@store was names the old one) and their types',
  ]);
});

test('copies values of SQLite in the form of their new type, with defaults for those that are missing', () => {
  const { steps } = planMigration(
    'sqlite',
    stored('a: Int, b: Int, c: Int'),
    stored('a: String, b: Int! = 2, c: BigInt, d: Boolean! = true'),
  );
  expect(steps[0]?.sql[1]).toBe(
    'INSERT INTO "gg_svc_new_book" ("id", "a", "b", "c", "d") SELECT "id", CAST("a" AS TEXT), coalesce("b", 2), CAST("c" AS INTEGER), 1 FROM "book"',
  );
});

test('checks limits that both engines check alike', () => {
  const [create] = planMigration(
    'sqlite',
    { tables: [] },
    stored(`
    /// @exclusiveMinimum 1
    /// @exclusiveMaximum 9
    /// @multipleOf 2
    a: Int
    /// @minLength 1
    /// @maxLength 5
    b: String
    /// @minItems 1
    c: [String!]
    /// @multipleOf 0.5
    d: Float
    e: Boolean`),
  ).steps.filter(({ summary }) => summary.includes('book'));
  expect(create?.sql).toMatchInlineSnapshot(`
    [
      "CREATE TABLE "book" (
      "id" TEXT NOT NULL PRIMARY KEY,
      "a" INTEGER CONSTRAINT "book.a.check" CHECK ("a" > 1 AND "a" < 9 AND "a" % 2 = 0),
      "b" TEXT CONSTRAINT "book.b.check" CHECK (length("b") >= 1 AND length("b") <= 5),
      "c" TEXT,
      "d" REAL,
      "e" INTEGER CONSTRAINT "book.e.check" CHECK ("e" IN (0, 1))
    ) STRICT",
    ]
  `);
});

test('cuts the names of indexes that PostgreSQL would cut, each in its own way', () => {
  const long = 'x'.repeat(60);
  const { steps } = planMigration(
    'postgres',
    { tables: [] },
    stored(`
    /// @store index
    ${long}1: Int
    /// @store index
    ${long}2: Int`),
  );
  const names = steps.flatMap(({ sql }) => sql).flatMap((text) => /INDEX "([^"]+)"/.exec(text)?.[1] ?? []);
  expect(names.map(({ length }) => length)).toEqual([63, 63]);
  expect(new Set(names).size).toBe(2);
});
