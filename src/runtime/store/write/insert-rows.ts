import { type Column, keysOf, type Table, tableNamed } from '../../../analysis/store/model.js';
import { type NestedRows, type RowShape, versionOf } from '../../../analysis/store/writes.js';
import { follow } from '../../../base/source/json-pointer.js';
import type { Violation } from '../../../compiler/api/argument-checks.js';
import { remember } from '../../../compiler/graph/maps.js';
import { argumentError } from '../../execute/errors/argument-error.js';
import { foreign } from '../../execute/resolvers/owned.js';
import type { DatabaseRow as Row, Session } from '../database.js';
import { columnOf as columnNamed, ownerValue } from '../read/conditions.js';
import { uuidV7 } from '../uuid-v7.js';
import { toDatabase } from '../values.js';
import { type GivenRow, readRow, type WriteScope } from './given-row.js';
import { maxParameters, refuseForeignReferences } from './references.js';
import { run } from './violated.js';

/** The place of a new row in the arguments, and the columns that its parent gives. */
export interface NewRow {
  readonly object: unknown;
  readonly prefix: string;
  readonly set?: Row;
}

const givenTwice = 'contradicts another value for the same reference';

/**
 * Inserts rows of one shape by one statement, after the rows that they refer to and before the rows that refer to them.
 * Returns them in their order.
 */
export async function insertRows(
  session: Session,
  scope: WriteScope,
  shape: RowShape,
  given: readonly NewRow[],
): Promise<readonly Row[]> {
  if (given.length === 0) return [];
  const problems: Violation[] = [];
  const table = tableNamed(scope.model, shape.table);
  const read = given.map(({ object, prefix }) => readRow(scope, shape, object, prefix, problems));
  const rows = read.map((row, at) => newRow(scope, row, given[at]?.set ?? {}, problems));
  if (problems.length > 0) throw argumentError(problems);
  for (const nested of shape.nested.filter(({ kind }) => kind === 'one')) {
    const found = read.map((row, at) => referredBy(scope, row, nested, given[at]?.set));
    const keys = await insertNested(session, scope, nested, found.flat());
    rows.forEach((row, at) => {
      if (found[at]?.length === 1) Object.assign(row, columnsWith(nested, keys.shift()));
    });
  }
  for (const [at, row] of read.entries()) row.rest = rows[at] as Row;
  await refuseForeignReferences(session, scope, read);
  const [first] = rows;
  if (first !== undefined && rows.length === 1)
    rows.splice(0, 1, ...(await run(table, read, () => insertOne(session, scope, table, first))));
  // Only the answer needs the columns of a row.
  else await run(table, read, () => insertAll(session, table, rows));
  await insertChildren(
    session,
    scope,
    shape,
    read.map((row, at) => [row, keysOf(table).map((name) => rows[at]?.[name])]),
  );
  return rows;
}

/** Inserts rows with all columns of their table, in as few statements as their parameters allow. */
export async function insertAll(session: Session, { name, columns }: Table, rows: readonly Row[]): Promise<void> {
  const size = Math.floor(maxParameters / columns.length);
  for (let from = 0; from < rows.length; from += size)
    await session.run(
      session.db
        .insertInto(name)
        .values(rows.slice(from, from + size))
        .compile(),
    );
}

/** Inserts a row with all columns of its table, so that Kysely builds the statement once. */
async function insertOne(
  session: Session,
  { statements }: WriteScope,
  table: Table,
  row: Row,
): Promise<readonly Row[]> {
  const names = table.columns.map(({ name }) => name);
  const statement = remember(statements, `insert ${table.name}`, () =>
    session.db
      .insertInto(table.name)
      .values(Object.fromEntries(names.map((name) => [name, ''])))
      .returning(names)
      .compile(),
  );
  return session.run({ sql: statement.sql, parameters: names.map((name) => row[name]) });
}

/** Inserts the rows that nested lists contain, with the key of the row that each list belongs to. */
export async function insertChildren(
  session: Session,
  scope: WriteScope,
  shape: RowShape,
  parents: readonly (readonly [row: GivenRow, key: Key])[],
): Promise<void> {
  for (const nested of shape.nested.filter(({ kind }) => kind === 'many')) {
    const children = parents.flatMap(([row, key]) =>
      nestedIn(row, nested).map((child) => ({ ...child, set: columnsWith(nested, key) })),
    );
    await insertNested(session, scope, nested, children);
  }
}

