import { columnSql, quote } from '../ddl.js';
import { isFilled, keptValue, type RowCheck, type TableChange } from './table-change.js';

/** The queries for rows that break a rule which a table gets. They run before the first step, so that nothing is changed. */
export function rowChecksOf({
  engine,
  from,
  to,
  oldTables,
  tables,
  pairs,
}: TableChange): readonly RowCheck[] {
  return pairs.flatMap((pair): readonly RowCheck[] => {
    const { column, old } = pair;
    const next = columnSql(engine, to, column, tables);
    const value = keptValue(engine, pair, plainType(next.type));
    if (value === undefined) return [];
    const last = old && columnSql(engine, { ...from, key: to.key }, { ...old, name: column.name }, oldTables);
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
}

/** The type of a column without its collation, as a conversion names it. */
export function plainType(type: string): string {
  return type.replace(/ COLLATE .*/, '');
}
