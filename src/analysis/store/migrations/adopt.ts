import type { CatalogTable } from '../catalog/catalog.js';
import { modelOfCatalog } from '../catalog/model-of-catalog.js';
import { readCheck } from '../catalog/sql-constants.js';
import { columnSql, type Engine, nameOf, quote, wideIndexesOf } from '../ddl.js';
import { type Column, foreignKeysOf, type StoreModel, type Table } from '../model.js';
import { type MigrationPlan, planMigration } from './plan.js';
import type { Step } from './table-change.js';

/**
 * Plans the first steps of a database that no topology made. A table that a topology names is adopted: it keeps its rows
 * and everything that the topology does not name. PostgreSQL gets the names of rules that later steps use. SQLite makes a
 * table anew when it changes, so that parts which a topology cannot express are lost then.
 */
export function planAdoption(engine: Engine, catalog: readonly CatalogTable[], to: StoreModel): MigrationPlan {
  const { model, losses } = modelOfCatalog(engine, catalog);
  const refusals: string[] = [];
  const steps: Step[] = [];
  const adopted = to.tables.flatMap((table): readonly Table[] => {
    const found = catalog.find(({ name }) => name === table.name);
    if (found === undefined) return [];
    const last = model.tables.find(({ name }) => name === table.name);
    const kept = losses.filter(({ place, isColumn }) => place === table.name && isColumn !== true);
    if (last === undefined) {
      refusals.push(`the table ${table.name} cannot be adopted: ${kept[0]?.reason.replace(/\.$/, '')}`);
      return [];
    }
    const named = new Set(table.columns.flatMap(({ name, was }) => [name, was]));
    const others = found.columns.filter(({ name }) => !named.has(name));
    const forced = others.filter(
      ({ isNullable, fallback, isComputed }) => !isNullable && fallback === undefined && !isComputed,
    );
    for (const { name } of forced)
      refusals.push(
        `${table.name}.${name} is required by the database: give the node the field, or the column a default`,
      );
    if (engine === 'postgres') steps.push(...namesOf(found, last, table));
    else {
      const parts = [...others.map(({ name }) => `column ${name}`), ...kept.map(({ subject }) => subject)];
      if (parts.length > 0)
        steps.push({
          summary: `adopt the table ${table.name}: its next change deletes ${parts.join(', ')}`,
          sql: [],
          isLoss: true,
        });
    }
    const columns = last.columns
      .filter(({ name }) => named.has(name))
      .map((column) => fitted(engine, last, column, found, table, model.tables));
    const uniques = last.uniques?.filter((rule) => rule.every((column) => named.has(column)));
    const foreignKeys = last.foreignKeys?.filter((one) => one.columns.every((column) => named.has(column)));
    return [{ ...last, columns, ...(uniques && { uniques }), ...(foreignKeys && { foreignKeys }) }];
  });
  const plan = planMigration(engine, { tables: closed(adopted) }, to);
  const adopts = catalog.flatMap(({ name }) => (to.tables.some((table) => table.name === name) ? [name] : []));
  return {
    // Programs with an old topology there are none.
    steps: [...steps, ...plan.steps.map(({ isContract: _none, ...step }) => step)],
    refusals: [...refusals, ...plan.refusals],
    ...(adopts.length > 0 && { adopts }),
  };
}

/** Without references to tables that are not adopted. */
function closed(tables: readonly Table[]): readonly Table[] {
  const names = new Set(tables.map(({ name }) => name));
  return tables.map((table) => ({
    ...table,
    columns: table.columns.map(({ references, ...column }) =>
      references !== undefined && names.has(references) ? { ...column, references } : column,
    ),
    ...(table.foreignKeys && { foreignKeys: table.foreignKeys.filter(({ to }) => names.has(to)) }),
  }));
}

/** A column with the kind of the topology, if both have the same type in the database, and with the rules that have a name. */
function fitted(
  engine: Engine,
  table: Table,
  column: Column,
  found: CatalogTable,
  to: Table,
  tables: readonly Table[],
): Column {
  const next = to.columns.find(({ name, was }) => name === column.name || was === column.name);
  const typeOf = (one: Column) => columnSql(engine, table, { ...one, isIndexed: true }, tables).type;
  const { values, constraints, ...plain } = column;
  const isChecked = engine === 'sqlite' || checksOf(found, column.name).length === 1;
  const same = {
    ...plain,
    ...(isChecked && values && { values }),
    ...(isChecked && constraints && { constraints }),
  };
  if (next === undefined) return same;
  const { references: _none, ...bare } = next;
  return typeOf(plain) === typeOf({ ...bare, name: column.name }) ? { ...same, kind: next.kind } : same;
}

/** The checks of a column alone that a topology can express. */
function checksOf({ checks }: CatalogTable, column: string): CatalogTable['checks'] {
  return checks.filter(({ sql }) => readCheck(sql)?.every((rule) => rule.column === column) === true);
}

/** Gives the rules of PostgreSQL the names under which later steps find them; no row is touched. */
function namesOf(found: CatalogTable, last: Table, to: Table): readonly Step[] {
  const constraint = (name: string | undefined) => (next: string) =>
    `ALTER TABLE ${quote(found.name)} RENAME CONSTRAINT ${quote(name ?? '')} TO ${next}`;
  const isNamed = (columns: readonly string[]) =>
    columns.every((column) => to.columns.some(({ name, was }) => name === column || was === column));
  const sql = last.columns.flatMap((column) => {
    if (!isNamed([column.name])) return [];
    const isOf = ({ columns }: { readonly columns: readonly string[] }) => columns.join() === column.name;
    const kind = column.isUnique ? 'unique' : 'plain';
    const index = found.indexes.find(
      (one) => isOf(one) && !one.isPartial && one.isUnique === (kind === 'unique'),
    )?.name;
    const checks = checksOf(found, column.name);
    const renamed = (name: string | undefined, what: 'check' | 'plain' | 'unique', of: (next: string) => string) => {
      const next = nameOf(last, column, what);
      return name === undefined || name === next ? [] : [of(quote(next))];
    };
    const [check] = checks.length === 1 ? checks : [];
    return [
      ...renamed(check?.name, 'check', constraint(check?.name)),
      ...renamed(index, kind, (next) => `ALTER INDEX ${quote(index ?? '')} RENAME TO ${next}`),
    ];
  });
  const rules = [
    ...(last.uniques ?? []).map((columns) => ({ columns, kind: 'unique' as const })),
    ...wideIndexesOf(last).map((columns) => ({ columns, kind: 'plain' as const })),
  ];
  for (const { columns, kind } of rules) {
    const index = found.indexes.find(
      (one) => one.isUnique === (kind === 'unique') && !one.isPartial && one.columns.join() === columns.join(),
    );
    const next = nameOf(last, { name: columns.join() }, kind);
    if (index !== undefined && index.name !== next)
      sql.push(`ALTER INDEX ${quote(index.name)} RENAME TO ${quote(next)}`);
  }
  for (const { columns, to: other } of foreignKeysOf(last)) {
    const name = found.references.find(
      (one) => one.table === other && one.columns.toSorted().join() === columns.toSorted().join(),
    )?.name;
    const next = nameOf(last, { name: columns.join() }, 'fkey');
    if (name !== undefined && name !== next && isNamed(columns)) sql.push(constraint(name)(quote(next)));
  }
  return sql.length === 0 ? [] : [{ summary: `adopt the table ${found.name}: name its rules`, sql }];
}
