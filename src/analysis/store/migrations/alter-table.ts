import { checkSql, columnSql, declare, foreignKeySql, indexSql, listOf, nameOf, quote, referencesSql } from '../ddl.js';
import { type Column, keysOf, type Table } from '../model.js';
import { plainType, rowChecksOf } from './row-checks.js';
import {
  type ColumnPair,
  fillOf,
  foreignKeyChanges,
  indexChanges,
  isBreaking,
  isFilled,
  type Step,
  summarize,
  type TableChange,
  uniqueChanges,
} from './table-change.js';

/** The number of rows that one statement fills: it locks them until its end. */
const batch = 1_000;

/**
 * Changes a table of PostgreSQL column by column, so that no lock is held while rows are read or written. `expand` is what
 * programs with the old topology do not notice, `contract` the rest; both are a transaction, and what follows each runs
 * outside of it: rows are filled in batches, constraints validated and indexes built while others read and write.
 */
export function alterTable(change: TableChange) {
  const { from, to, oldTables, tables, pairs, dropped } = change;
  const table = quote(to.name);
  const key = listOf(keysOf(to));
  const alter = (sql: string) => `ALTER TABLE ${table} ${sql}`;
  const [unlink, expand, contract, link]: [string[], string[], string[], string[]] = [[], [], [], []];
  const [expandLater, contractLater]: [Step[], Step[]] = [[], []];
  const later = (summary: string, ...sql: readonly string[]): Step => ({ summary, sql, isLater: true });
  const validate = (column: Pick<Column, 'name'>, what: 'check' | 'fkey' | 'required') =>
    alter(`VALIDATE CONSTRAINT ${quote(nameOf(to, column, what))}`);
  for (const { name, isNullable, fallback } of dropped) {
    // The new program gives it no value.
    if (!isNullable && (fallback === undefined || fallback.kind === 'uuid'))
      expand.push(alter(`ALTER COLUMN ${quote(name)} DROP NOT NULL`));
    // It may have the name of one that comes.
    contract.push(alter(`DROP COLUMN ${quote(name)}`));
  }
  for (const pair of pairs) {
    const { column, old } = pair;
    const [name, place] = [quote(column.name), `${to.name}.${column.name}`];
    const next = columnSql('postgres', to, column, tables);
    const last = old && columnSql('postgres', to, { ...old, name: column.name }, oldTables);
    const fill = fillOf('postgres', column);
    const isHere = !isBreaking(change, pair);
    const [sql, behind] = isHere ? [expand, expandLater] : [contract, contractLater];
    const setDefault = (value = next.fallback) =>
      alter(`ALTER COLUMN ${name} ${value === undefined ? 'DROP DEFAULT' : `SET DEFAULT ${value}`}`);
    const fillRows = `UPDATE ${table} SET ${name} = ${fill} WHERE ${to.keys ? `(${key})` : key} IN (SELECT ${key} FROM ${table} WHERE ${name} IS NULL LIMIT ${batch}) RETURNING 1`;
    let isMadeRequired = last !== undefined && last.required === undefined && next.required !== undefined;
    const isRelinked = last?.references !== next.references;
    if (old !== undefined && last?.references !== undefined && isRelinked)
      unlink.push(alter(`DROP CONSTRAINT ${quote(nameOf(from, old, 'fkey'))}`));
    if (next.references !== undefined && isRelinked) {
      link.push(`${foreignKeySql(to, [column.name], next.references)} NOT VALID`);
      contractLater.push(later(`validate the foreign key of ${place}`, validate(column, 'fkey')));
    }
    if (old === undefined || last === undefined) {
      const isConstant = fill === next.fallback;
      const declared = isConstant ? next : { ...next, required: undefined, fallback: undefined };
      sql.push(alter(`ADD COLUMN ${declare(to, column, { ...declared, check: undefined })}`));
      if (!isConstant) {
        // Each row has a UUID of its own. Old programs write rows meanwhile; new ones give them theirs.
        isMadeRequired = next.required !== undefined;
        sql.push(setDefault(fill));
        if (isHere) expandLater.push(later(`fill ${place}`, fillRows));
        contractLater.push(later(`fill ${place}`, fillRows, setDefault()));
      }
    } else {
      if (old.name !== column.name) {
        sql.push(alter(`RENAME COLUMN ${quote(old.name)} TO ${name}`));
        const rename = (what: 'check' | 'fkey') =>
          alter(`RENAME CONSTRAINT ${quote(nameOf(from, old, what))} TO ${quote(nameOf(to, column, what))}`);
        if (last.check !== undefined) sql.push(rename('check'));
        if (next.references !== undefined && !isRelinked) sql.push(rename('fkey'));
        if (last.index !== undefined)
          sql.push(
            `ALTER INDEX ${quote(nameOf(from, old, last.index))} RENAME TO ${quote(nameOf(to, column, last.index))}`,
          );
      }
      if (last.check !== undefined && last.check !== next.check)
        sql.push(alter(`DROP CONSTRAINT ${quote(nameOf(to, column, 'check'))}`));
      if (last.type !== next.type) {
        if (last.fallback !== undefined) sql.push(alter(`ALTER COLUMN ${name} DROP DEFAULT`));
        sql.push(alter(`ALTER COLUMN ${name} TYPE ${next.type} USING ${name}::${plainType(next.type)}`));
      }
      // Old programs leave a value to the default.
      if (last.fallback !== next.fallback || last.type !== next.type)
        (next.fallback === undefined ? contract : sql).push(setDefault());
      if (last.required !== undefined && next.required === undefined)
        sql.push(alter(`ALTER COLUMN ${name} DROP NOT NULL`));
      if (last.index !== undefined && last.index !== next.index) {
        const index = quote(nameOf(to, column, last.index));
        const drop = last.index === 'unique' ? sql : contract;
        // The index of an adopted table may belong to a constraint, with which alone it is dropped.
        if (last.index === 'unique') drop.push(alter(`DROP CONSTRAINT IF EXISTS ${index}`));
        drop.push(`DROP INDEX IF EXISTS ${index}`);
      }
    }
    if (next.check !== undefined && last?.check !== next.check) {
      contract.push(alter(`ADD ${checkSql(to, column, next.check)} NOT VALID`));
      contractLater.push(later(`validate the limits of ${place}`, validate(column, 'check')));
    }
    if (isMadeRequired) {
      const drop = alter(`DROP CONSTRAINT IF EXISTS ${quote(nameOf(to, column, 'required'))}`);
      // SET NOT NULL reads no row if a valid constraint says the same (postgresql.org/docs/current/sql-altertable.html).
      contractLater.push(
        later(
          `require ${place}`,
          drop,
          alter(`ADD CONSTRAINT ${quote(nameOf(to, column, 'required'))} CHECK (${name} IS NOT NULL) NOT VALID`),
          ...(isFilled('postgres', pair) ? [fillRows] : []),
          validate(column, 'required'),
          alter(`ALTER COLUMN ${name} SET NOT NULL`),
          drop,
        ),
      );
    }
    if (next.index !== undefined && last?.index !== next.index)
      // An index that was cut short is there, but not valid.
      (next.index === 'unique' ? contractLater : behind).push(
        later(
          `add the index of ${place}`,
          `DROP INDEX CONCURRENTLY IF EXISTS ${quote(nameOf(to, column, next.index))}`,
          indexSql(to, [column.name], next.index, 'CONCURRENTLY '),
        ),
      );
  }
  const ruleName = (of: Table, columns: readonly string[], what: 'fkey' | 'plain' | 'unique') =>
    quote(nameOf(of, { name: columns.join() }, what));
  for (const [index, changes, word] of [
    ['unique', uniqueChanges(change), 'unique rule'],
    ['plain', indexChanges(change), 'index'],
  ] as const) {
    for (const columns of changes.dropped) {
      const name = ruleName(from, columns, index);
      // The index of an adopted table may belong to a constraint, with which alone it is dropped.
      const constraint = index === 'unique' ? [alter(`DROP CONSTRAINT IF EXISTS ${name}`)] : [];
      expand.unshift(...constraint, `DROP INDEX IF EXISTS ${name}`);
    }
    for (const { old, rule } of changes.kept) {
      const [last, next] = [ruleName(from, old, index), ruleName(to, rule, index)];
      if (last !== next) contract.push(`ALTER INDEX ${last} RENAME TO ${next}`);
    }
    for (const columns of changes.added) {
      const drop = `DROP INDEX CONCURRENTLY IF EXISTS ${ruleName(to, columns, index)}`;
      const make = indexSql(to, columns, index, 'CONCURRENTLY ');
      contractLater.push(later(`add the ${word} ${to.name}.${columns.join()}`, drop, make));
    }
  }
  const foreignKeys = foreignKeyChanges(change);
  for (const { columns } of foreignKeys.dropped)
    unlink.push(alter(`DROP CONSTRAINT ${ruleName(from, columns, 'fkey')}`));
  for (const { old, rule } of foreignKeys.kept) {
    const [last, next] = [ruleName(from, old.columns, 'fkey'), ruleName(to, rule.columns, 'fkey')];
    if (last !== next) contract.push(alter(`RENAME CONSTRAINT ${last} TO ${next}`));
  }
  for (const { columns, to: other } of foreignKeys.added) {
    link.push(`${foreignKeySql(to, columns, referencesSql(other, tables))} NOT VALID`);
    const name = { name: columns.join() };
    contractLater.push(later(`validate the foreign key of ${to.name}.${name.name}`, validate(name, 'fkey')));
  }
  const step = (summary: string, sql: readonly string[], more: Partial<Step> = {}): readonly Step[] =>
    sql.length === 0 ? [] : [{ summary, sql, ...more }];
  const changed = (some: readonly ColumnPair[], gone: readonly Column[]) =>
    `change the table ${to.name}: ${summarize({ pairs: some, dropped: gone })}`;
  const isContract = { isContract: true } as const;
  const breaking = pairs.filter((pair) => isBreaking(change, pair));
  const same = pairs.filter((pair) => !breaking.includes(pair));
  const rowChecks = rowChecksOf(change);
  return {
    unlink: step(`drop foreign keys of ${to.name}`, unlink),
    expand: step(changed(same, []), expand),
    expandLater,
    contract: step(changed([...same.filter(({ old }) => old), ...breaking], dropped), contract, {
      ...isContract,
      ...(dropped.length > 0 && { isLoss: true }),
      ...(breaking.length > 0 && { isBreaking: true }),
    }),
    link: step(`add foreign keys of ${to.name}`, link, isContract),
    contractLater: contractLater.map((one) => ({ ...one, ...isContract })),
    rowChecks,
  };
}
