import fc from 'fast-check';
import { expect } from 'vitest';
import type { Store } from '../../../../src/runtime/store/store.js';
import type { ModelRun } from '../model-run.js';
import { serveRows } from './serve-rows.js';

/**
 * Random tables, rows and reads: lists, single rows, pages in both directions and relations give what a plain search in
 * memory gives.
 */
export async function checkReads(
  openStore: () => Promise<Store>,
  { length = 4, onOperation = () => undefined, ...run }: ModelRun,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(worldsOf(length), async (world) => {
      const store = await openStore();
      try {
        const served = await serveRows(topologyOf(world), { parent: parents, room: rooms, row: world.rows }, {}, store);
        const ask: Ask = (...request) => {
          onOperation();
          return served.ask(...request);
        };
        for (const read of world.reads) await checkRead(world, read, ask);
      } finally {
        await store.close();
      }
    }),
    run,
  );
}

/** The values of each type, in ascending order. */
const pools: Readonly<Record<string, readonly unknown[]>> = {
  String: ['', '"', '%', "'", 'A', '\\', '_', 'a', 'ab', 'é', '😀'],
  Int: [-(2 ** 31), -1, 0, 1, 2 ** 31 - 1],
  Float: [-1.5, 0, 0.1, 2, 1e300],
  Boolean: [false, true],
  DateTime: ['0001-01-01T00:00:00.000Z', '2024-02-29T12:00:00.000Z', '2024-02-29T12:00:00.001Z'],
  BigInt: ['-9223372036854775808', '0', '5', '9007199254740993', '9223372036854775807'],
  Mood: ['GLAD', 'SAD'],
};

const parents = [{ id: 'p' }, { id: 'q' }, { id: 'r' }];

/** Their key has two columns. */
const rooms = [
  { house: "'", number: 1 },
  { house: "'", number: 2 },
  { house: 'h', number: -1 },
  { house: 'h', number: 1 },
];

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
}

type Row = Readonly<Record<string, unknown>>;

interface Filter {
  readonly column: Column;
  readonly comparison: string;
  readonly value: unknown;
}

interface Read {
  readonly filters: readonly Filter[];
  readonly orderBy: readonly string[];
  readonly count: number;
}

interface World {
  /** Whether a field shows the key of the parent. */
  readonly isShown: boolean;
  /** The order of rows that no argument sorts. */
  readonly order: readonly string[];
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly reads: readonly Read[];
}

const comparisonsOf = ({ type }: Column): readonly string[] => [
  ...['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in'],
  ...(type === 'String' ? ['contains', 'startsWith'] : []),
];

const someValue = ({ type }: Column) => fc.constantFrom(...(pools[type] as readonly unknown[]));

const filterOf = (column: Column): fc.Arbitrary<Filter> =>
  fc
    .constantFrom(...comparisonsOf(column))
    .chain((comparison) =>
      (comparison === 'in'
        ? fc.array(someValue(column), { maxLength: 3 })
        : fc.option(someValue(column), { freq: 9 })
      ).map((value): Filter => ({ column, comparison, value })),
    );

const worldsOf = (length: number): fc.Arbitrary<World> =>
  fc
    .array(fc.record({ type: fc.constantFrom(...Object.keys(pools)), isNullable: fc.boolean() }), {
      minLength: 1,
      maxLength: 3,
    })
    .map((columns) => columns.map((one, at): Column => ({ name: `c${at}`, ...one })))
    .chain((columns) => {
      const row = fc.record({
        roomHouse: fc.option(fc.constantFrom("'", 'h'), { freq: 4 }),
        // Each house has it.
        roomNumber: fc.option(fc.constant(1), { freq: 4 }),
        parentId: fc.option(fc.constantFrom('p', 'q'), { freq: 4 }),
        ...Object.fromEntries(
          columns.map((one) => [one.name, one.isNullable ? fc.option(someValue(one), { freq: 2 }) : someValue(one)]),
        ),
      });
      const read = fc.record({
        filters: fc.uniqueArray(fc.constantFrom(...columns).chain(filterOf), {
          maxLength: 2,
          selector: ({ column, comparison }) => `${column.name} ${comparison}`,
        }),
        orderBy: fc.array(fc.constantFrom(...ordersOf(columns)), { maxLength: 3 }),
        count: fc.integer({ min: 1, max: 3 }),
      });
      return fc.record({
        isShown: fc.boolean(),
        order: fc.uniqueArray(fc.constantFrom(...ordersOf(columns)), {
          maxLength: 2,
          selector: (name) => name.replace('_desc', ''),
        }),
        columns: fc.constant(columns),
        rows: fc.array(row, { maxLength: 9 }).map((rows) => rows.map((one, at) => ({ id: `${at}`, ...one }))),
        reads: fc.array(read, { minLength: Math.ceil(length / 4), maxLength: length, size: 'max' }),
      });
    });

