import fc from 'fast-check';
import { expect } from 'vitest';
import type { Store } from '../../../../src/runtime/store/store.js';
import { serveRows } from './serve-rows.js';

/**
 * Random rows and selections: one statement gives what a statement for each level gives. A response name that is too
 * long for a column of PostgreSQL leaves a relation to the second way.
 */
export async function checkOneStatement(numRuns: number, openStore: () => Promise<Store>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(worlds, async ({ types, rows, selections, isGiven, isShown }) => {
      const store = await openStore();
      try {
        const { ask, statements } = await serveRows(
          topologyOf(types, isShown),
          rows,
          { authenticate: () => null, limits },
          store,
        );
        for (const selection of selections) {
          const read = (isLong: boolean) => {
            const head = 'query ($yes: Boolean!, $no: Boolean!, $count: Int!, $word: [String!])';
            const spare =
              'spare: first(id: "x") @include(if: $yes) { id } more: firsts(word: $word) @skip(if: $yes) { id }';
            return ask(
              `${head} { ${print(selection, isLong)} ${spare} page(first: $count) @include(if: $no) { edges { cursor } } }`,
              { yes: true, no: false, count: 2, word: isGiven ? pools.String : null },
              { id: 'ada' },
            );
          };
          const one = await read(false);
          expect(one, print(selection, false)).not.toBeInstanceOf(Array);
          expect(statements).toHaveLength(2);
          expect(short(await read(true)), print(selection, false)).toEqual(one);
        }
      } finally {
        await store.close();
      }
    }),
    { numRuns },
  );
}

const limits = { cost: 1_000_000, depth: 40, aliases: 500, tokens: 10_000 };

/** Values that printers and parsers of JSON mistake for others. */
const pools: Readonly<Record<string, readonly unknown[]>> = {
  String: ['', ' ', '"', "'", '\\', '\\u0000', '\u2028', '\u007f', '\n\t', 'é😀', '[]', 'null', '1', '%', 'a'],
  ID: ['', '007', '9007199254740993', 'a"b'],
  Int: [-(2 ** 31), -1, 0, 1, 2 ** 31 - 1],
  Float: [-1.5, 0, 0.1, 1e21, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, 4.0540442603031965e-237, 2 ** 53, 1 / 3],
  Boolean: [false, true],
  DateTime: [
    '0000-02-29T00:00:00.000Z',
    '0001-01-01T00:00:00.000Z',
    '1883-11-18T12:03:58.001Z',
    '2024-02-29T12:00:00.010Z',
    '9999-12-31T23:59:59.999Z',
  ],
  BigInt: ['-9223372036854775808', '0', '9007199254740993', '9223372036854775807'],
  Mood: ['GLAD', 'SAD'],
  '[String!]': [[], [''], ['"', '\\', '\u2028'], ['null']],
  '[Float!]': [[], [0.1, 1e21, -5e-324]],
  Place: [
    { x: 1.5, names: [] },
    { x: null, names: ['é', null] },
  ],
  Anything: [{}, [], 0, false, '', 'x', { __proto__: null, b: 1, a: [1e21, null, { c: '"' }] }, 12345678901],
};

export const names = Object.keys(pools);
const columns = names.map((_, at) => `c${at}`);

interface Selected {
  readonly field: string;
  readonly args: string;
  readonly shape: 'leaf' | 'one' | 'list' | 'page';
  readonly wrap: number;
  /** Whether a page selects `totalCount`. */
  readonly isCounted?: boolean;
  readonly of: readonly Selected[];
}

export type Rows = readonly Readonly<Record<string, unknown>>[];

