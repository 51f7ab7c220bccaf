import type { Column, Table } from '../../analysis/store/model.js';
import type { Store } from './store.js';

/** A value of a resolver in the form in which a column of the engine keeps it. */
export function toDatabase(_engine: Store['engine'], _column: Column, value: unknown): unknown {
  return value;
}

/** A row of a table with the values that resolvers return. Columns that were not read are absent. */
export function fromDatabase(
  _engine: Store['engine'],
  _table: Table,
  row: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return row;
}
