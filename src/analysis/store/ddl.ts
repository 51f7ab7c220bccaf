import type { JsonValue } from '../../compiler/graph/json-value.js';
import type { Constraints } from '../../compiler/graph/value-notes.js';
import { type Column, type ColumnKind, foreignKeysOf, keysOf, type Table, tableNamed } from './model.js';

/** The database engines of a store. */
export type Engine = 'sqlite' | 'postgres';

/** A column as a database declares it: its type, and each rule about it, as SQL. */
export interface ColumnSql {
  readonly type: string;
  /** `NOT NULL`, `PRIMARY KEY`: undefined for a column without. */
  readonly required: string | undefined;
  /** The expression of `DEFAULT`; undefined if the writer always gives the value. */
  readonly fallback: string | undefined;
  /** The condition of its CHECK; undefined without one. */
  readonly check: string | undefined;
  readonly index: 'unique' | 'plain' | undefined;
  /** The clause of a foreign key. */
  readonly references: string | undefined;
}

const types: Readonly<Record<Engine, Readonly<Record<ColumnKind, string>>>> = {
  sqlite: {
    text: 'TEXT',
    integer: 'INTEGER',
    long: 'INTEGER',
    float: 'REAL',
    boolean: 'INTEGER',
    instant: 'TEXT',
    json: 'TEXT',
  },
  postgres: {
    // Compared by bytes, as SQLite compares, so that both engines sort alike.
    text: 'text COLLATE "C"',
    integer: 'integer',
    long: 'bigint',
    float: 'double precision',
    boolean: 'boolean',
    instant: 'timestamptz(3)',
    json: 'jsonb',
  },
};

/** The time of a statement, in the form of an instant column. */
const now: Readonly<Record<Engine, string>> = {
  sqlite: `(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`,
  postgres: 'now()',
};

/** The declaration of a column. The other tables have the keys that it may refer to. */
export function columnSql(engine: Engine, table: Table, column: Column, tables: readonly Table[]): ColumnSql {
  const { kind, isNullable, fallback, isUnique, isIndexed, references } = column;
  const isKey = column.name === table.key;
  const isAlone = isKey && table.keys === undefined;
  return {
    type: types[engine][kind],
    required: isAlone ? 'NOT NULL PRIMARY KEY' : isNullable ? undefined : 'NOT NULL',
    // A UUID of version 7 is made by the writer: neither engine has a function for it.
    fallback:
      fallback?.kind === 'now'
        ? now[engine]
        : fallback?.kind === 'value'
          ? literal(engine, kind, fallback.value)
          : undefined,
    check: checkOf(engine, column),
    index: isAlone
      ? undefined
      : isUnique
        ? 'unique'
        : // The index of the key begins with its first column.
          !isKey && (isIndexed ?? references !== undefined)
          ? 'plain'
          : undefined,
    references: references === undefined ? undefined : referencesSql(references, tables),
  };
}

/** CREATE TABLE. Only SQLite declares foreign keys in it: PostgreSQL wants the other table to exist. */
export function createTable(engine: Engine, table: Table, tables: readonly Table[], name: string = table.name): string {
  const columns = table.columns.map((column) => {
    const { references, ...sql } = columnSql(engine, table, column, tables);
    const key = engine === 'sqlite' && references !== undefined ? ` ${references}` : '';
    return `${declare(table, column, sql)}${key}`;
  });
  if (table.keys !== undefined) columns.push(`PRIMARY KEY (${listOf(table.keys)})`);
  if (engine === 'sqlite')
    for (const { columns: own, to } of table.foreignKeys ?? [])
      columns.push(`FOREIGN KEY (${listOf(own)}) ${referencesSql(to, tables)}`);
  const strict = engine === 'sqlite' ? ' STRICT' : '';
  return `CREATE TABLE ${quote(name)} (\n  ${columns.join(',\n  ')}\n)${strict}`;
}

/** A column in CREATE TABLE or ADD COLUMN, without its foreign key. */
export function declare(
  table: Table,
  column: Column,
  { type, required, fallback, check }: Omit<ColumnSql, 'references'>,
): string {
  return [
    quote(column.name),
    type,
    required,
    fallback && `DEFAULT ${fallback}`,
    check && checkSql(table, column, check),
  ]
    .filter((part) => part !== undefined)
    .join(' ');
}

/** The CHECK of a column. */
export function checkSql(table: Table, column: Column, check: string): string {
  return `CONSTRAINT ${quote(nameOf(table, column, 'check'))} CHECK (${check})`;
}

/** The statements that make the indexes of a table. */
export function createIndexes(engine: Engine, table: Table, tables: readonly Table[]): readonly string[] {
  const ofColumns = table.columns.flatMap((column) => {
    const { index } = columnSql(engine, table, column, tables);
    return index === undefined ? [] : [indexSql(table, [column.name], index)];
  });
  return [
    ...ofColumns,
    ...(table.uniques ?? []).map((columns) => indexSql(table, columns, 'unique')),
    ...wideIndexesOf(table).map((columns) => indexSql(table, columns, 'plain')),
  ];
}