function ordersOf(columns: readonly Column[]): readonly string[] {
  return ['id', ...columns.map(({ name }) => name)].flatMap((name) => [name, `${name}_desc`]);
}

function topologyOf({ columns, isShown, order }: World): string {
  const filters = columns.flatMap((column) =>
    comparisonsOf(column).map((comparison) => {
      const type = comparison === 'in' ? `[${column.type}!]` : column.type;
      return `  /// @store ${comparison} ${column.name}\n  ${column.name}_${comparison}: ${type},`;
    }),
  );
  const fields = columns.map(({ name, type, isNullable }) => `${name}: ${type}${isNullable ? '' : '!'}`);
  const given = 'filter: RowFilter, orderBy: [RowOrder!]';
  const rule = order.length > 0 ? `/// @store order ${order.map((name) => name.replace('_', ' ')).join(', ')}` : '';
  return `
(mood: Enum { values: [GLAD, SAD] })
(row_order: Enum { values: [${ordersOf(columns).join(', ')}] })
(row_filter: Input {
${filters.join('\n')}
})
(parent: Stored {
  id: ID!,
  rows(${given}, first: Int): [Row!]!,
  /// @page 2 totalCount
  page(${given}): [Row!]!,
})
(room: Stored {
  /// @store key
  house: String!,
  /// @store key
  number: Int!,
  rows(${given}, first: Int): [Row!]!,
  /// @page 2 totalCount
  page(${given}): [Row!]!,
})
${rule}
(row: Stored {
  id: ID!, ${isShown ? 'parentId: ID, ' : ''}parent: Parent, roomHouse: String, roomNumber: Int, room: Room, ${fields.join(', ')}
})
(root)-[:PROCESS { operation: 'parents', returns: [Parent!]! }]->(parent)
(root)-[:PROCESS { operation: 'rooms', returns: [Room!]! }]->(room)
(root)-[:PROCESS { operation: 'row', ${given}, returns: Row }]->(row)
(root)-[:PROCESS { operation: 'rows', ${given}, first: Int, parentId: ID, returns: [Row!]! }]->(row)
(root)-[:PROCESS { operation: 'page', ${given}, returns: [Row!]!, page: '2 totalCount' }]->(row)
`;
}

type Ask = Awaited<ReturnType<typeof serveRows>>['ask'];

interface Page {
  readonly edges: readonly { readonly node: Row; readonly cursor: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean };
  readonly totalCount: number;
}

interface Answer {
  readonly row: Row | null;
  readonly rows: readonly Row[];
  readonly few: readonly Row[];
  readonly ofP: readonly Row[];
  readonly page: Page;
  readonly parents: readonly (Row & Held)[];
  readonly rooms: readonly (Row & Held)[];
}

interface Held {
  readonly rows: readonly Row[];
  readonly few: readonly Row[];
  readonly page: Page;
}

