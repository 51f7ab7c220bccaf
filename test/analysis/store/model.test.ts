import { describe, expect, test } from 'vitest';
import { planMigration } from '../../../src/analysis/store/migrations/plan.js';
import { readsOf } from '../../../src/analysis/store/reads.js';
import { storeModelOf } from '../../../src/analysis/store/tables.js';
import { storeWritesOf } from '../../../src/analysis/store/writes.js';
import { compile } from '../../../src/compiler.js';

const modelOf = (source: string) => storeModelOf(compile({ name: 'a.gg', source }).schema);

test('makes tables of stored nodes, with keys, relations and defaults', () => {
  const { model, diagnostics } = modelOf(`
(author: Stored {
  id: ID!, name: String!, books: [Book!]!
})
(book: Stored {
  id: ID!, title: String!, authorId: ID!, author: Author, tags: [String!]!
  /// @store created
  at: DateTime!
})
(root)-[:PROCESS { operation: 'books', returns: [Book!]! }]->(book)
`);
  expect(diagnostics).toEqual([]);
  expect(model).toMatchInlineSnapshot(`
    {
      "tables": [
        {
          "columns": [
            {
              "fallback": {
                "kind": "uuid",
              },
              "isNullable": false,
              "kind": "text",
              "name": "id",
            },
            {
              "isNullable": false,
              "kind": "text",
              "name": "name",
            },
          ],
          "key": "id",
          "name": "author",
          "relations": [
            {
              "columns": [
                "authorId",
              ],
              "field": "books",
              "kind": "many",
              "to": "book",
            },
          ],
          "type": "Author",
        },
        {
          "columns": [
            {
              "fallback": {
                "kind": "uuid",
              },
              "isNullable": false,
              "kind": "text",
              "name": "id",
            },
            {
              "isNullable": false,
              "kind": "text",
              "name": "title",
            },
            {
              "isNullable": false,
              "kind": "text",
              "name": "authorId",
              "references": "author",
            },
            {
              "isNullable": false,
              "kind": "json",
              "name": "tags",
            },
            {
              "fallback": {
                "kind": "now",
              },
              "isNullable": false,
              "kind": "instant",
              "name": "at",
            },
          ],
          "key": "id",
          "name": "book",
          "relations": [
            {
              "columns": [
                "authorId",
              ],
              "field": "author",
              "kind": "one",
              "to": "author",
            },
          ],
          "type": "Book",
        },
      ],
    }
  `);
});

test.each([
  [`(a: Stored { id: ID!, bId: Int, b: B }) (b: Stored { id: ID! })`, 'it holds the key of b, but has another type'],
  [`(a: Stored { id: ID!, ${'x'.repeat(64)}: Int })`, 'PostgreSQL has no name of more than 63 characters'],
  [`(a: Stored { id: ID!, word: Int, Word: Int })`, 'SQLite does not tell Word from another field by its case'],
  [`(gg_svc_store: Stored { id: ID! })`, 'names with “sqlite_” and “gg_svc_” in front are those of the store'],
])('rejects what an engine cannot keep: %s', (source, reason) => {
  const [name = ''] = /\w+/.exec(source) ?? [];
  const { model, diagnostics } = modelOf(`${source}\n(root)-[:PROCESS { operation: 'all' }]->(${name})`);
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([expect.stringMatching(/^GG7001 /)]);
  expect(diagnostics[0]?.message).toContain(reason);
  expect(model.tables.map((table) => table.name)).not.toContain(name);
});

const wide = `
(seat: Stored {
  /// @store key
  hall: ID!
  /// @store key
  number: Int!
  row: String, plan: JSON, ticketId: ID, tickets: [Ticket!]!
})`;

test('makes a key of several columns, without defaults, and unique rules over several columns', () => {
  const { model, diagnostics } = modelOf(`
/// A seat.
/// @store unique hall, row
/// @store unique row number
${wide.replace(', tickets: [Ticket!]!', '')}
(root)-[:PROCESS { operation: 'seats', returns: [Seat!]! }]->(seat)
`);
  expect(diagnostics).toEqual([]);
  expect(model.tables[0]).toMatchObject({
    ...{ key: 'hall', keys: ['hall', 'number'] },
    uniques: [
      ['hall', 'row'],
      ['row', 'number'],
    ],
  });
  expect(model.tables[0]?.columns[0]).toEqual({ name: 'hall', kind: 'text', isNullable: false });
});

