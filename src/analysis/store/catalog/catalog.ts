/** The tables and views of a database, as its catalog describes them. */
export interface CatalogTable {
  readonly name: string;
  readonly columns: readonly CatalogColumn[];
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** The indexes, without the one of the primary key. */
  readonly indexes: readonly CatalogIndex[];
  readonly references: readonly CatalogReference[];
  /** The conditions of CHECK, as SQL. */
  readonly checks: readonly CatalogCheck[];
  /** Other objects of the table, or the kind of a view: `trigger audit`. */
  readonly others: readonly string[];
  readonly isView?: true;
}

export interface CatalogColumn {
  readonly name: string;
  /** The type as the database writes it: `character varying(20)`. */
  readonly type: string;
  readonly isNullable: boolean;
  /** The expression of DEFAULT, as SQL. */
  readonly fallback?: string;
  /** The values of an enum type. */
  readonly values?: readonly string[];
  /** Whether the database computes each value, so that no statement may give one. */
  readonly isComputed?: true;
}

export interface CatalogIndex {
  readonly name: string;
  /** Empty for an index over expressions. */
  readonly columns: readonly string[];
  readonly isUnique: boolean;
  /** Whether it has only some of the rows. */
  readonly isPartial: boolean;
  /** Whether it belongs to a UNIQUE constraint, which can only be dropped with it. */
  readonly isConstraint: boolean;
}

export interface CatalogReference {
  /** Absent in SQLite, which does not tell it. */
  readonly name?: string;
  readonly columns: readonly string[];
  readonly table: string;
  readonly to: readonly string[];
  /** The effect of a delete or an update of the other row, if it is not refused: `ON DELETE CASCADE`. */
  readonly action?: string;
}

export interface CatalogCheck {
  /** Absent in SQLite. */
  readonly name?: string;
  readonly sql: string;
}
