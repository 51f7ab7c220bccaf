import type { OrderByItemBuilder } from 'kysely';
import { type Column, keysOf, type Table } from '../../../analysis/store/model.js';
import type { Order, StoredRead } from '../../../analysis/store/reads.js';
import { remember } from '../../../compiler/graph/maps.js';
import type { Store } from '../store.js';
import { StoreError } from '../store-error.js';
import { toDatabase } from '../values.js';
import { type Builder, type Condition, columnIn, columnOf, fits, valueAt } from './conditions.js';

/** A total order of the rows of a table: it ends with the columns of the key. NULL is the smallest value. */
export type Sort = readonly { readonly column: Column; readonly isDescending: boolean }[];

/** The orders of tables by their keys alone, which most calls ask for. */
const sortsByKey = new WeakMap<Table, Sort>();

/** The order that the arguments of a call ask for. */
export function sortOf(
  table: Table,
  { order, usual = [] }: Pick<StoredRead, 'order' | 'usual'>,
  args: Readonly<Record<string, unknown>>,
): Sort {
  const asked = order && valueAt(args, order.path);
  return asked === undefined && usual.length === 0
    ? remember(sortsByKey, table, () => sortBy(table, usual))
    : sortBy(table, usual, order, asked);
}

function sortBy(table: Table, usual: NonNullable<StoredRead['usual']>, order?: Order, given?: unknown): Sort {
  const values = (Array.isArray(given) ? given : [given]) as readonly unknown[];
  const asked = values.flatMap((value) => order?.by[value as string] ?? []);
  const wanted = asked.length > 0 ? asked : usual;
  const keys = keysOf(table);
  const all = [...wanted, ...keys.map((column) => ({ column, isDescending: false }))];
  const first = all.filter(({ column }, at) => all.findIndex((one) => one.column === column) === at);
  const last = Math.max(...keys.map((key) => first.findIndex(({ column }) => column === key)));
  return first.slice(0, last + 1).map((one) => ({ ...one, column: columnOf(table, one.column) }));
}

/** ORDER BY, each column with its direction; from the end for pages that are counted backward. */
export function directions(sort: Sort, isBackward: boolean, of?: string) {
  return sort.map(({ column: { name, isNullable }, isDescending }) => {
    const isDown = isDescending !== isBackward;
    // The engines disagree about the place of NULL.
    const direct = (item: OrderByItemBuilder) => {
      const directed = isDown ? item.desc() : item.asc();
      return !isNullable ? directed : isDown ? directed.nullsLast() : directed.nullsFirst();
    };
    return [columnIn(of, name), direct] as const;
  });
}

/** The place of a row in an order, as the key of a cursor: the values by which it is sorted. */
export function placeOf(sort: Sort, row: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([nameOf(sort), ...sort.map(({ column }) => row[column.name])]);
}

/** The columns of an order with their directions. */
export function nameOf(sort: Sort): string {
  return sort.map(({ column, isDescending }) => `${column.name}${isDescending ? ' desc' : ''}`).join();
}

/** The place of a cursor: its values, in the form of the engine. */
export interface Place {
  readonly argument: 'after' | 'before';
  readonly values: readonly unknown[];
}

/**
 * The condition of rows behind a place, or before it: they are greater in the first column, or equal there and greater in
 * the second one, and so on.
 */
export function beyond(eb: Builder, sort: Sort, { argument, values }: Place, of?: string): Condition {
  return eb.or(
    sort.map(({ column, isDescending }, at) =>
      eb.and([
        ...sort.slice(0, at).map((one, index) => {
          const value = values[index];
          return eb(columnIn(of, one.column.name), value === null ? 'is' : '=', value);
        }),
        (isDescending === (argument === 'before') ? greater : smaller)(
          eb,
          columnIn(of, column.name),
          values[at],
          column.isNullable,
        ),
      ]),
    ),
  );
}

function greater(eb: Builder, name: string, value: unknown): Condition {
  return value === null ? eb(name, 'is not', null) : eb(name, '>', value);
}

function smaller(eb: Builder, name: string, value: unknown, isNullable: boolean): Condition {
  if (value === null) return eb.lit(false);
  return isNullable ? eb.or([eb(name, '<', value), eb(name, 'is', null)]) : eb(name, '<', value);
}

/** Reads a cursor, which a client may have made up, or taken from a page in another order. */
export function readPlace(engine: Store['engine'], sort: Sort, argument: Place['argument'], key: unknown): Place {
  let parts: unknown;
  try {
    parts = JSON.parse(String(key));
  } catch {
    // Refused below.
  }
  const [name, ...values] = Array.isArray(parts) ? parts : [];
  if (
    name === nameOf(sort) &&
    values.length === sort.length &&
    sort.every(({ column }, at) => fits(column, values[at]))
  )
    return { argument, values: sort.map(({ column }, at) => toDatabase(engine, column, values[at])) };
  throw new StoreError('BAD_USER_INPUT', `“${argument}” is not a cursor of this order.`);
}
