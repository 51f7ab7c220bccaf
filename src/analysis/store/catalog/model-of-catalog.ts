import { typeNameOf, whyInvalidName } from '../../../compiler/graph/names.js';
import type { Constraints } from '../../../compiler/graph/value-notes.js';
import type { Loss } from '../../import/draft/draft.js';
import type { Engine } from '../ddl.js';
import { type Column, type ForeignKey, keysOf, type StoreModel, type Table } from '../model.js';
import type { CatalogColumn, CatalogReference, CatalogTable } from './catalog.js';
import { columnKindOf, fallbackOf } from './column-of-catalog.js';
import { type ColumnRule, readCheck } from './sql-constants.js';

/** The tables of a database as a store has them, and the parts that a store cannot have. */
export interface CatalogModel {
  /** Without relations. */
  readonly model: StoreModel;
  /** The scalars of columns that are more than texts, by `table.column`. */
  readonly scalars: Readonly<Record<string, string>>;
  readonly losses: readonly CatalogLoss[];
}

/** A part of a database that a store cannot have. */
export interface CatalogLoss extends Loss {
  /** Whether it is a column as a whole, or its type. */
  readonly isColumn?: true;
}

/** Reads the tables of a database as a model, without those that a store cannot have. */
export function modelOfCatalog(engine: Engine, catalog: readonly CatalogTable[]): CatalogModel {
  const losses: CatalogLoss[] = [];
  const tables = catalog.flatMap((table) => tableOf(engine, table, losses, catalog) ?? []);
  const linked = tables.map((table): Table => {
    const { references = [], indexes = [] } = catalog.find(({ name }) => name === table.name) ?? {};
    const targets = new Map<string, string>();
    const foreignKeys: ForeignKey[] = [];
    for (const reference of references) {
      const { columns, table: to, action } = reference;
      const [column = ''] = columns;
      const held = heldKey(reference, catalog);
      const other = tables.find(({ name }) => name === to);
      const subject = `foreign key ${columns.join(', ')}`;
      const lose = (reason: string) => losses.push({ place: table.name, subject, reason });
      const kindOf = (from: Table | undefined, name: string | undefined) =>
        from?.columns.find((one) => one.name === name)?.kind;
      if (other === undefined) lose(`The table ${to} is not imported.`);
      else if (columns.some((name) => kindOf(table, name) === undefined)) lose('Its column is not imported.');
      else if (held === undefined) lose('It leads to other columns than the key.');
      else if (held.some((name, at) => kindOf(table, name) !== kindOf(other, keysOf(other)[at])))
        lose('The key has another type.');
      else {
        if (action !== undefined) lose(`The store knows no ${action}; the database does it nevertheless.`);
        if (columns.length === 1) targets.set(column, to);
        else {
          const isIndexed = indexes.some((one) => !one.isPartial && one.columns.join() === held.join());
          foreignKeys.push({ columns: held, to, ...(!isIndexed && { isIndexed }) });
        }
      }
    }
    const columns = table.columns.map((column): Column => {
      const to = targets.get(column.name);
      return to === undefined ? column : { isIndexed: false, ...column, references: to };
    });
    return { ...table, columns, ...(foreignKeys.length > 0 && { foreignKeys }) };
  });
  const scalars = catalog.flatMap(({ name, columns }) =>
    columns.filter(({ type }) => type === 'uuid').map((column) => [`${name}.${column.name}`, 'UUID']),
  );
  return { model: { tables: linked }, scalars: Object.fromEntries(scalars), losses };
}

/** The columns of a foreign key, in the order of the key that they hold; undefined if they hold no whole key. */
function heldKey(
  { columns, table, to }: CatalogReference,
  catalog: readonly CatalogTable[],
): readonly string[] | undefined {
  const key = catalog.find(({ name }) => name === table)?.key ?? [];
  // Without columns, it leads to the key.
  const names = key.map((name, at) => columns[to.length === 0 ? at : to.indexOf(name)]);
  return names.length === columns.length && !names.includes(undefined) ? (names as string[]) : undefined;
}

/** Why a table or a column cannot have a name in a topology with a store. */
function whyUnfit(name: string): string | undefined {
  return whyInvalidName(name) ?? (name.length > 63 ? 'it has more than 63 characters' : undefined);
}