test.each([
  ['unique row', 'it is neither “unique” with two columns or more, nor “order” with columns and their directions'],
  [
    'index row, number',
    'it is neither “unique” with two columns or more, nor “order” with columns and their directions',
  ],
  ['unique row, row', 'it is neither “unique” with two columns or more, nor “order” with columns and their directions'],
  ['unique row, place', '“place” is no column'],
  ['unique row, tickets', '“tickets” is no column'],
  ['unique row, plan', '“plan” is an object, a list or JSON, which is not compared'],
  ['order place', '“place” is no column'],
  ['order row, plan desc', '“plan” is an object, a list or JSON, which is not compared'],
  ['order row down', 'it is neither “unique” with two columns or more, nor “order” with columns and their directions'],
])('rejects a rule that no database keeps: %s', (rule, reason) => {
  const { model, diagnostics } = modelOf(`
/// @store ${rule}
(seat: Stored { id: ID!, row: String, number: Int, plan: JSON, tickets: [Ticket!]! })
(ticket: Stored { id: ID!, seatId: ID! })
(root)-[:PROCESS { operation: 'seats', returns: [Seat!]! }]->(seat)
`);
  expect(diagnostics).toMatchObject([
    { code: 'GG7005', message: `The rule “@store ${rule}” of Seat cannot be kept: ${reason}.` },
  ]);
  expect(model.tables.map(({ name }) => name)).toEqual(['ticket']);
});

test('rejects relations to a node whose key has several columns without a field for each, from both sides', () => {
  const { diagnostics } = modelOf(`${wide}
(ticket: Stored {
  id: ID!, seatId: ID!, seat: Seat
  /// @store by seatId
  other: Seat
})
(root)-[:PROCESS { operation: 'tickets', returns: [Ticket!]! }]->(ticket)
`);
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
    'GG7006 Seat.tickets cannot lead to Seat: no fields hold its key hall, number.',
    'GG7006 Ticket.seat cannot lead to Seat: no fields hold its key hall, number.',
    'GG7006 Ticket.other cannot lead to Seat: no fields hold its key hall, number.',
  ]);
});

test.each([
  ['with the names of the relation and the key', 'seatHall: ID, seatNumber: Int, seat: Seat', 'seatHall seatNumber'],
  ['with snake case', 'seat_hall: ID, seat_number: Int, seat: Seat', 'seat_hall seat_number'],
  ['shared with other relations', 'hall: ID!, seat_number: Int, seat: Seat', 'hall seat_number'],
  [
    'that @store by names',
    `of: ID, row: Int
     /// @store by of, row
     seat: Seat`,
    'of row',
  ],
])('follows a relation to a key of several columns by columns %s, from both sides', (_, fields, names) => {
  const { model, diagnostics } = modelOf(`${wide}
(ticket: Stored { id: ID!, ${fields} })
(root)-[:PROCESS { operation: 'tickets', returns: [Ticket!]! }]->(ticket)
`);
  expect(diagnostics).toEqual([]);
  const columns = names.split(' ');
  expect(model.tables.map(({ name, relations, foreignKeys }) => [name, relations, foreignKeys])).toEqual([
    ['seat', [{ field: 'tickets', to: 'ticket', kind: 'many', columns }], undefined],
    ['ticket', [{ field: 'seat', to: 'seat', kind: 'one', columns }], [{ columns, to: 'seat' }]],
  ]);
});

