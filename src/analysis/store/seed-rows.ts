import { type Diagnostic, diagnose } from '../../base/diagnostics/diagnostic.js';
import type { Span } from '../../base/source/span.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import { baseName } from '../../compiler/graph/type-ref.js';
import type { GqlField, GqlSchema } from '../../compiler/schema/gql-schema.js';
import { namedType } from '../../compiler/schema/schema-index.js';
import { type Column, type ForeignKey, foreignKeysOf, keysOf, type StoreModel, type Table } from './model.js';
import { isItem, pick, type Random, randomOf, seedValue } from './seed-values.js';

/** The result of {@link seedRows}. */
export interface SeedPlan {
  /** The number of rows of each table. Tables with fewer unique values get fewer. */
  readonly rows: number;
  /** Equal seeds make equal rows. */
  readonly seed: number;
  /** The ids of callers, which own the rows. */
  readonly owners: readonly string[];
  /** The keys of tables that have rows, as {@link keyOfRow} gives them: they get no others. */
  readonly kept: ReadonlyMap<string, readonly JsonValue[]>;
}

/** A row by its columns, in the form of JSON. */
export type SeedRow = Readonly<Record<string, JsonValue>>;

/** The key of a row; the list of its values if it has several columns. */
export function keyOfRow(table: Table, row: SeedRow): JsonValue {
  const values = keysOf(table).map((key) => row[key] as JsonValue);
  return table.keys === undefined ? (values[0] as JsonValue) : values;
}

export interface SeededTable {
  readonly table: Table;
  readonly rows: readonly SeedRow[];
}

/** How often another value is tried for a column whose values must differ. */
const mostAttempts = 200;

/**
 * Makes believable rows from the examples and constraints of a topology, in the order in which they can be inserted. A
 * table that can have no row is a finding (GG7009).
 */
export function seedRows(schema: GqlSchema, model: StoreModel, plan: SeedPlan) {
  const keys = new Map(plan.kept);
  const diagnostics: Diagnostic[] = [];
  const tables = inOrder(model).flatMap((table): readonly SeededTable[] => {
    if (plan.kept.has(table.name)) return [];
    const rows = rowsOf(schema, model, table, plan, keys);
    if (typeof rows === 'string') {
      diagnostics.push(diagnose('GG7009', { table: table.name, reason: rows }, spanOf(schema, table)));
      return [];
    }
    return [{ table, rows }];
  });
  return { tables, diagnostics };
}

/** A table is behind those that it refers to. Where they refer to each other, columns that may be null stay null. */
function inOrder({ tables }: StoreModel): readonly Table[] {
  const order: Table[] = [];
  const left = new Map(tables.map((table) => [table.name, table]));
  const waits = (table: Table, isRelevant: (columns: readonly Column[]) => boolean) =>
    foreignKeysOf(table).some(
      ({ columns: names, to }) =>
        to !== table.name && left.has(to) && isRelevant(table.columns.filter(({ name }) => names.includes(name))),
    );
  while (left.size > 0) {
    const all = [...left.values()];
    const next =
      all.find((table) => !waits(table, () => true)) ??
      all.find((table) => !waits(table, (columns) => columns.every(({ isNullable }) => !isNullable))) ??
      (all[0] as Table);
    left.delete(next.name);
    order.push(next);
  }
  return order;
}

interface Scope {
  readonly schema: GqlSchema;
  readonly table: Table;
  readonly plan: SeedPlan;
  /** The keys of the rows that there are, by table. */
  readonly keys: ReadonlyMap<string, readonly JsonValue[]>;
  /** Whether callers own the rows whose key it is: the owner column refers to them, or is that key. */
  readonly isCaller: boolean;
}

/** The state of a column from row to row. */
interface Place {
  readonly column: Column;
  readonly random: Random;
  /** The values of the rows; undefined if they may be equal. */
  readonly used: Set<JsonValue> | undefined;
}

/** Adds the rows of a table, and their keys. Returns the reason if it can have none. */
function rowsOf(
  schema: GqlSchema,
  model: StoreModel,
  table: Table,
  plan: SeedPlan,
  keys: Map<string, readonly JsonValue[]>,
): readonly SeedRow[] | string {
  const { key } = table;
  const isCaller = model.tables.some(({ owner, name, columns }) =>
    columns.some(
      (column) =>
        column.name === owner && (column.references === table.name || (name === table.name && owner === table.key)),
    ),
  );
  const scope: Scope = { schema, table, plan, keys, isCaller };
  // The key is first: a row may refer to itself.
  const columns = table.columns.toSorted((one, other) => Number(other.name === key) - Number(one.name === key));
  const places = columns.map((column): Place => {
    const mustDiffer = (column.name === key && !table.keys) || column.isUnique === true;
    const random = randomOf(`${plan.seed} ${table.name} ${column.name}`);
    return { column, random, used: mustDiffer ? new Set() : undefined };
  });
  const foreignKeys = table.foreignKeys ?? [];
  const random = randomOf(`${plan.seed} ${table.name}`);
  const referring = new Set(foreignKeys.flatMap((one) => one.columns));
  const unique = table.columns.flatMap(({ name, isUnique }) => (isUnique && referring.has(name) ? [[name]] : []));
  const rules = [...(table.keys ? [table.keys] : []), ...(table.uniques ?? []), ...unique].map((names) => ({
    names,
    used: new Set<unknown>(),
  }));
  const rows: SeedRow[] = [];
  let repeats = 0;
  const ownKeys: JsonValue[] = [];
  keys.set(table.name, ownKeys);
  while (rows.length < plan.rows) {
    const row: Record<string, JsonValue> = {};
    for (const foreignKey of foreignKeys) {
      const missing = refer(scope, row, foreignKey, rows.length === 0 ? undefined : random);
      if (missing === undefined) continue;
      ownKeys.length = rows.length;
      return rows.length > 0 ? rows : `“${missing}” needs a row of ${foreignKey.to}`;
    }
    for (const place of places) {
      const { name, isNullable, references } = place.column;
      if (name in row) continue;
      const value = newValue(scope, place, rows.length, repeats);
      if (value === undefined && !isNullable) {
        ownKeys.length = rows.length;
        if (rows.length > 0) return rows;
        return references === undefined
          ? `no value for “${name}” was found that fits its constraints; give it one with @example`
          : `“${name}” needs a row of ${references}`;
      }
      if (name === key && !table.keys) ownKeys.push(value as JsonValue);
      row[name] = value ?? null;
    }
    const taken = rules.map(({ names }) => valuesOf(row, names));
    if (rules.some(({ used }, at) => used.has(taken[at]))) {
      for (const { column, used } of places) used?.delete(row[column.name] as JsonValue);
      ownKeys.length = rows.length;
      repeats += 1;
      if (repeats > mostAttempts) return rows;
      continue;
    }
    repeats = 0;
    for (const [at, { used }] of rules.entries()) used.add(taken[at]);
    if (table.keys) ownKeys.push(keyOfRow(table, row));
    rows.push(row);
  }
  return rows;
}

