import { createIndexes, createTable, quote } from '../ddl.js';
import { fillOf, type Step, summarize, type TableChange } from './table-change.js';

/**
 * Changes a table of SQLite by making it anew, as its documentation says (“ALTER TABLE”, section 7): ALTER TABLE can
 * neither change a rule of a column nor add it where a new database has it. Foreign keys are off meanwhile.
 */
export function rebuildTable(change: TableChange): Step {
  const { engine, from, to, tables, pairs, dropped } = change;
  const copy = `gg_svc_new_${to.name}`;
  const values = pairs.flatMap(({ column, old }) => {
    const fill = fillOf(engine, column);
    if (old === undefined) return fill === undefined ? [] : [[quote(column.name), fill] as const];
    const value =
      old.kind === column.kind || column.kind !== 'text'
        ? quote(old.name)
        : `CAST(${quote(old.name)} AS TEXT)`;
    // A column that may be null no longer gets its default where it has none.
    const isFilled = old.isNullable && !column.isNullable && fill !== undefined;
    return [[quote(column.name), isFilled ? `coalesce(${value}, ${fill})` : value] as const];
  });
  return {
    summary: `change the table ${to.name}: ${summarize(change)}`,
    sql: [
      createTable(engine, to, tables, copy),
      `INSERT INTO ${quote(copy)} (${values.map(([name]) => name).join(', ')}) SELECT ${values.map(([, value]) => value).join(', ')} FROM ${quote(from.name)}`,
      `DROP TABLE ${quote(from.name)}`,
      `ALTER TABLE ${quote(copy)} RENAME TO ${quote(to.name)}`,
      ...createIndexes(engine, to, tables),
    ],
    ...(dropped.length > 0 && { isLoss: true }),
  };
}