function tableOf(
  engine: Engine,
  table: CatalogTable,
  losses: CatalogLoss[],
  catalog: readonly CatalogTable[],
): Table | undefined {
  const { name, key, columns, indexes, checks, others, isView } = table;
  const lose = (subject: string, reason: string) => void losses.push({ place: name, subject, reason });
  if (isView) return lose(`view ${name}`, 'Only tables are imported.');
  const why = whyUnfit(name);
  if (why !== undefined) return lose(`table ${name}`, `The name fits no node: ${why}.`);
  const [keyName] = key;
  const found = columns.flatMap((column) => columnOf(engine, table, column, losses) ?? []);
  if (keyName === undefined) return lose(`table ${name}`, 'The store needs a primary key.');
  if (!key.every((one) => found.some((column) => column.name === one)))
    return lose(`table ${name}`, 'A column of its key is not imported.');
  const rules = new Map<string, ColumnRule>();
  for (const { sql } of checks) {
    const read = readCheck(sql)?.map((rule) => ruleFor(found, rule));
    if (read?.every((rule) => rule !== undefined) !== true) lose(`check ${sql}`, 'A topology cannot express it.');
    else
      for (const rule of read as readonly ColumnRule[])
        rules.set(rule.column, {
          ...rules.get(rule.column),
          ...rule,
          constraints: { ...rules.get(rule.column)?.constraints, ...rule.constraints },
        });
  }
  const uniques: (readonly string[])[] = [];
  const indexed = new Map<string, 'isUnique' | 'isIndexed'>();
  for (const index of indexes) {
    const [column = ''] = index.columns;
    const isWhole =
      index.columns.length > 0 &&
      !index.isPartial &&
      index.columns.every((of) => found.some(({ name: own, kind }) => own === of && kind !== 'json'));
    if (isWhole && index.isUnique && index.columns.length > 1) {
      if (!uniques.some((rule) => rule.join() === index.columns.join())) uniques.push(index.columns);
      continue;
    }
    const isOfForeignKey = table.references.some(
      (one) => one.columns.length > 1 && heldKey(one, catalog)?.join() === index.columns.join(),
    );
    if (isWhole && isOfForeignKey) continue;
    const isSimple = index.columns.length === 1 && !index.isPartial && found.some((one) => one.name === column);
    const subject = `${index.isUnique ? 'unique index' : 'index'} ${index.name}`;
    if (!isSimple)
      lose(
        subject,
        'The store knows indexes of one column and unique ones of several, without expressions and conditions.',
      );
    else if ((column !== keyName || (key.length > 1 && index.isUnique)) && indexed.get(column) !== 'isUnique')
      indexed.set(column, index.isUnique ? 'isUnique' : 'isIndexed');
  }
  for (const other of others) lose(other, 'The topology does not show it; the database keeps it.');
  return {
    name,
    type: typeNameOf(name),
    key: keyName,
    ...(key.length > 1 && { keys: key }),
    ...(uniques.length > 0 && { uniques }),
    columns: found.map((column) => {
      const index = indexed.get(column.name);
      const { values, areNumbers, constraints } = rules.get(column.name) ?? {};
      const all: Constraints = { ...column.constraints, ...constraints };
      const { constraints: _own, ...plain } = column;
      return {
        ...plain,
        ...(areNumbers && { kind: 'boolean' as const }),
        ...(areNumbers &&
          column.fallback?.kind === 'value' && {
            fallback: { kind: 'value', value: column.fallback.value === 1 } as const,
          }),
        ...(values && !areNumbers && { values }),
        ...(Object.keys(all).length > 0 && { constraints: all }),
        ...(index && { [index]: true as const }),
        ...(key.includes(column.name) && { isNullable: false }),
      };
    }),
    relations: [],
  };
}

/** A rule that fits the kind of its column, under the column's own name. The numbers 0 and 1 make a boolean of SQLite. */
function ruleFor(columns: readonly Column[], rule: ColumnRule): ColumnRule | undefined {
  const column =
    columns.find(({ name }) => name === rule.column) ??
    columns.find(({ name }) => name.toLowerCase() === rule.column.toLowerCase());
  if (column === undefined) return undefined;
  const { kind } = column;
  const { values, areNumbers, constraints = {} } = rule;
  const isText = values !== undefined && !areNumbers;
  const isBoolean = areNumbers === true && values?.join() === '0,1';
  const isLength = constraints.minLength !== undefined || constraints.maxLength !== undefined;
  const isNumber = values === undefined && !isLength;
  const fits =
    kind === 'text'
      ? isText || isLength
      : kind === 'integer' || kind === 'long'
        ? isBoolean || isNumber
        : kind === 'float'
          ? isNumber && constraints.multipleOf === undefined
          : kind === 'boolean' && isBoolean;
  return fits ? { ...rule, column: column.name } : undefined;
}

function columnOf(
  engine: Engine,
  { name: table, key }: CatalogTable,
  column: CatalogColumn,
  losses: CatalogLoss[],
): Column | undefined {
  const { name, type, isNullable, values, fallback: sql, isComputed } = column;
  const subject = `column ${table}.${name}`;
  const lose = (reason: string, of = subject) =>
    void losses.push({ place: table, subject: of, reason, isColumn: true });
  const why = whyUnfit(name);
  if (why !== undefined) return lose(`The name fits no field: ${why}.`);
  if (isComputed) return lose('The database computes its values.');
  const { kind, note } = columnKindOf(engine, column);
  if (kind === undefined) return lose(`The store has no column for the type ${type || 'of any value'}.`);
  if (note !== undefined) lose(note, `${subject} ${type}`);
  const fallback = sql === undefined ? undefined : fallbackOf(engine, kind, sql);
  const isNull = fallback?.kind === 'value' && fallback.value === null;
  if (sql !== undefined && fallback === undefined)
    losses.push({
      place: table,
      subject: `default of ${subject}`,
      reason: `A topology cannot express ${sql}${key.includes(name) ? ': callers give the key' : ''}.`,
    });
  const [, length] = /^character(?: varying)?\((\d+)\)$/.exec(type) ?? [];
  return {
    name,
    kind,
    isNullable,
    ...(values && { values }),
    ...(length !== undefined && { constraints: { maxLength: Number(length) } }),
    ...(fallback && !isNull && { fallback }),
  };
}