export const someRows = (isNullable: readonly boolean[], more: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .array(
      fc.record({
        ...more,
        ...Object.fromEntries(
          names.map((type, at) => {
            const value = fc.constantFrom(...(pools[type] as readonly unknown[]));
            return [`c${at}`, isNullable[at] ? fc.option(value, { freq: 2 }) : value];
          }),
        ),
      }),
      { minLength: 2, maxLength: 7 },
    )
    .map((rows): Rows => rows.map((row, at) => ({ id: `${at}`, ...row })));

const orders = [...columns.slice(0, 8), 'id'].flatMap((name) => [name, `${name}_desc`]);

const someArgs = (isPage: boolean) =>
  fc
    .record({
      word: fc.constantFrom('', '', '', '', 'word: $word', 'word: $word', 'word: []', 'word: ["a", "1"]'),
      orderBy: fc
        .array(fc.constantFrom(...orders), { maxLength: 2 })
        .map((some) => (some.length === 0 ? '' : `orderBy: [${some.join(', ')}]`)),
      window: isPage ? fc.constantFrom('', 'first: 1', 'first: $count', 'last: 2') : fc.constant(''),
    })
    .map(({ word, orderBy, window }) => {
      const given = [word, orderBy, window].filter((one) => one !== '');
      return given.length === 0 ? '' : `(${given.join(', ')})`;
    });

const relations = {
  First: { seconds: 'Second', page: 'Second' },
  Second: { first: 'First', thirds: 'Third', page: 'Third' },
  Third: { second: 'Second' },
} as const;

const shapeOf = (field: string): Selected['shape'] => (field === 'page' ? 'page' : /s$/.test(field) ? 'list' : 'one');

const selectionOf = (type: keyof typeof relations, depth: number): fc.Arbitrary<readonly Selected[]> => {
  const leaf = fc
    .record({ field: fc.constantFrom('id', '__typename', 'all', 'all', 'all', ...columns), wrap: fc.nat(3) })
    .map((one): Selected => ({ ...one, args: '', shape: 'leaf', of: [] }));
  const related = fc
    .constantFrom(...Object.entries(relations[type]))
    .chain(([field, to]) => fieldOf(field, to as keyof typeof relations, depth - 1));
  return fc.array(depth === 0 ? leaf : fc.oneof(leaf, related), { minLength: 1, maxLength: 4 });
};

const fieldOf = (field: string, to: keyof typeof relations, depth: number): fc.Arbitrary<Selected> => {
  const shape = shapeOf(field);
  return fc.record({
    field: fc.constant(field),
    args: shape === 'one' ? fc.constant('') : someArgs(shape === 'page'),
    shape: fc.constant(shape),
    wrap: fc.nat(3),
    isCounted: fc.boolean(),
    of: selectionOf(to, depth),
  });
};

const link = fc.option(fc.constantFrom('0', '1', '2'), { freq: 5 });

const worlds = fc.array(fc.boolean(), { minLength: names.length, maxLength: names.length }).chain((isNullable) =>
  fc.record({
    types: fc.constant(names.map((name, at) => (isNullable[at] ? name : `${name}!`))),
    isGiven: fc.boolean(),
    /** Whether fields show the keys of relations. */
    isShown: fc.boolean(),
    rows: fc
      .record({
        first: someRows(isNullable, { ownerId: fc.constantFrom('ada', 'ada', 'ada', 'bob') }),
        second: someRows(isNullable, {
          ownerId: fc.constantFrom('ada', 'ada', 'ada', 'bob'),
          firstId: link,
        }),
        third: someRows(isNullable, { secondId: link }),
      })
      .map(({ first, second, third }) => {
        const known = (rows: Rows, id: unknown) => (rows.some((row) => row.id === id) ? id : null);
        return {
          first,
          second: second.map((row) => ({ ...row, firstId: known(first, row.firstId) })),
          third: third.map((row) => ({ ...row, secondId: known(second, row.secondId) })),
        };
      }),
    selections: fc.array(
      fc.oneof(fieldOf('firsts', 'First', 3), fieldOf('page', 'First', 3), fieldOf('thirds', 'Third', 3)),
      { minLength: 1, maxLength: 3 },
    ),
  }),
);

function topologyOf(types: readonly string[], isShown: boolean): string {
  const fields = types.map((type, at) => `c${at}: ${type}`).join(', ');
  const given = '/// @store in c0\n  word: [String!], orderBy: [Sort!]';
  const list = (name: string, to: string) => `${name}(word: [String!], orderBy: [Sort!]): [${to}!]!`;
  const tagged = (name: string, to: string) => list(name, to).replace('word:', '\n    /// @store in c0\n    word:');
  return `
(mood: Enum { values: [GLAD, SAD] })
(anything: Scalar)
(place { x: Float, names: [String]! })
(sort: Enum { values: [${orders.join(', ')}] })
(first: Stored {
  id: ID!, ownerId: ID!, ${fields},
  ${tagged('seconds', 'Second')},
  /// @page 2 totalCount
  ${tagged('page', 'Second')},
})
/// @owner ownerId
(second: Stored {
  id: ID!, ownerId: ID!, ${isShown ? 'firstId: ID, ' : ''}first: First, ${fields},
  ${tagged('thirds', 'Third')},
  /// @page 2 totalCount
  ${tagged('page', 'Third')},
})
(third: Stored { id: ID!, ${isShown ? 'secondId: ID, ' : ''}second: Second, ${fields} })
(root)-[:PROCESS { operation: 'first', id: ID!, auth: 'required', open: 'only the rows of the caller are read', returns: First }]->(first)
(root)-[:PROCESS { operation: 'firsts',
  ${given}, auth: 'required', open: 'only the rows of the caller are read', returns: [First!]! }]->(first)
(root)-[:PROCESS { operation: 'page',
  ${given}, auth: 'required', open: 'only the rows of the caller are read', returns: [First!]!, page: '2 totalCount' }]->(first)
(root)-[:PROCESS { operation: 'thirds',
  ${given}, auth: 'required', open: 'only the rows of the caller are read', returns: [Third!]! }]->(third)
`;
}

const tail = '_'.repeat(63);

function print({ field, args, shape, isCounted, of }: Selected, isLong: boolean, at = 0): string {
  if (field === 'all') return columns.map((one, index) => printLeaf(one, (at + 1) * 100 + index)).join(' ');
  if (shape === 'leaf') return printLeaf(field, at);
  const key = `r${at}_${field}${isLong ? tail : ''}`;
  const wraps = ['', '... @include(if: $yes)', '... @skip(if: $no)', '...'];
  const inner = of
    .map((one, index) => {
      const text = print(one, isLong, index);
      return one.wrap === 0 ? text : `${wraps[one.wrap]} { ${text} }`;
    })
    .join(' ');
  const info = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
  const total = isCounted ? 'totalCount' : '';
  const items = shape === 'page' ? `edges { cursor node { ${inner} } } ${info} ${total}` : inner;
  return `${key}: ${field}${args} { ${items} }`;
}

const printLeaf = (field: string, at: number) =>
  `l${at}: ${field}${field === columns[names.indexOf('Place')] ? ' { x names }' : ''}`;

/** A result with the short response names. */
function short(result: unknown): unknown {
  const text = JSON.stringify(result);
  return JSON.parse(text.replaceAll(`${tail}":`, '":'));
}
