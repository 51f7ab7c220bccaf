import { expect, test } from 'vitest';
import { seedRows } from '../../../src/analysis/store/seed-rows.js';
import { storeModelOf } from '../../../src/analysis/store/tables.js';
import { compile } from '../../../src/compiler.js';

const plan = { rows: 12, seed: 1, owners: [], kept: new Map() };

function seeded(source: string, more: Partial<Parameters<typeof seedRows>[2]> = {}) {
  const { schema } = compile({ name: 'a.gg', source });
  const { tables, diagnostics } = seedRows(schema, storeModelOf(schema).model, { ...plan, ...more });
  return {
    rows: Object.fromEntries(tables.map(({ table, rows }) => [table.name, rows])),
    order: tables.map(({ table }) => table.name),
    messages: diagnostics.map(({ code, message }) => `${code} ${message}`),
  };
}

const library = `
(status: Enum { values: [NEW, OLD] })
(book: Stored {
  id: ID!, authorId: Int!, author: Author, title: String!, status: Status! = NEW,
  isGood: Boolean!, bornAt: Date!, tags: [String!]!, shelf: [[Int!]!]!, site: URL!, size: BigInt!, home: Place!,
  /// @example first
  /// @example second
  note: String!,
  /// @pattern ^[A-Z]{3}-[a-z]+$
  /// @store unique
  code: String!,
  /// @store version
  version: Int!,
})
(author: Stored { id: Int!, name: String!, mentorId: Int, mentor: Author, books: [Book!]! })
(place { city: String!, depth: Float!, status: Status!, inner: [Place!]!, owner: Thing })
(thing: Interface { name: String! })
(shop { implements: [Thing], name: String!, at: Place })
(root)-[:PROCESS { operation: 'books', returns: [Book!]! }]->(book)
`;

test('makes rows that refer to rows, the first of examples', () => {
  const { rows, order, messages } = seeded(library);
  expect(messages).toEqual([]);
  expect(order).toEqual(['author', 'book']);
  const [first] = rows.book ?? [];
  expect(first).toMatchObject({
    ...{ id: '1', authorId: 1, title: 'A Study in Scarlet', status: 'NEW', isGood: true },
    ...{ bornAt: '2024-01-31', note: 'first', version: 1, tags: ['news'], shelf: [[expect.any(Number)]] },
    home: { city: 'London', depth: 12.5, status: 'NEW', owner: { __typename: 'Shop' } },
  });
  const keys = new Set(rows.author?.map(({ id }) => id));
  expect(keys.size).toBe(12);
  for (const { authorId, code } of rows.book ?? []) {
    expect(keys).toContain(authorId);
    expect(code).toMatch(/^[A-Z]{3}-[a-z]+$/);
  }
  expect(new Set(rows.book?.map(({ code }) => code)).size).toBe(12);
  for (const { mentorId } of rows.author ?? []) expect([...keys, null]).toContain(mentorId);
});

test('makes equal rows of equal seeds, and other rows of others', () => {
  expect(seeded(library)).toEqual(seeded(library));
  expect(seeded(library, { seed: 2 }).rows).not.toEqual(seeded(library).rows);
});

test('gives rows to callers', () => {
  const source = `
/// @owner userId
(note: Stored { id: ID!, userId: ID!, user: User, text: String })
/// @owner userId
(badge: Stored { id: ID!,
  /// @store unique
  userId: Int! })
/// @owner id
(profile: Stored { id: ID!, name: String! })
(user: Stored { id: ID!, name: String! })
(root)-[:PROCESS { operation: 'notes', returns: [Note!]! }]->(note)
(root)-[:PROCESS { operation: 'badges', returns: [Badge!]! }]->(badge)
(root)-[:PROCESS { operation: 'profiles', returns: [Profile!]! }]->(profile)
`;
  const { rows } = seeded(source, { owners: ['ada', '7'] });
  const users = rows.user?.map(({ id }) => id);
  expect(users?.slice(0, 3)).toEqual(['ada', '7', '3']);
  expect(rows.profile?.map(({ id }) => id)).toEqual(users);
  expect(rows.note?.[0]?.userId).toBe('ada');
  expect(rows.badge?.map(({ userId }) => userId)).toContain(7);
  expect(new Set(rows.badge?.map(({ userId }) => userId)).size).toBe(12);
});