test('follows a list by the columns with the name of its type, and never by the key of the row itself', () => {
  const { model, diagnostics } = modelOf(`
(page: Stored {
  /// @store key
  site: ID!
  /// @store key
  id: ID!
  parentId: ID, parent: Page, visits: [Visit!]!
})
(visit: Stored { id: ID!, site: ID!, pageId: ID! })
(root)-[:PROCESS { operation: 'pages', returns: [Page!]! }]->(page)
`);
  expect(diagnostics).toEqual([]);
  expect(model.tables.map(({ foreignKeys }) => foreignKeys)).toEqual([
    [{ columns: ['site', 'parentId'], to: 'page' }],
    [{ columns: ['site', 'pageId'], to: 'page' }],
  ]);
  const { diagnostics: found } = modelOf(`
(page: Stored {
  /// @store key
  site: ID!
  /// @store key
  number: Int!
  parent: Page
})
(root)-[:PROCESS { operation: 'pages', returns: [Page!]! }]->(page)
`);
  expect(found.map(({ code }) => code)).toEqual(['GG7006']);
});

test('rejects columns of another type than the key of several columns that they hold', () => {
  const { model, diagnostics } = modelOf(`${wide.replace(', tickets: [Ticket!]!', '')}
(ticket: Stored { id: ID!, seatHall: ID, seatNumber: String, seat: Seat })
(root)-[:PROCESS { operation: 'tickets', returns: [Ticket!]! }]->(ticket)
`);
  expect(diagnostics.map(({ message }) => message)).toEqual([
    'Ticket.seatNumber cannot be stored: it holds the key of seat, but has another type.',
  ]);
  expect(model.tables.map(({ name }) => name)).toEqual(['seat']);
});

test('rejects a rule of a node that is no table', () => {
  const { diagnostics } = compile({
    name: 'a.gg',
    source: `
/// @store unique id, row
(seat { id: ID!, row: String })
(root)-[:PROCESS]->(seat)
`,
  });
  expect(diagnostics).toMatchObject([
    { code: 'GG7005', message: expect.stringContaining('the node lacks the label Stored') },
  ]);
});

test('makes a foreign key of a column that another table finds its rows by', () => {
  const { model } = modelOf(`
(author: Stored { id: ID!, books: [Book!]! })
(book: Stored { id: ID!, authorId: ID! })
(root)-[:PROCESS]->(author)
`);
  const columns = model.tables.find(({ name }) => name === 'book')?.columns;
  expect(columns?.find(({ name }) => name === 'authorId')).toMatchObject({ references: 'author' });
});