/** The values that no other row may have together; rows with a null differ from all. */
function valuesOf(row: SeedRow, names: readonly string[]): string | symbol {
  const values = names.map((name) => row[name]);
  return values.includes(null) ? Symbol() : JSON.stringify(values);
}

/**
 * Lets the columns of a foreign key hold the key of a row that agrees with the columns which are set already, else null.
 * Returns the first column if neither is possible.
 *
 * @param random - Undefined for the first row, which refers to the first row.
 */
function refer(
  { table, keys }: Scope,
  row: Record<string, JsonValue>,
  { columns, to }: ForeignKey,
  random: Random | undefined,
): string | undefined {
  const own = columns.map((name) => table.columns.find((one) => one.name === name) as Column);
  const free = own.find(({ name, isNullable }) => isNullable && !(name in row));
  const fitting = ((keys.get(to) ?? []) as readonly (readonly JsonValue[])[]).filter((key) =>
    own.every(({ name, references }, at) => {
      const value = key[at] as JsonValue;
      return (
        (!(name in row) || row[name] === value) &&
        (references === undefined || keys.get(references)?.includes(value) === true)
      );
    }),
  );
  const isNull = free !== undefined && random !== undefined && random() < 0.125;
  if (fitting.length === 0 || isNull) {
    if (free === undefined) return columns[0];
    row[free.name] = null;
    return undefined;
  }
  const key = (random === undefined ? fitting[0] : pick(fitting, random)) as readonly JsonValue[];
  for (const [at, name] of columns.entries()) row[name] = key[at] as JsonValue;
  return undefined;
}

/** A value for a column of a row, which no other row has if it must be unique; undefined if there is none. */
function newValue(scope: Scope, { column, random, used }: Place, row: number, repeats: number): JsonValue | undefined {
  const { isNullable, references } = column;
  if (isNullable && row > 0 && random() < 0.125) return undefined;
  const others = references === undefined ? undefined : (scope.keys.get(references) ?? []);
  if (used === undefined)
    // The first row refers to the first row.
    return others === undefined
      ? ownValue(scope, column, random, row, repeats)
      : row === 0
        ? others[0]
        : pick(others, random);
  for (let attempt = 0; attempt < (others?.length ?? mostAttempts); attempt += 1) {
    const value =
      others === undefined ? ownValue(scope, column, random, row, attempt) : others[(row + attempt) % others.length];
    if (value === undefined || used.has(value)) continue;
    used.add(value);
    return value;
  }
  return undefined;
}

function ownValue(scope: Scope, column: Column, random: Random, row: number, attempt: number): JsonValue | undefined {
  const { schema, table, plan, isCaller } = scope;
  const { name, kind, role, fallback } = column;
  const field = fieldOf(schema, table, column);
  const isKey = name === table.key && !table.keys;
  const type = baseName(field.type);
  if (name === table.owner || (isKey && isCaller)) {
    const next = isKey || column.isUnique === true || row === 0;
    const id = next ? plan.owners[row + attempt] : pick(plan.owners, random);
    const owner = kind === 'integer' || kind === 'long' ? Number(id) : id;
    if (owner !== undefined && isItem(schema, field, type, owner)) return owner;
  }
  if (role === 'version') return fallback?.kind === 'value' ? fallback.value : 1;
  const example = isKey ? seedValue(schema, field, random, { row: 0, attempt: 0 }) : undefined;
  // Keys that are numbers count the rows.
  if (!/^[1-9]\d{0,8}$/.test(String(example))) return seedValue(schema, field, random, { row, attempt });
  const counted = Number(example) + row + attempt;
  const key = typeof example === 'number' ? counted : String(counted);
  return isItem(schema, field, type, key) ? key : undefined;
}

function typeOf(schema: GqlSchema, { type, name }: Table) {
  const found = namedType(schema, type);
  if (found.kind !== 'object') throw new Error(`invariant: the table ${name} has the object type ${type}`);
  return found.type;
}

function fieldOf(schema: GqlSchema, table: Table, { name }: Column): GqlField {
  return typeOf(schema, table).fields.find((field) => field.name === name) as GqlField;
}

function spanOf(schema: GqlSchema, table: Table): Span {
  return typeOf(schema, table).node?.span as Span;
}
