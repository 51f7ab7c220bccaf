import type { JsonValue } from '../../compiler/graph/json-value.js';
import type { Constraints } from '../../compiler/graph/value-notes.js';
import type { Column, ColumnKind, StoreModel, Table } from './model.js';

/** The database engines of a store. */
export type Engine = 'sqlite' | 'postgres';

/** A column as a database declares it: its type, and each rule about it, as SQL. */
export interface ColumnSql {
  readonly type: string;
  readonly isNullable: boolean;
  /** The expression of `DEFAULT`; undefined if the writer always gives the value. */
  readonly fallback: string | undefined;
  /** The condition of its CHECK; undefined without one. */
  readonly check: string | undefined;
  readonly index: 'unique' | 'plain' | undefined;
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

/** The declaration of a column. */
export function columnSql(engine: Engine, table: Table, column: Column): ColumnSql {
  const { kind, isNullable, fallback, isUnique, isIndexed, references } = column;
  return {
    type: types[engine][kind],
    isNullable,
    // A UUID of version 7 is made by the writer: neither engine has a function for it.
    fallback:
      fallback?.kind === 'now'
        ? now[engine]
        : fallback?.kind === 'value'
          ? literal(engine, kind, fallback.value)
          : undefined,
    check: checkOf(engine, column),
    index:
      column.name === table.key
        ? undefined
        : isUnique
          ? 'unique'
          : (isIndexed ?? references !== undefined)
            ? 'plain'
            : undefined,
    references,
  };
}

/** The statements that make the tables of a model in an empty database. */
export function createStatements(engine: Engine, { tables }: StoreModel): readonly string[] {
  return [
    ...tables.map((table) => createTable(engine, table, tables)),
    ...tables.flatMap((table) => [
      ...table.columns.flatMap((column) => createIndex(engine, table, column) ?? []),
      ...(engine === 'sqlite'
        ? []
        : table.columns.flatMap((column) => addForeignKey(engine, table, column, tables) ?? [])),
    ]),
  ];
}

/** CREATE TABLE. Only SQLite declares foreign keys in it: PostgreSQL wants the other table to exist. */
export function createTable(
  engine: Engine,
  table: Table,
  tables: readonly Table[],
  name: string = table.name,
): string {
  const columns = table.columns.map((column) => {
    const { type, isNullable, fallback, check, references } = columnSql(engine, table, column);
    return [
      quote(column.name),
      type,
      ...(isNullable ? [] : ['NOT NULL']),
      ...(column.name === table.key ? ['PRIMARY KEY'] : []),
      ...(fallback === undefined ? [] : [`DEFAULT ${fallback}`]),
      ...(check === undefined
        ? []
        : [`CONSTRAINT ${quote(nameOf(table, column, 'check'))} CHECK (${check})`]),
      ...(references !== undefined && engine === 'sqlite' ? [referencesSql(references, tables)] : []),
    ].join(' ');
  });
  const strict = engine === 'sqlite' ? ' STRICT' : '';
  return `CREATE TABLE ${quote(name)} (\n  ${columns.join(',\n  ')}\n)${strict}`;
}

/** CREATE INDEX for a column that has one. */
export function createIndex(engine: Engine, table: Table, column: Column, how = ''): string | undefined {
  const { index } = columnSql(engine, table, column);
  if (index === undefined) return undefined;
  const unique = index === 'unique' ? 'UNIQUE ' : '';
  const name = quote(nameOf(table, column, index));
  return `CREATE ${unique}INDEX ${how}${name} ON ${quote(table.name)} (${quote(column.name)})`;
}

/** ALTER TABLE that adds the foreign key of a column that is one. */
export function addForeignKey(
  engine: Engine,
  table: Table,
  column: Column,
  tables: readonly Table[],
  how = '',
): string | undefined {
  const { references } = columnSql(engine, table, column);
  if (references === undefined) return undefined;
  const name = quote(nameOf(table, column, 'fkey'));
  const key = `FOREIGN KEY (${quote(column.name)}) ${referencesSql(references, tables)}${how}`;
  return `ALTER TABLE ${quote(table.name)} ADD CONSTRAINT ${name} ${key}`;
}

function referencesSql(name: string, tables: readonly Table[]): string {
  const key = tables.find((table) => table.name === name)?.key;
  if (key === undefined) throw new Error(`invariant: the model has the table ${name}`);
  return `REFERENCES ${quote(name)} (${quote(key)})`;
}

/** The name of an index or a constraint. PostgreSQL would cut a longer one, and then two could be the same. */
export function nameOf(table: Table, column: Column, what: 'check' | 'fkey' | 'plain' | 'unique'): string {
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
          ...(kind !== 'float' && Number.isSafeInteger(multipleOf)
            ? compare(0, '=', `${column} % ${multipleOf}`)
            : []),
        ]
      : []),
    ...(kind === 'text' ? [...compare(minLength, '>=', length), ...compare(maxLength, '<=', length)] : []),
  ];
  return conditions.length === 0 ? undefined : conditions.join(' AND ');
}
