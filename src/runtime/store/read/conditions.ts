import type { Expression, ExpressionBuilder, RawNode, SqlBool } from 'kysely';
import type { Column, Table } from '../../../analysis/store/model.js';
import type { Comparison, Filter } from '../../../analysis/store/reads.js';
import type { Owner } from '../../auth/owner.js';
import type { Store, StoreRows } from '../store.js';
import { StoreError } from '../store-error.js';
import { toDatabase } from '../values.js';

/** The builder of the conditions of a statement. */
export type Builder = ExpressionBuilder<StoreRows, string>;
export type Condition = Expression<SqlBool>;

/** The maximum number of values of a list in a statement: engines limit its parameters. */
export const mostValues = 10_000;
/** The maximum number of keys of several columns in a statement: PostgreSQL plans each comparison. */
export const mostKeys = 1000;
/** The maximum number of values of all lists of a statement. */
export const mostParameters = 30_000;

const operators = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

type Args = Readonly<Record<string, unknown>>;

/** A comparison of a column with a value in the form of the engine. Nothing is among an empty list. */
export interface Test {
  readonly column: string;
  /** Of keys of several columns, which are compared together: the values of each key stand side by side. */
  readonly columns?: readonly string[];
  readonly comparison: Comparison;
  readonly value: unknown;
}

/** The tests of the filters that have a value in the arguments of a call. */
export function givenTests(
  engine: Store['engine'],
  table: Table,
  filters: readonly Filter[],
  args: Args,
): readonly Test[] {
  const tests: Test[] = [];
  for (const { path, comparison, column: name } of filters) {
    const value = valueAt(args, path);
    if (value === undefined || value === null) continue;
    const column = columnOf(table, name);
    const kept =
      comparison === 'in'
        ? among(
            name,
            (value as readonly unknown[]).map((one) => toDatabase(engine, column, one)),
          )
        : toDatabase(engine, column, value);
    tests.push({ column: name, comparison, value: kept });
  }
  return tests;
}

/** The value of an argument, or of a field of an input. */
export function valueAt(args: Args, path: readonly string[]): unknown {
  let value: unknown = args;
  for (const name of path) value = (value as Args | null | undefined)?.[name];
  return value;
}

function among(column: string, given: readonly unknown[]): readonly unknown[] {
  const values = new Set(given);
  // NULL equals nothing.
  values.delete(null);
  if (values.size > mostValues)
    throw new StoreError('BAD_USER_INPUT', `A list for “${column}” must have at most ${mostValues} values.`);
  return [...values];
}

/** The tests of rows that belong to a caller: each of the columns is its id. A caller without an id owns none. */
export function ownerTests(
  engine: Store['engine'],
  table: Table,
  columns: readonly string[],
  owner: Owner | undefined,
): readonly Test[] {
  if (owner === undefined) return [];
  return columns.map((name) => {
    const value = ownerValue(engine, columnOf(table, name), owner);
    return value === undefined
      ? { column: name, comparison: 'in', value: [] }
      : { column: name, comparison: 'eq', value };
  });
}

/** The conditions of tests. The columns are those of the table with the name `of`; without it, of the only table. */
export function tested(
  eb: Builder,
  engine: Store['engine'],
  tests: readonly Test[],
  of?: string,
): readonly Condition[] {
  return tests.map(({ comparison, column, columns, value }) => {
    const name = columnIn(of, column);
    if (comparison === 'in') {
      const values = value as readonly unknown[];
      if (columns !== undefined && values.length > 0)
        return amongKeys(
          eb,
          engine,
          columns.map((one) => columnIn(of, one)),
          values,
        );
      return values.length === 0 ? eb.lit(false) : eb(name, 'in', values);
    }
    if (comparison === 'contains')
      return eb(eb.fn<number>(engine === 'sqlite' ? 'instr' : 'strpos', [name, eb.val(value)]), '>', 0);
    if (comparison === 'startsWith') {
      const length = eb.fn<number>('length', [eb.val(value)]);
      return eb(eb.fn<string>('substr', [name, eb.lit(1), length]), '=', value as string);
    }
    return eb(name, operators[comparison], value);
  });
}

/** The test of rows whose columns together have one of the keys. */
export function testOf(columns: readonly string[], keys: readonly (readonly unknown[])[]): Test {
  const [column] = columns as [string];
  return { column, comparison: 'in', value: keys.flat(), ...(columns.length > 1 && { columns }) };
}

function amongKeys(
  eb: Builder,
  engine: Store['engine'],
  names: readonly string[],
  values: readonly unknown[],
): Condition {
  const keys = Array.from({ length: values.length / names.length }, (_, at) =>
    eb.tuple(...pairOf(names.map((_name, index) => eb.val(values[at * names.length + index])))),
  );
  const own = eb.tuple(...pairOf(names.map((name) => eb.ref(name))));
  if (engine === 'postgres') return eb(own, 'in', keys);
  // SQLite compares rows with those of a query only (sqlite.org/rowvalue.html, section 2.2).
  const list: RawNode = {
    kind: 'RawNode',
    sqlFragments: ['(values ', ...keys.slice(1).map(() => ', '), ')'],
    parameters: keys.map((key) => key.toOperationNode()),
  };
  const rows: Expression<unknown> = { expressionType: undefined, toOperationNode: () => list };
  return eb(own, 'in', rows as never);
}

/** Kysely types tuples of up to five values. */
function pairOf(values: readonly Expression<unknown>[]) {
  return values as unknown as [Expression<unknown>, Expression<unknown>];
}

/** The text of a key, by which rows are found: no column has the character U+0000. */
export function keyText(values: readonly unknown[]): string {
  return values.map(String).join('\0');
}

/** The reference to a column of a table of a statement. */
export function columnIn(of: string | undefined, column: string): string {
  return of === undefined ? column : `${of}.${column}`;
}

/** The conditions of {@link ownerTests}. */
export function owned(
  eb: Builder,
  engine: Store['engine'],
  ...given: [table: Table, columns: readonly string[], owner: Owner | undefined]
): readonly Condition[] {
  return tested(eb, engine, ownerTests(engine, ...given));
}

/** The id of a caller as a column keeps it; undefined if the column cannot have the id, such as `01` of an integer. */
export function ownerValue(engine: Store['engine'], column: Column, { id }: Owner): unknown {
  const value = column.kind === 'integer' ? Number(id) : id;
  return String(value) === id && fits(column, value) ? toDatabase(engine, column, value) : undefined;
}

/** Whether a column may hold a JSON value that a client could have made up. */
export function fits({ kind, isNullable }: Column, value: unknown): boolean {
  if (value === null) return isNullable;
  switch (kind) {
    case 'integer':
      return typeof value === 'number' && (value | 0) === value;
    case 'float':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'long':
      return (
        typeof value === 'string' && /^-?\d{1,19}$/.test(value) && String(BigInt.asIntN(64, BigInt(value))) === value
      );
    default:
      return typeof value === 'string' && !/\0|\p{Surrogate}/u.test(value);
  }
}

export function columnOf({ name, columns }: Table, column: string): Column {
  const found = columns.find((one) => one.name === column);
  if (found === undefined) throw new Error(`invariant: the table ${name} has the column ${column}`);
  return found;
}
