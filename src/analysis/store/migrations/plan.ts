import { addForeignKeys, columnSql, createIndexes, createTable, type Engine, quote, referencesSql } from '../ddl.js';
import { type Column, type ColumnKind, foreignKeysOf, keysOf, type StoreModel, type Table } from '../model.js';
import { alterTable } from './alter-table.js';
import { rebuildTable } from './rebuild-table.js';
import {
  type ColumnPair,
  fillOf,
  foreignKeyChanges,
  indexChanges,
  type Step,
  type TableChange,
  uniqueChanges,
} from './table-change.js';

/** The way from the tables of one model to those of another. */
export interface MigrationPlan {
  readonly steps: readonly Step[];
  /** Why the database cannot be changed so. Nothing is done then. */
  readonly refusals: readonly string[];
  /** The tables that the database has, but no topology made; absent for a database with a model. */
  readonly adopts?: readonly string[];
}

/**
 * Plans the steps from one model to another. A column keeps its values under its name, or under the one that
 * `@store was` gives; a table keeps its name.
 */
export function planMigration(engine: Engine, from: StoreModel, to: StoreModel): MigrationPlan {
  const tableOf = (model: StoreModel, name: string) => model.tables.find((table) => table.name === name);
  const created = to.tables.filter(({ name }) => tableOf(from, name) === undefined);
  const dropped = from.tables.filter(({ name }) => tableOf(to, name) === undefined);
  const changes = changesOf(engine, from, to);
  const refusals = changes.flatMap(refusalsOf).map(({ reason }) => reason);
  const changed = refusals.length > 0 ? [] : changes.filter(isChange);
  const create = created.map((table) => ({
    summary: `create the table ${table.name}`,
    sql: [createTable(engine, table, to.tables), ...createIndexes(engine, table, to.tables)],
  }));
  const drop = dropped.map(
    ({ name }): Step => ({
      summary: `drop the table ${name}`,
      // PostgreSQL keeps a table to which another one refers, which may be one that is dropped next.
      sql: [`DROP TABLE ${quote(name)}${engine === 'sqlite' ? '' : ' CASCADE'}`],
      isLoss: true,
      ...(engine === 'postgres' && { isContract: true }),
    }),
  );
  if (engine === 'sqlite') return { steps: [...create, ...changed.map(rebuildTable), ...drop], refusals };
  const altered = changed.map(alterTable);
  // The key of another table may get its name late.
  const isRenamed = (name: string) =>
    changed.some((one) => one.to.name === name && keysOf(one.from).join() !== keysOf(one.to).join());
  const link = created.flatMap((table): readonly Step[] => {
    const sql = addForeignKeys(table, to.tables);
    const isContract = foreignKeysOf(table).some(({ to: other }) => isRenamed(other));
    return sql.length === 0
      ? []
      : [{ summary: `add foreign keys of ${table.name}`, sql, ...(isContract && { isContract }) }];
  });
  const expand: readonly Step[] = [
    ...altered.flatMap(({ unlink }) => unlink),
    ...create,
    ...altered.flatMap((one) => one.expand),
    ...link.filter(({ isContract }) => !isContract),
    ...altered.flatMap(({ expandLater }) => expandLater),
  ];
  const [first, ...contract]: readonly Step[] = [
    ...altered.flatMap((one) => one.contract),
    ...drop,
    ...link.filter(({ isContract }) => isContract),
    ...altered.flatMap((one) => one.link),
    ...altered.flatMap(({ contractLater }) => contractLater),
  ];
  const rowChecks = altered.flatMap((one) => one.rowChecks);
  const steps =
    first === undefined ? expand : [...expand, { ...first, ...(rowChecks.length > 0 && { rowChecks }) }, ...contract];
  return { steps, refusals };
}

/** The tables that both models have. */
export function changesOf(engine: Engine, from: StoreModel, to: StoreModel): readonly TableChange[] {
  return to.tables.flatMap((table): readonly TableChange[] => {
    const old = from.tables.find(({ name }) => name === table.name);
    return old === undefined
      ? []
      : [{ engine, from: old, to: table, oldTables: from.tables, tables: to.tables, ...pairsOf(old, table) }];
  });
}

function pairsOf(from: Table, to: Table): Pick<TableChange, 'pairs' | 'dropped'> {
  const names = new Set(to.columns.map(({ name }) => name));
  const find = (name: string | undefined) => from.columns.find((column) => column.name === name);
  const kept = new Set<Column>();
  const pairs = to.columns.map((column): ColumnPair => {
    // The old name may be that of a new column by now.
    const was = column.was !== undefined && !names.has(column.was) ? column.was : undefined;
    const old = find(column.name) ?? find(was);
    if (old === undefined || kept.has(old) || !keeps(old.kind, column.kind)) return { column, old: undefined };
    kept.add(old);
    return { column, old };
  });
  return { pairs, dropped: from.columns.filter((column) => !kept.has(column)) };
}

/** The kinds that have a place for each value of another kind. */
const wider: Readonly<Partial<Record<ColumnKind, readonly ColumnKind[]>>> = {
  integer: ['long', 'float', 'text'],
  long: ['text'],
};

function keeps(from: ColumnKind, to: ColumnKind): boolean {
  return from === to || wider[from]?.includes(to) === true;
}

/** The columns of a table that the rows which exist have no value for. */
export function refusalsOf({ engine, from, to, pairs }: TableChange) {
  return pairs.flatMap(({ column, old }): readonly { readonly column: string; readonly reason: string }[] => {
    const place = `${to.name}.${column.name}`;
    const refuse = (reason: string) => [{ column: column.name, reason: `${place} ${reason}` }];
    const at = keysOf(to).indexOf(column.name);
    const isKept = old?.name === keysOf(from)[at] && old?.kind === column.kind;
    if (at >= 0 && !(isKept && keysOf(from).length === keysOf(to).length))
      return refuse('is the key: keys keep their columns (@store was names the old one) and their types');
    return old !== undefined || column.isNullable || fillOf(engine, column) !== undefined
      ? []
      : refuse('is required: give it a default for the rows that exist, or let it be null');
  });
}

/** Whether a table is to be changed. The order of its columns says nothing. */
export function isChange(change: TableChange): boolean {
  const { engine, from, to, oldTables, tables, pairs, dropped } = change;
  const foreignKeys = foreignKeyChanges(change);
  return (
    dropped.length > 0 ||
    [uniqueChanges(change), indexChanges(change), foreignKeys].some(
      (rules) => rules.added.length + rules.dropped.length > 0,
    ) ||
    foreignKeys.kept.some(({ rule }) => referencesSql(rule.to, oldTables) !== referencesSql(rule.to, tables)) ||
    pairs.some(
      ({ column, old }) =>
        old === undefined ||
        old.name !== column.name ||
        JSON.stringify(columnSql(engine, from, old, oldTables)) !==
          JSON.stringify(columnSql(engine, to, column, tables)),
    )
  );
}
