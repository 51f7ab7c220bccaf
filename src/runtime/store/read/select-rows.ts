import type { Kysely } from 'kysely';
import type { Table } from '../../../analysis/store/model.js';
import type { StoredRead } from '../../../analysis/store/reads.js';
import { usualPageSize } from '../../../compiler/schema/cursor.js';
import { ownerOf } from '../../execute/resolvers/owner-of.js';
import { untilGivenUp } from '../given-up.js';
import type { Store, StoreRows } from '../store.js';
import { fromDatabase } from '../values.js';
import { type Builder, filtered, givenFilters, mostValues, owned } from './conditions.js';
import { beyond, directions, placeOf, type Sort, sortOf } from './order.js';

/** The database of a running server. */
export interface OpenStore {
  readonly engine: Store['engine'];
  readonly open: () => Promise<Kysely<StoreRows>>;
}

/** The rows that a place of the schema reads. */
export interface Source {
  readonly store: OpenStore;
  readonly table: Table;
  readonly read: StoredRead;
  /** The columns that must be the id of the caller. */
  readonly owners: readonly string[];
}

type Args = Readonly<Record<string, unknown>>;
type Row = Readonly<Record<string, unknown>>;

/** The value of a query: a row or null, a list, or the items of a page. */
export async function selectRows(source: Source, args: Args, root: unknown): Promise<unknown> {
  const { store, table, read } = source;
  const plan = planOf(source, args, root);
  // A query for one row by its key does not give another one if it gets no key.
  if (read.shape === 'one' && read.filters.length > 0 && plan.isUnfiltered) return null;
  const db = await store.open();
  let statement = db.selectFrom(table.name).selectAll().where(plan.conditions).limit(plan.limit);
  for (const order of plan.order) statement = statement.orderBy(...order);
  return plan.shape(await statement.execute(untilGivenUp(store.engine, root)));
}

/** The value of a relation for each key: a row or null, a list, or the items of a page. */
export async function selectByKeys(
  source: Source,
  column: string,
  keys: readonly unknown[],
  args: Args,
  root: unknown,
): Promise<readonly unknown[]> {
  const { store, table } = source;
  const plan = planOf(source, args, root);
  const db = await store.open();
  const groups = new Map<string, Row[]>();
  for (let at = 0; at < keys.length; at += mostValues) {
    const some = keys.slice(at, at + mostValues);
    const among = { path: [], comparison: 'in', column, value: some } as const;
    const ranked = db
      .selectFrom(table.name)
      .selectAll()
      .select(({ fn }) =>
        fn
          .agg<number>('row_number')
          .over((over) =>
            plan.order.reduce((ordered, order) => ordered.orderBy(...order), over.partitionBy(column)),
          )
          .as(rank),
      )
      .where(plan.conditions)
      .where((eb) => eb.and(filtered(eb, store.engine, table, [among])));
    const rows = await db
      .selectFrom(ranked.as('ranked'))
      .selectAll()
      .where(rank, '<=', plan.limit)
      .orderBy(rank)
      .execute(untilGivenUp(store.engine, root));
    for (const row of rows) {
      const key = String(fromDatabase(store.engine, table, row)[column]);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [row]);
      else group.push(row);
    }
  }
  return keys.map((key) => plan.shape(groups.get(String(key)) ?? []));
}

/** The number of a row in its group. No column has such a name. */
const rank = '#rank';

/** The parts of a statement that the arguments of a call decide. */
function planOf({ store, table, read, owners }: Source, args: Args, root: unknown) {
  const { engine } = store;
  const given = givenFilters(read.filters, args);
  const owner = ownerOf(root);
  const sort = sortOf(table, read.order, args);
  const { first, last, after, before } = read.shape === 'page' ? args : {};
  const isBackward = last !== undefined;
  return {
    isUnfiltered: given.length === 0,
    order: directions(sort, isBackward),
    // One more tells whether there is a further page.
    limit: read.shape === 'one' ? 1 : read.shape === 'list' ? usualPageSize : Number(last ?? first) + 1,
    conditions: (eb: Builder) =>
      eb.and([
        ...owned(eb, engine, table, owners, owner),
        ...filtered(eb, engine, table, given),
        ...(after === undefined ? [] : [beyond(eb, engine, sort, 'after', after)]),
        ...(before === undefined ? [] : [beyond(eb, engine, sort, 'before', before)]),
      ]),
    shape: (rows: readonly Row[]): unknown => {
      const values = rows.map((row) => fromDatabase(engine, table, row));
      if (read.shape === 'one') return values[0] ?? null;
      if (read.shape === 'list') return values;
      return pageOf(sort, isBackward ? values.reverse() : values);
    },
  };
}

function pageOf(sort: Sort, items: readonly Row[]) {
  return { items, cursors: items.map((item) => placeOf(sort, item)) };
}
