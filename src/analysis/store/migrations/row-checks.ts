import { columnSql, listOf, quote } from '../ddl.js';
import { keysOf } from '../model.js';
import {
  foreignKeyChanges,
  isFilled,
  keptValue,
  type RowCheck,
  type TableChange,
  uniqueChanges,
} from './table-change.js';

/** The queries for rows that break a rule which a table gets. They run before the first step, so that nothing is changed. */
export function rowChecksOf(change: TableChange): readonly RowCheck[] {
  const { engine, from, to, oldTables, tables, pairs } = change;
  const ofColumns = pairs.flatMap((pair): readonly RowCheck[] => {
    const { column, old } = pair;
    const next = columnSql(engine, to, column, tables);
    const value = keptValue(engine, pair, plainType(next.type));
    if (value === undefined) return [];
    const last = old && columnSql(engine, to, { ...old, name: column.name }, oldTables);
    const isNew = (rule: 'check' | 'index' | 'references') =>
      next[rule] !== undefined && (next[rule] !== last?.[rule] || isFilled(engine, pair));
    const name = quote(column.name);
    const check = (rest: string, refusal: string): RowCheck => ({
      column: column.name,
      sql: `SELECT 1 AS found FROM (SELECT ${value} AS ${name} FROM ${quote(from.name)}) AS gg_svc_row WHERE ${rest} LIMIT 1`,
      refusal: `rows of ${from.name} ${refusal}`,
    });
    const other = oldTables.find(({ name: table }) => table === column.references);
    const isMissing = other
      ? ` AND NOT EXISTS (SELECT 1 FROM ${quote(other.name)} AS other WHERE other.${quote(other.key)} = gg_svc_row.${name})`
      : '';
    return [
      ...(old?.isNullable && !column.isNullable && !isFilled(engine, pair)
        ? [check(`${name} IS NULL`, `lack ${column.name}: fill it first, or give it a default`)]
        : []),
      ...(isNew('check') ? [check(`NOT (${next.check})`, `break the limits of ${column.name}`)] : []),
      ...(next.index === 'unique' && isNew('index') && (old !== undefined || column.fallback?.kind !== 'uuid')
        ? [
            check(
              `${name} IS NOT NULL GROUP BY ${name} HAVING count(*) > 1`,
              `have the same ${column.name}, which must be unique`,
            ),
          ]
        : []),
      ...(isNew('references')
        ? [
            check(
              `${name} IS NOT NULL${isMissing}`,
              `would refer by ${column.name} to rows of ${column.references} that are missing`,
            ),
          ]
        : []),
    ];
  });
  return [...ofColumns, ...checksOfUniques(change), ...checksOfForeignKeys(change)];
}

/** The queries for rows that are equal in the columns of a rule which becomes new, or whose columns are filled. */
function checksOfUniques(change: TableChange): readonly RowCheck[] {
  const { from, to } = change;
  const isNew = uniqueChanges(change).added;
  return (to.uniques ?? []).flatMap((columns): readonly RowCheck[] => {
    const rows = rowsWith(change, columns, isNew.includes(columns));
    return rows === undefined || rows.differs
      ? []
      : [
          {
            column: columns[0] as string,
            sql: `${rows.sql} GROUP BY ${listOf(columns)} HAVING count(*) > 1 LIMIT 1`,
            refusal: `rows of ${from.name} have the same ${columns.join(' and ')}, which must be unique`,
          },
        ];
  });
}

/** The queries for rows that would refer to no row by the columns of a foreign key. */
function checksOfForeignKeys(change: TableChange): readonly RowCheck[] {
  const { from, to, oldTables } = change;
  const isNew = foreignKeyChanges(change).added;
  return (to.foreignKeys ?? []).flatMap((foreignKey): readonly RowCheck[] => {
    const { columns, to: name } = foreignKey;
    const rows = rowsWith(change, columns, isNew.includes(foreignKey));
    if (rows === undefined) return [];
    const other = oldTables.find((table) => table.name === name);
    const same =
      other && keysOf(other).map((key, at) => `other.${quote(key)} = gg_svc_row.${quote(columns[at] as string)}`);
    const isMissing =
      other && same ? ` AND NOT EXISTS (SELECT 1 FROM ${quote(other.name)} AS other WHERE ${same.join(' AND ')})` : '';
    return [
      {
        column: columns[0] as string,
        sql: `${rows.sql}${isMissing} LIMIT 1`,
        refusal: `rows of ${from.name} would refer by ${columns.join(' and ')} to rows of ${name} that are missing`,
      },
    ];
  });
}

/**
 * Selects the rows with a value in each column of a rule, as the new table has them: a row with a null breaks none.
 * Undefined if no row that exists can break the rule, because it is old and no column is filled, or a column has no value.
 */
function rowsWith(change: TableChange, columns: readonly string[], isNew: boolean) {
  const { engine, from, to, tables, pairs } = change;
  const ofRule = columns.flatMap((name) => pairs.find(({ column }) => column.name === name) ?? []);
  const values = ofRule.map((pair) =>
    keptValue(engine, pair, plainType(columnSql(engine, to, pair.column, tables).type)),
  );
  const isTouched = isNew || ofRule.some((pair) => isFilled(engine, pair));
  if (!isTouched || values.includes(undefined)) return undefined;
  const given = columns.map((name, at) => `${values[at]} AS ${quote(name)}`).join(', ');
  const isGiven = columns.map((name) => `${quote(name)} IS NOT NULL`).join(' AND ');
  return {
    sql: `SELECT 1 AS found FROM (SELECT ${given} FROM ${quote(from.name)}) AS gg_svc_row WHERE ${isGiven}`,
    differs: ofRule.some(({ column, old }) => old === undefined && column.fallback?.kind === 'uuid'),
  };
}

/** The type of a column without its collation, as a conversion names it. */
export function plainType(type: string): string {
  return type.replace(/ COLLATE .*/, '');
}
