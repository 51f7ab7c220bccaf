import { checkSql, columnSql, declare, foreignKeySql, indexSql, nameOf, quote } from '../ddl.js';
import { fillOf, type Step, summarize, type TableChange } from './table-change.js';

/**
 * Changes a table of PostgreSQL column by column, in four parts: foreign keys that go, before anything that they would
 * hold; the columns; foreign keys that come, after all tables are as they should be; and indexes that are built behind
 * the transaction, so that they block no writer.
 */
export function alterTable(change: TableChange) {
  const { from, to, oldTables, tables, pairs, dropped } = change;
  const alter = (sql: string) => `ALTER TABLE ${quote(to.name)} ${sql}`;
  const [unlink, columns, link, later]: [string[], string[], string[], string[]] = [[], [], [], []];
  // A column that goes may have the name of one that comes.
  columns.push(...dropped.map(({ name }) => alter(`DROP COLUMN ${quote(name)}`)));
  for (const { column, old } of pairs) {
    const name = quote(column.name);
    const next = columnSql('postgres', to, column, tables);
    const last =
      old && columnSql('postgres', { ...from, key: to.key }, { ...old, name: column.name }, oldTables);
    const fill = fillOf('postgres', column);
    const setDefault = alter(
      `ALTER COLUMN ${name} ${next.fallback === undefined ? 'DROP DEFAULT' : `SET DEFAULT ${next.fallback}`}`,
    );
    const isRelinked = last?.references !== next.references;
    if (last?.references !== undefined && isRelinked)
      unlink.push(alter(`DROP CONSTRAINT ${quote(nameOf(from, old as never, 'fkey'))}`));
    if (next.references !== undefined && isRelinked) link.push(foreignKeySql(to, column, next.references));
    if (old === undefined || last === undefined) {
      columns.push(alter(`ADD COLUMN ${declare(to, column, { ...next, fallback: fill })}`));
      // The rows that exist have a UUID by now; those that come get theirs from the writer.
      if (fill !== next.fallback) columns.push(setDefault);
    } else {
      if (old.name !== column.name) {
        columns.push(alter(`RENAME COLUMN ${quote(old.name)} TO ${name}`));
        const rename = (what: 'check' | 'fkey') =>
          alter(`RENAME CONSTRAINT ${quote(nameOf(from, old, what))} TO ${quote(nameOf(to, column, what))}`);
        if (last.check !== undefined) columns.push(rename('check'));
        if (next.references !== undefined && !isRelinked) columns.push(rename('fkey'));
        if (last.index !== undefined)
          columns.push(
            `ALTER INDEX ${quote(nameOf(from, old, last.index))} RENAME TO ${quote(nameOf(to, column, last.index))}`,
          );
      }
      if (last.check !== undefined && last.check !== next.check)
        columns.push(alter(`DROP CONSTRAINT ${quote(nameOf(to, column, 'check'))}`));
      if (last.type !== next.type) {
        if (last.fallback !== undefined) columns.push(alter(`ALTER COLUMN ${name} DROP DEFAULT`));
        const [type] = next.type.split(' COLLATE');
        columns.push(alter(`ALTER COLUMN ${name} TYPE ${next.type} USING ${name}::${type}`));
      }
      if (last.fallback !== next.fallback || last.type !== next.type) columns.push(setDefault);
      if (last.required !== next.required) {
        if (next.required === undefined) columns.push(alter(`ALTER COLUMN ${name} DROP NOT NULL`));
        else {
          if (fill !== undefined)
            columns.push(`UPDATE ${quote(to.name)} SET ${name} = ${fill} WHERE ${name} IS NULL`);
          columns.push(alter(`ALTER COLUMN ${name} SET NOT NULL`));
        }
      }
      if (next.check !== undefined && last.check !== next.check)
        columns.push(alter(`ADD ${checkSql(to, column, next.check)}`));
      if (last.index !== undefined && last.index !== next.index) {
        const index = quote(nameOf(to, column, last.index));
        // The index of an adopted table may belong to a constraint, with which alone it is dropped.
        if (last.index === 'unique') columns.push(alter(`DROP CONSTRAINT IF EXISTS ${index}`));
        columns.push(`DROP INDEX IF EXISTS ${index}`);
      }
    }
    if (next.index !== undefined && last?.index !== next.index) {
      // Values that are not unique must refuse the whole change. An index that was cut short is there, but not valid.
      if (next.index === 'unique') columns.push(indexSql(to, column, 'unique'));
      else
        later.push(
          `DROP INDEX CONCURRENTLY IF EXISTS ${quote(nameOf(to, column, 'plain'))}`,
          indexSql(to, column, 'plain', 'CONCURRENTLY '),
        );
    }
  }
  const step = (summary: string, sql: readonly string[], more: Partial<Step> = {}): readonly Step[] =>
    sql.length === 0 ? [] : [{ summary, sql, ...more }];
  return {
    unlink: step(`drop foreign keys of ${to.name}`, unlink),
    columns: step(
      `change the table ${to.name}: ${summarize(change)}`,
      columns,
      dropped.length > 0 ? { isLoss: true } : {},
    ),
    link: step(`add foreign keys of ${to.name}`, link),
    later: step(`add indexes of ${to.name}`, later, { isLater: true }),
  };
}
