import type { JsonValue } from '../../compiler/graph/json-value.js';
import type { Constraints } from '../../compiler/graph/value-notes.js';

/** The tables of a topology: its nodes with the label `Stored`, as plain JSON that a database keeps. */
export interface StoreModel {
  readonly tables: readonly Table[];
}

/** The table of a node. */
export interface Table {
  /** The id of the node. */
  readonly name: string;
  /** The name of its object type. */
  readonly type: string;
  /** The column of the key; the first one of several. */
  readonly key: string;
  /** The columns of a key that has several; absent for others. */
  readonly keys?: readonly string[];
  /** The columns of each rule that no two rows are equal in all of them; absent without any. */
  readonly uniques?: readonly (readonly string[])[];
  /** The foreign keys of several columns; absent without any. */
  readonly foreignKeys?: readonly ForeignKey[];
  readonly columns: readonly Column[];
  readonly relations: readonly Relation[];
  /** The order of its rows before that of the key, unless an argument sorts them; absent without `@store order`. */
  readonly order?: readonly SortedBy[];
  /** The column that must be the id of the caller, as `@owner` of the node says; absent without it. */
  readonly owner?: string;
}

/** A column by which rows are sorted. */
export interface SortedBy {
  readonly column: string;
  readonly isDescending: boolean;
}

/**
 * Columns that hold the key of a row of a table, in the order of that key. There is no such row if one of them is null.
 */
export interface ForeignKey {
  readonly columns: readonly string[];
  readonly to: string;
  /** False for one without an index, which only databases that no topology made have. */
  readonly isIndexed?: false;
}

/**
 * How a column is kept: `json` for objects, lists and JSON scalars, `instant` for DateTime, `long` for 64-bit
 * integers, and `text` for ids, enums and all other scalars.
 */
export type ColumnKind = 'text' | 'integer' | 'long' | 'float' | 'boolean' | 'instant' | 'json';

/** The column of a field, with its name, or the key of a relation that no field shows. */
export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
  /** The values of an enum; absent for other types. */
  readonly values?: readonly string[];
  readonly constraints?: Constraints;
  /** The value of a new row that is given none: a UUID (version 7), the time of the write, or a constant. */
  readonly fallback?: { readonly kind: 'uuid' | 'now' } | { readonly kind: 'value'; readonly value: JsonValue };
  /** The value that the store writes by itself at each write; absent for other columns. */
  readonly role?: 'updated' | 'version';
  readonly isUnique?: true;
  /** False for a foreign key without an index, which only databases that no topology made have. */
  readonly isIndexed?: boolean;
  /** The table whose key it holds; absent for a column that is no foreign key of its own. */
  readonly references?: string;
  /** The name that the column had before. */
  readonly was?: string;
  /** The relation, as `Type.field`, whose key it holds although no field shows it; absent for the column of a field. */
  readonly relation?: string;
}

/** A field that leads to rows of a table. */
export interface Relation {
  readonly field: string;
  /** The name of the table that it leads to. */
  readonly to: string;
  /**
   * `one`: `columns` of this table hold the key of the other row. `many`: `columns` of the other table hold the key of
   * this row.
   */
  readonly kind: 'one' | 'many';
  /** In the order of the key. */
  readonly columns: readonly string[];
  /** The number of items in a page; absent for a plain list and for one row. */
  readonly page?: number;
}

/** The columns of the key of a table. */
export function keysOf({ key, keys = [key] }: Pick<Table, 'key' | 'keys'>): readonly string[] {
  return keys;
}

/** All foreign keys of a table: those of one column, then those of several. */
export function foreignKeysOf({ columns, foreignKeys = [] }: Table): readonly ForeignKey[] {
  const single = columns.flatMap(({ name, references }) =>
    references === undefined ? [] : [{ columns: [name], to: references }],
  );
  return [...single, ...foreignKeys];
}

/** The table of a name in a model. */
export function tableNamed({ tables }: StoreModel, name: string): Table {
  const table = tables.find((one) => one.name === name);
  if (table === undefined) throw new Error(`invariant: the model has the table ${name}`);
  return table;
}