test('makes as many rows as there are unique values', () => {
  const { rows, messages } = seeded(`
(size: Enum { values: [S, L] })
(shirt: Stored { id: ID!,
  /// @store unique
  size: Size!, })
(slot: Stored {
  /// @store key
  /// @maximum 3
  number: Int!,
})
(pass: Stored { id: ID!,
  /// @store unique
  shirtId: ID!, shirt: Shirt })
(root)-[:PROCESS { operation: 'passes', returns: [Pass!]! }]->(pass)
(root)-[:PROCESS { operation: 'slots', returns: [Slot!]! }]->(slot)
`);
  expect(messages).toEqual([]);
  expect(rows.shirt?.map(({ size }) => size).toSorted()).toEqual(['L', 'S']);
  expect(rows.pass?.map(({ shirtId }) => shirtId)).toEqual(['1', '2']);
  expect(rows.slot?.every(({ number }) => Number(number) <= 3)).toBe(true);
});

test('makes rows that differ in a key of several columns, and in the columns of a rule', () => {
  const { rows } = seeded(`
(user: Stored { id: ID! })
/// @store unique userId, seat
(member: Stored {
  /// @store key
  userId: ID!
  user: User,
  /// @store key
  number: Int!
  /// @minimum 1
  /// @maximum 4
  seat: Int
  /// @pattern ^[A-Z]{3}$
  /// @store unique
  code: String!
})
/// @store unique one, other
(pair: Stored { id: ID!, one: Boolean!, other: Boolean! })
(root)-[:PROCESS { operation: 'members', returns: [Member!]! }]->(member)
(root)-[:PROCESS { operation: 'pairs', returns: [Pair!]! }]->(pair)
`);
  const distinct = (table: string, ...names: string[]) =>
    new Set(
      rows[table]?.map((row) =>
        names
          .map((name) => row[name] ?? Symbol('null'))
          .map(String)
          .join(),
      ),
    ).size;
  expect(rows.member).toHaveLength(12);
  expect(distinct('member', 'userId', 'number')).toBe(12);
  const seated = rows.member?.filter(({ seat }) => seat !== null) ?? [];
  expect(new Set(seated.map(({ userId, seat }) => `${userId} ${seat}`)).size).toBe(seated.length);
  // There are four pairs.
  expect(rows.pair).toHaveLength(4);
});

test('orders tables that refer to each other by the references that are required', () => {
  const { rows, order } = seeded(`
(a: Stored { id: ID!, bId: ID!, b: B })
(b: Stored { id: ID!, aId: ID, a: A })
(root)-[:PROCESS { operation: 'list', returns: [A!]! }]->(a)
`);
  expect(order).toEqual(['b', 'a']);
  expect(rows.b?.map(({ aId }) => aId)).toEqual(Array(12).fill(null));
});

test('leaves tables with rows alone, and refers to those', () => {
  const { rows, order } = seeded(library, { kept: new Map([['author', [70, 71]]]) });
  expect(order).toEqual(['book']);
  for (const { authorId } of rows.book ?? []) expect([70, 71]).toContain(authorId);
});

test('reports tables that can have no row (GG7009)', () => {
  const { messages, order } = seeded(`
(a: Stored { id: ID!, bId: ID!, b: B })
(b: Stored { id: ID!, aId: ID!, a: A })
(c: Stored { id: ID!,
  /// @pattern ^(?=.*[A-Z])[a-z]*$
  title: String! })
(d: Stored { id: ID!, loop: Loop! })
(loop { again: Loop! })
(root)-[:PROCESS { operation: 'list', returns: [A!]! }]->(a)
(root)-[:PROCESS { operation: 'others', returns: [C!]! }]->(c)
(root)-[:PROCESS { operation: 'last', returns: [D!]! }]->(d)
`);
  expect(order).toEqual([]);
  expect(messages).toEqual([
    'GG7009 The table c cannot be seeded: no value for “title” was found that fits its constraints; give it one with @example.',
    'GG7009 The table d cannot be seeded: no value for “loop” was found that fits its constraints; give it one with @example.',
    'GG7009 The table a cannot be seeded: “bId” needs a row of b.',
    'GG7009 The table b cannot be seeded: “aId” needs a row of a.',
  ]);
});