/** The columns of the indexes of foreign keys of several columns. The index of a key or a rule may begin with them. */
export function wideIndexesOf({ keys = [], uniques = [], foreignKeys = [] }: Table): readonly (readonly string[])[] {
  const begins = (rule: readonly string[], columns: readonly string[]) =>
    columns.every((name, at) => rule[at] === name);
  const wanted = foreignKeys.filter(({ isIndexed }) => isIndexed !== false).map(({ columns }) => columns);
  return wanted.filter(
    (columns, at) =>
      ![keys, ...uniques].some((rule) => begins(rule, columns)) &&
      wanted.findIndex((one) => one.join() === columns.join()) === at,
  );
}

/** CREATE INDEX; `how` stands before the name. */
export function indexSql(table: Table, columns: readonly string[], index: 'unique' | 'plain', how = ''): string {
  const unique = index === 'unique' ? 'UNIQUE ' : '';
  const name = quote(nameOf(table, { name: columns.join() }, index));
  return `CREATE ${unique}INDEX ${how}${name} ON ${quote(table.name)} (${listOf(columns)})`;
}

/** Names of columns as SQL. */
export function listOf(columns: readonly string[]): string {
  return columns.map(quote).join(', ');
}

/** The statements that add the foreign keys of a table of PostgreSQL. */
export function addForeignKeys(table: Table, tables: readonly Table[]): readonly string[] {
  return foreignKeysOf(table).map(({ columns, to }) => foreignKeySql(table, columns, referencesSql(to, tables)));
}

/** ALTER TABLE that adds a foreign key. */
export function foreignKeySql(table: Table, columns: readonly string[], references: string): string {
  const name = quote(nameOf(table, { name: columns.join() }, 'fkey'));
  return `ALTER TABLE ${quote(table.name)} ADD CONSTRAINT ${name} FOREIGN KEY (${listOf(columns)}) ${references}`;
}

/** The clause of a foreign key to a table. */
export function referencesSql(name: string, tables: readonly Table[]): string {
  return `REFERENCES ${quote(name)} (${listOf(keysOf(tableNamed({ tables }, name)))})`;
}

/** The name of an index or a constraint. PostgreSQL would cut a longer one, and then two could be the same. */
export function nameOf(
  table: Table,
  column: Pick<Column, 'name'>,
  what: 'check' | 'fkey' | 'plain' | 'required' | 'unique',
): string {
  const name = `${table.name}.${column.name}.${what}`;
  if (name.length <= 63) return name;
  let hash = 0;
  for (const char of name) hash = (Math.imul(hash, 31) + char.charCodeAt(0)) >>> 0;
  return `${name.slice(0, 54)}~${hash.toString(16).padStart(8, '0')}`;
}

/** An identifier of SQL. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A constant of a topology as SQL. Statements with values of callers have parameters instead. */
export function literal(engine: Engine, kind: ColumnKind, value: JsonValue): string {
  if (value === null) return 'NULL';
  if (kind === 'json') return text(JSON.stringify(value));
  if (kind === 'boolean' && engine === 'sqlite') return value === true ? '1' : '0';
  return typeof value === 'string' && kind !== 'long' ? text(value) : String(value);
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** The limits that both engines can check alike; a pattern or a format is checked by the server alone. */
function checkOf(engine: Engine, { name, kind, values, constraints = {} }: Column): string | undefined {
  const column = quote(name);
  const isNumber = kind === 'integer' || kind === 'long' || kind === 'float';
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, minLength, maxLength } =
    constraints satisfies Constraints;
  const compare = (limit: number | undefined, operator: string, what = column) =>
    limit === undefined ? [] : [`${what} ${operator} ${limit}`];
  const length = `length(${column})`;
  const conditions = [
    ...(kind === 'boolean' && engine === 'sqlite' ? [`${column} IN (0, 1)`] : []),
    ...(values === undefined ? [] : [`${column} IN (${values.map(text).join(', ')})`]),
    ...(isNumber
      ? [
          ...compare(minimum, '>='),
          ...compare(maximum, '<='),
          ...compare(exclusiveMinimum, '>'),
          ...compare(exclusiveMaximum, '<'),
          // The rest of a division of fractions is not exact.
          ...(kind !== 'float' && Number.isSafeInteger(multipleOf) ? compare(0, '=', `${column} % ${multipleOf}`) : []),
        ]
      : []),
    ...(kind === 'text' ? [...compare(minLength, '>=', length), ...compare(maxLength, '<=', length)] : []),
  ];
  return conditions.length === 0 ? undefined : conditions.join(' AND ');
}
