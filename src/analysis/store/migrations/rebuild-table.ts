import { columnSql, createIndexes, createTable, quote } from '../ddl.js';
import { rowChecksOf } from './row-checks.js';
import { keptValue, type Step, summarize, type TableChange } from './table-change.js';

/**
 * Changes a table of SQLite by making it anew, as its documentation says (“ALTER TABLE”, section 7): ALTER TABLE can
 * neither change a rule of a column nor add it where a new database has it. Foreign keys are off meanwhile.
 */
export function rebuildTable(change: TableChange): Step {
  const { engine, from, to, tables, pairs, dropped } = change;
  const copy = `gg_svc_new_${to.name}`;
  const values = pairs.flatMap((pair) => {
    const value = keptValue(engine, pair, columnSql(engine, to, pair.column, tables).type);
    return value === undefined ? [] : [[quote(pair.column.name), value] as const];
  });
  const rowChecks = rowChecksOf(change);
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
    ...(rowChecks.length > 0 && { rowChecks }),
  };
}
