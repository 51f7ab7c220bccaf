import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Column, Table } from '../../../analysis/store/model.js';
import type { Filter } from '../../../analysis/store/reads.js';
import type { Owner } from '../../auth/owner.js';
import type { Store, StoreRows } from '../store.js';
import { StoreError } from '../store-error.js';
import { toDatabase } from '../values.js';

/** The builder of the conditions of a statement. */
export type Builder = ExpressionBuilder<StoreRows, string>;
export type Condition = Expression<SqlBool>;

/** The maximum number of values of a list in a statement: engines limit its parameters. */
export const mostValues = 10_000;

const operators = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

type Args = Readonly<Record<string, unknown>>;

/** The filters that have a value in the arguments of a call, with their values. */
export function givenFilters(filters: readonly Filter[], args: Args) {
  return filters.flatMap((filter) => {
    const value = valueAt(args, filter.path);
    return value === undefined || value === null ? [] : [{ ...filter, value }];
  });
}

/** The value of an argument, or of a field of an input. */
export function valueAt(args: Args, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Args | null | undefined)?.[name], args);
}

/** The conditions of filters. */
export function filtered(
  eb: Builder,
  engine: Store['engine'],
  table: Table,
  given: ReturnType<typeof givenFilters>,
): readonly Condition[] {
  return given.map(({ comparison, column: name, value }) => {
    const column = columnOf(table, name);
    const keep = (one: unknown) => toDatabase(engine, column, one);
    if (comparison === 'in') return among(eb, name, new Set((value as readonly unknown[]).map(keep)));
    const kept = keep(value);
    if (comparison === 'contains')
      return eb(eb.fn<number>(engine === 'sqlite' ? 'instr' : 'strpos', [name, eb.val(kept)]), '>', 0);
    if (comparison === 'startsWith') {
      const length = eb.fn<number>('length', [eb.val(kept)]);
      return eb(eb.fn<string>('substr', [name, eb.lit(1), length]), '=', kept as string);
    }
    return eb(name, operators[comparison], kept);
  });
}

function among(eb: Builder, column: string, values: Set<unknown>): Condition {
  // NULL equals nothing.
  values.delete(null);
  if (values.size > mostValues)
    throw new StoreError('BAD_USER_INPUT', `A list for “${column}” must have at most ${mostValues} values.`);
  return values.size === 0 ? eb.lit(false) : eb(column, 'in', [...values]);
}

/** The conditions of rows that belong to a caller: each of the columns is its id. A caller without an id owns none. */
export function owned(
  eb: Builder,
  engine: Store['engine'],
  table: Table,
  columns: readonly string[],
  owner: Owner | undefined,
): readonly Condition[] {
  if (owner === undefined) return [];
  return columns.map((name) => {
    const value = ownerValue(engine, columnOf(table, name), owner);
    return value === undefined ? eb.lit(false) : eb(name, '=', value);
  });
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
        typeof value === 'string' &&
        /^-?\d{1,19}$/.test(value) &&
        String(BigInt.asIntN(64, BigInt(value))) === value
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