async function checkRead({ rows, columns, order }: World, { filters, orderBy, count }: Read, ask: Ask): Promise<void> {
  const found = rows.filter((row) => filters.every((filter) => fitsFilter(row, filter)));
  const sorted = found.toSorted((one, other) => compareRows(columns, orderBy.length > 0 ? orderBy : order, one, other));
  const usual = (one: Row, other: Row) => compareRows(columns, order, one, other);
  const filter = Object.fromEntries(
    filters.map(({ column, comparison, value }) => [`${column.name}_${comparison}`, value]),
  );
  const head = 'query ($filter: RowFilter, $orderBy: [RowOrder!], $count: Int';
  const given = 'filter: $filter, orderBy: $orderBy';
  const page = 'edges { node { id } cursor } pageInfo { hasNextPage hasPreviousPage } totalCount';
  const read = async (selection: string, at?: string) => {
    const more = selection.includes('$at') ? ', $at: String' : '';
    return (await ask(`${head}${more}) { ${selection} }`, {
      filter,
      orderBy,
      count,
      at,
    })) as unknown as Answer;
  };
  const answer = await read(`
    row(${given}) { id }
    rows(${given}) { id parent { id } room { house number rows { id } } }
    few: rows(first: $count, ${given}) { id }
    ofP: rows(parentId: "p", ${given}) { id }
    parents { id rows(${given}) { id } few: rows(first: $count, ${given}) { id } page(first: $count, ${given}) { ${page} } }
    rooms { house number rows(${given}) { id room { number } } few: rows(first: $count, ${given}) { id } page(first: $count, ${given}) { ${page} } }`);
  const isAsked = filters.some(({ value }) => value !== null);
  // One row is the first one in the order of the arguments and the key.
  const [first] = found.toSorted((one, other) => compareRows(columns, orderBy, one, other));
  expect(answer.row?.id).toBe(isAsked ? first?.id : undefined);
  expect(answer.rows).toEqual(
    sorted.map(({ id, parentId, roomHouse, roomNumber }) => {
      const room = rooms.find(isRoom(roomHouse, roomNumber));
      const held = rows.filter((row) => room && isRoom(row.roomHouse, row.roomNumber)(room));
      return {
        id,
        parent: parentId === null ? null : { id: parentId },
        room: room ? { ...room, rows: held.toSorted(usual).map((row) => ({ id: row.id })) } : null,
      };
    }),
  );
  expect(idsOf(answer.few)).toEqual(idsOf(sorted.slice(0, count)));
  expect(idsOf(answer.ofP)).toEqual(idsOf(sorted.filter(({ parentId }) => parentId === 'p')));
  expect(answer.rooms.map(({ house, number }) => ({ house, number }))).toEqual(rooms);
  const checkHeld = (held: Held, own: readonly Row[]) => {
    expect(idsOf(held.rows)).toEqual(idsOf(own));
    expect(idsOf(held.few)).toEqual(idsOf(own.slice(0, count)));
    expect(idsOf(held.page.edges.map(({ node }) => node))).toEqual(idsOf(own.slice(0, count)));
    expect(held.page.totalCount).toBe(own.length);
    expect(held.page.pageInfo.hasNextPage).toBe(own.length > count);
  };
  for (const parent of answer.parents)
    checkHeld(
      parent,
      sorted.filter(({ parentId }) => parentId === parent.id),
    );
  for (const room of answer.rooms) {
    checkHeld(
      room,
      sorted.filter(({ roomHouse, roomNumber }) => isRoom(roomHouse, roomNumber)(room)),
    );
    expect(room.rows.every((row) => (row.room as Row).number === room.number)).toBe(true);
  }
  for (const [number, place] of [
    ['first', 'after'],
    ['last', 'before'],
  ] as const) {
    let all: unknown[] = [];
    for (let at: string | undefined; ; ) {
      const { edges, pageInfo, totalCount }: Page = (
        await read(`page(${number}: $count, ${place}: $at, ${given}) { ${page} }`, at)
      ).page;
      expect(totalCount).toBe(sorted.length);
      const part = idsOf(edges.map(({ node }) => node));
      all = number === 'first' ? [...all, ...part] : [...part, ...all];
      if (!pageInfo[number === 'first' ? 'hasNextPage' : 'hasPreviousPage']) break;
      at = edges.at(number === 'first' ? -1 : 0)?.cursor;
    }
    expect(all).toEqual(idsOf(sorted));
  }
}

/** A key of which one column is null leads to no room. */
const isRoom =
  (house: unknown, number: unknown) =>
  (room: Row): boolean =>
    room.house === house && room.number === number;

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id);

function fitsFilter(row: Row, { column, comparison, value }: Filter): boolean {
  const own = row[column.name];
  if (value === null) return true;
  if (own === null) return false;
  const order = compare(column, own, value);
  switch (comparison) {
    case 'in':
      return (value as readonly unknown[]).includes(own);
    case 'contains':
      return String(own).includes(String(value));
    case 'startsWith':
      return String(own).startsWith(String(value));
    default:
      return {
        eq: order === 0,
        ne: order !== 0,
        lt: order < 0,
        lte: order <= 0,
        gt: order > 0,
        gte: order >= 0,
      }[comparison] as boolean;
  }
}

/** NULL is the smallest value. */
function compare({ type }: Column, one: unknown, other: unknown): number {
  const pool = pools[type] as readonly unknown[];
  return pool.indexOf(one) - pool.indexOf(other);
}

function compareRows(columns: readonly Column[], orderBy: readonly string[], one: Row, other: Row): number {
  for (const value of [...orderBy, 'id']) {
    const name = value.replace('_desc', '');
    const column = columns.find((candidate) => candidate.name === name);
    const order = column ? compare(column, one[name], other[name]) : String(one.id).localeCompare(String(other.id));
    if (order !== 0) return value === name ? order : -order;
  }
  return 0;
}