/** Inserts the rows that an update refers to, and returns the columns that refer to them. */
export async function insertReferences(session: Session, scope: WriteScope, row: GivenRow): Promise<Row> {
  const columns: Row = {};
  for (const nested of row.shape.nested.filter(({ kind }) => kind === 'one')) {
    const [key] = await insertNested(session, scope, nested, referredBy(scope, row, nested));
    if (key === undefined) continue;
    const given = nested.columns.length === 1 ? row.values.get(nested.columns[0] as string) : undefined;
    if (given !== undefined) throw argumentError([{ path: given.path, reason: givenTwice }]);
    Object.assign(columns, columnsWith(nested, key));
  }
  return columns;
}

async function insertNested(
  session: Session,
  scope: WriteScope,
  { shape: name }: NestedRows,
  rows: readonly NewRow[],
): Promise<Key[]> {
  const shape = scope.shapes[name];
  if (shape === undefined) throw new Error(`invariant: there is a shape ${name}`);
  const inserted = await insertRows(session, scope, shape, rows);
  const keys = keysOf(tableNamed(scope.model, shape.table));
  return inserted.map((row) => keys.map((name) => row[name]));
}

/** The values of the columns of a key. */
type Key = readonly unknown[];

/** The columns of a relation with a key. */
function columnsWith({ columns }: NestedRows, key: Key = []): Row {
  return Object.fromEntries(columns.map((name, at) => [name, key[at]]));
}

/**
 * The object that a nested input gives for a reference. Its row gets the columns of its key that the outer row has
 * already: a tenant, or the owner of both.
 */
function referredBy(scope: WriteScope, row: GivenRow, nested: NestedRows, set: Row = {}): readonly NewRow[] {
  const { table, values } = row;
  const keys = keysOf(tableNamed(scope.model, scope.shapes[nested.shape]?.table as string));
  const shared: Row = {};
  const isWide = keys.length > 1;
  for (const [at, name] of nested.columns.entries()) {
    const key = keys[at] as string;
    if (isWide && name in set) shared[key] = set[name];
    else if (isWide && values.has(name)) shared[key] = values.get(name)?.value;
    else if (name === table.owner && scope.owner !== undefined)
      shared[key] = ownerValue(scope.engine, columnNamed(table, name), scope.owner);
  }
  return nestedIn(row, nested).map((one) => ({ ...one, set: shared }));
}

/** The objects of a nested input. */
function nestedIn({ object, prefix }: GivenRow, { path, kind }: NestedRows): readonly NewRow[] {
  const found = follow(object, path) ?? undefined;
  const place = `${prefix}${path.join('.')}`;
  if (kind === 'one') return found === undefined ? [] : [{ object: found, prefix: `${place}.` }];
  return ((found ?? []) as readonly unknown[]).flatMap((item, at) =>
    item === null ? [] : [{ object: item, prefix: `${place}[${at}].` }],
  );
}

/** All columns of a new row. A column of a reference to a nested row is null until that row is inserted. */
function newRow(scope: WriteScope, given: GivenRow, set: Row, problems: Violation[]): Row {
  const { table, shape, values, prefix } = given;
  const version = versionOf(table);
  const row: Row = {};
  for (const column of table.columns) {
    const { name } = column;
    const own = name === version ? undefined : values.get(name);
    const made = shape.nested.find((one) => one.kind === 'one' && one.columns.includes(name));
    const isMade = made !== undefined && nestedIn(given, made).length > 0;
    const path = `${prefix}${pathOf(shape, name)}`;
    if (isMade && made.columns.length === 1 && (own !== undefined || name in set))
      problems.push({ path: `${prefix}${made.path.join('.')}`, reason: givenTwice });
    else if (own !== undefined && name in set && set[name] !== own.value) problems.push({ path, reason: givenTwice });
    if (name === version && values.has(name)) problems.push({ path, reason: 'is written by the store' });
    const value = set[name] ?? own?.value ?? (own === undefined ? fallbackOf(scope, table, column) : null);
    if (value === null && !column.isNullable && !isMade && own === undefined)
      problems.push({ path, reason: 'is required' });
    row[name] = value;
  }
  return row;
}

/** The path of the place where callers give a column, which errors name; the name of the column if there is none. */
export function pathOf({ values }: RowShape, column: string): string {
  return values.find((given) => given.column === column)?.path.join('.') ?? column;
}

function fallbackOf(scope: WriteScope, table: Table, column: Column): unknown {
  const { engine, now, owner } = scope;
  if (column.name === table.owner && owner !== undefined) {
    const id = ownerValue(engine, column, owner);
    if (id === undefined) throw foreign();
    return id;
  }
  const { fallback } = column;
  if (fallback === undefined) return null;
  if (fallback.kind === 'uuid') return uuidV7();
  return toDatabase(engine, column, fallback.kind === 'value' ? fallback.value : now);
}
