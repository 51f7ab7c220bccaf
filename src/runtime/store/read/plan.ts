import type { CompiledQuery } from 'kysely';
import type { Table } from '../../../analysis/store/model.js';
import type { StoredRead } from '../../../analysis/store/reads.js';
import type { MaybePromise } from '../../../base/values/maybe-promise.js';
import { usualPageSize } from '../../../compiler/schema/cursor.js';
import { ownerOf } from '../../execute/resolvers/owner-of.js';
import type { LruMap } from '../../limits/lru-map.js';
import type { Database } from '../database.js';
import type { Store } from '../store.js';
import { StoreError } from '../store-error.js';
import {
  type Builder,
  type Condition,
  givenTests,
  mostParameters,
  ownerTests,
  type Test,
  tested,
} from './conditions.js';
import { beyond, type Place, placeOf, readPlace, type Sort, sortOf } from './order.js';

/** The database of a running server. */
export interface OpenStore {
  readonly engine: Store['engine'];
  /** The statements that the server has built, by everything that decides their texts. */
  readonly statements: LruMap<string, CompiledQuery>;
  readonly open: () => MaybePromise<Database>;
}

/** The rows that a place of the schema reads. */
export interface Source {
  readonly store: OpenStore;
  readonly table: Table;
  readonly read: StoredRead;
  /** The columns that must be the id of the caller. */
  readonly owners: readonly string[];
}

export type Args = Readonly<Record<string, unknown>>;
export type Row = Readonly<Record<string, unknown>>;

/** The rows that a call reads of a source. Its values are in the form of the engine. */
export interface Plan {
  readonly tests: readonly Test[];
  /** Whether an argument compares a column. */
  readonly isFiltered: boolean;
  readonly places: readonly Place[];
  readonly sort: Sort;
  /** Whether the rows are counted from the end. */
  readonly isBackward: boolean;
  readonly limit: unknown;
}

/**
 * The rows that the arguments of a call ask for.
 *
 * @throws {StoreError} BAD_USER_INPUT for values that no column holds, and cursors of another order.
 */
export function planOf({ store, table, read, owners }: Source, args: Args, root: unknown): Plan {
  const { engine } = store;
  const given = givenTests(engine, table, read.filters, args);
  let values = 0;
  for (const { value } of given) values += Array.isArray(value) ? value.length : 1;
  if (values > mostParameters)
    throw new StoreError('BAD_USER_INPUT', `All lists must have at most ${mostParameters} values together.`);
  const sort = sortOf(table, read, args);
  const { first, last, after, before } = read.shape === 'page' ? args : {};
  return {
    tests: owners.length === 0 ? given : [...ownerTests(engine, table, owners, ownerOf(root)), ...given],
    isFiltered: given.length > 0,
    places: [
      ...(after === undefined ? [] : [readPlace(engine, sort, 'after', after)]),
      ...(before === undefined ? [] : [readPlace(engine, sort, 'before', before)]),
    ],
    sort,
    isBackward: last !== undefined,
    // One more tells whether there is a further page.
    limit: read.shape === 'one' ? 1 : read.shape === 'list' ? limitOf(read, args) : Number(last ?? first) + 1,
  };
}

/** The maximum number of rows of a list. */
function limitOf({ limit = '' }: StoredRead, args: Args): number {
  const asked = Number(args[limit] ?? usualPageSize);
  if (asked < 0) throw new StoreError('BAD_USER_INPUT', `“${limit}” must not be negative.`);
  return Math.min(asked, usualPageSize);
}

/** The conditions of the rows of a plan. */
export function planned(
  eb: Builder,
  engine: Store['engine'],
  { tests, places, sort }: Plan,
  of?: string,
): readonly Condition[] {
  return [...tested(eb, engine, tests, of), ...places.map((place) => beyond(eb, sort, place, of))];
}

/**
 * The value of a place for its rows: a row or null, a list, or the items of a page.
 *
 * @param totalCount - The number of rows on all pages, or a function that gives it; undefined if it is not asked for.
 */
export function shaped(
  { read }: Source,
  { sort, isBackward }: Pick<Plan, 'sort' | 'isBackward'>,
  rows: readonly Row[],
  totalCount?: unknown,
): unknown {
  if (read.shape === 'one') return rows[0] ?? null;
  if (read.shape === 'list') return rows;
  const items = isBackward ? rows.toReversed() : rows;
  return { items, cursors: items.map((item) => placeOf(sort, item)), totalCount };
}