describe('a relation without a field for its key', () => {
  const columnsOf = (source: string) => {
    const { model, diagnostics } = modelOf(`${source}\n(root)-[:PROCESS { operation: 'all', returns: [A!]! }]->(a)`);
    expect(diagnostics).toEqual([]);
    return Object.fromEntries(
      model.tables.map(({ name, columns }) => [name, columns.filter(({ relation }) => relation !== undefined)]),
    );
  };

  test.each([
    ['required', 'b: B!', { name: 'bId', kind: 'text', isNullable: false, references: 'b', relation: 'A.b' }],
    ['nullable', 'b: B', { name: 'bId', kind: 'text', isNullable: true, references: 'b', relation: 'A.b' }],
    [
      'unique, with a former name',
      '/// @store unique\n/// @store was oldId\nb: B',
      { name: 'bId', kind: 'text', isNullable: true, isUnique: true, was: 'oldId', references: 'b', relation: 'A.b' },
    ],
    [
      'of snake case',
      'the_b: B',
      { name: 'the_b_id', kind: 'text', isNullable: true, references: 'b', relation: 'A.the_b' },
    ],
  ])('has a column of its own that is %s', (_, field, column) => {
    expect(columnsOf(`(a: Stored { id: ID!, ${field} }) (b: Stored { id: ID! })`)).toEqual({ a: [column], b: [] });
  });

  test('has the type of the key', () => {
    const { a } = columnsOf('(a: Stored { id: ID!, b: B! }) (b: Stored { id: Int! })');
    expect(a).toMatchObject([{ name: 'bId', kind: 'integer' }]);
  });

  test('has a column of the other table, which may be null, if it is a list', () => {
    expect(columnsOf('(a: Stored { id: ID!, bs: [B!]! }) (b: Stored { id: ID! })')).toEqual({
      a: [],
      b: [{ name: 'aId', kind: 'text', isNullable: true, references: 'a', relation: 'A.bs' }],
    });
  });

  test('is both sides of one column, also of two that @store by names', () => {
    expect(columnsOf('(a: Stored { id: ID!, b: B! }) (b: Stored { id: ID!, as: [A!]! })')).toMatchObject({
      a: [{ name: 'bId', relation: 'A.b' }],
      b: [],
    });
    const two = `(a: Stored { id: ID!, from: B!, to: B! }) (b: Stored { id: ID!,
      /// @store by fromId
      sent: [A!]!,
      /// @store by toId
      got: [A!]! })`;
    expect(columnsOf(two)).toMatchObject({ a: [{ name: 'fromId' }, { name: 'toId' }], b: [] });
  });

  test('leads to rows of its own table', () => {
    expect(columnsOf('(a: Stored { id: ID!, parent: A, children: [A!]! })')).toMatchObject({
      a: [{ name: 'parentId', references: 'a' }],
    });
  });

  test('leaves a migration without steps if its field is removed', () => {
    const [old, found] = ['bId: ID!, b: B!', 'b: B!'].map(
      (fields) =>
        modelOf(`(a: Stored { id: ID!, ${fields} }) (b: Stored { id: ID! })
          (root)-[:PROCESS { operation: 'all', returns: [A!]! }]->(a)`).model,
    );
    if (old === undefined || found === undefined) throw new Error('no model');
    for (const engine of ['sqlite', 'postgres'] as const) expect(planMigration(engine, old, found).steps).toEqual([]);
  });

  test.each([
    ['lists on both sides', 'bs: [B!]!', 'as: [A!]!', 'B has none of aId, a_id: name the column with @store by'],
    ['two lists of the same type', 'bs: [B!]!, others: [B!]!', 'text: String', 'B has none of aId, a_id'],
    ['a list of its own type', 'as: [A!]!', 'text: String', 'cannot be stored'],
    ['a column that is unknown', '/// @store by bee\nb: B', 'text: String', 'A has none of bee'],
    ['a key', '/// @store key\nb: B', 'text: String', 'a relation is no key'],
    ['another spelling', 'bID: ID, b: B', 'text: String', 'SQLite does not tell bId from another field by its case'],
  ])('has none for %s', (_, ofA, ofB, reason) => {
    const { diagnostics } = modelOf(`(a: Stored { id: ID!, ${ofA} }) (b: Stored { id: ID!, ${ofB} })
      (root)-[:PROCESS { operation: 'all', returns: [A!]! }]->(a)`);
    expect(diagnostics[0]?.message).toContain(reason);
  });
});

describe('a type that cannot be stored', () => {
  test.each([
    ['by a list of rows', '(author: Stored { id: ID!, books: [Book!]! })'],
    ['by a row', '(author: Stored { id: ID!, bookId: ID, book: Book })'],
    ['by both', '(author: Stored { id: ID!, bookId: ID, book: Book, books: [Book!]! })'],
  ])('leaves no table that leads to it %s, so that all uses of the tables hold', (_, author) => {
    const source = `${author}
      (book: Stored {
        id: ID!,
        /// @store when
        authorId: ID!,
        author: Author,
      })
      (new_author: Input { books: [NewBook!] })
      (new_book: Input { authorId: ID })
      (new_author)-[:FOLD { operation: 'addAuthor', returns: Author! }]->(author)
      (root)-[:PROCESS { operation: 'authors', returns: [Author!]! }]->(author)`;
    const { schema } = compile({ name: 'a.gg', source });
    const { model, diagnostics } = storeModelOf(schema);
    expect(diagnostics.map(({ code }) => code)).toEqual(['GG7001']);
    expect(model.tables.map(({ name, relations }) => [name, relations])).toEqual([['author', []]]);
    expect(JSON.stringify(model)).not.toContain('references');
    readsOf(schema, model);
    storeWritesOf(schema, model);
    for (const engine of ['sqlite', 'postgres'] as const)
      expect(planMigration(engine, { tables: [] }, model).refusals).toEqual([]);
  });
});
