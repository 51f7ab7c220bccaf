import { type Engine, literal } from '../ddl.js';
import type { Column, Table } from '../model.js';

/** A step of a migration: what it does, in words and in SQL. */
export interface Step {
  /** Such as `add the column book.title`. */
  readonly summary: string;
  /** The statements, in order. */
  readonly sql: readonly string[];
  /** Whether it deletes values that the new tables have no place for. */
  readonly isLoss?: true;
  /** Whether it must run behind the transaction, as `CREATE INDEX CONCURRENTLY` does. */
  readonly isLater?: true;
}

/** A column of the new table, with the old column whose values it keeps; without one it is new. */
export interface ColumnPair {
  readonly column: Column;
  readonly old: Column | undefined;
}

/** The change of a table that stays. */
export interface TableChange {
  readonly engine: Engine;
  readonly from: Table;
  readonly to: Table;
  readonly oldTables: readonly Table[];
  readonly tables: readonly Table[];
  readonly pairs: readonly ColumnPair[];
  readonly dropped: readonly Column[];
}

/** The value of a column for rows that have none: SQL, or undefined if nothing can be said. */
export function fillOf(engine: Engine, { kind, fallback }: Column): string | undefined {
  if (fallback === undefined) return undefined;
  if (fallback.kind === 'value') return literal(engine, kind, fallback.value);
  if (engine === 'postgres') return fallback.kind === 'now' ? 'now()' : 'gen_random_uuid()::text';
  // A UUID of version 4 (RFC 9562, section 5.4).
  return fallback.kind === 'now'
    ? `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`
    : `(SELECT substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-4' || substr(h, 14, 3) || '-8' || substr(h, 18, 3) || '-' || substr(h, 21) FROM (SELECT lower(hex(randomblob(16))) AS h))`;
}

/** The changes of a table in words, without those that only touch rules: `add title, drop isbn`. */
export function summarize({ pairs, dropped }: Pick<TableChange, 'pairs' | 'dropped'>): string {
  const parts = [
    ...pairs.flatMap(({ column, old }) =>
      old === undefined
        ? [`add ${column.name}`]
        : old.name === column.name
          ? []
          : [`rename ${old.name} to ${column.name}`],
    ),
    ...dropped.map(({ name }) => `drop ${name}`),
  ];
  return parts.length === 0 ? 'rules of its columns' : parts.join(', ');
}
