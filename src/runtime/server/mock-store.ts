import { isBuiltin } from 'node:module';
import type { Kysely } from 'kysely';
import { type MockPlan, mockSchema } from '../../analysis/store/mock-schema.js';
import {
  type Column,
  foreignKeysOf,
  keysOf,
  type StoreModel,
  type Table,
  tableNamed,
} from '../../analysis/store/model.js';
import { itemType } from '../../analysis/store/relations.js';
import { firstValue } from '../../analysis/store/seed-values.js';
import { storeModelOf } from '../../analysis/store/tables.js';
import { follow } from '../../base/source/json-pointer.js';
import { readProperty } from '../../base/values/read-property.js';
import { queriesByType } from '../../compiler/api/reach/reach.js';
import { baseName, nullable, type TypeRef } from '../../compiler/graph/type-ref.js';
import type { GqlField, GqlObjectType, GqlOperation, GqlSchema } from '../../compiler/schema/gql-schema.js';
import { isComposite, isStored, memberNames, namedType } from '../../compiler/schema/schema-index.js';
import type { Resolver, Resolvers } from '../execute/resolvers/contract.js';
import { hasPeer } from '../load/load-peer.js';
import { sqliteStore } from '../store/sqlite.js';
import type { ServedStore, Store, StoreRows } from '../store/store.js';
import { seedStore } from '../store/write/seed-store.js';
import { storedResolvers } from './stored-resolvers.js';

/** The number of rows of each table. */
const rows = 20;

/**
 * A store in memory, with example rows, for the nodes of any topology: `gg-svc serve --mock`. Where it cannot serve an
 * operation, or has no database, the answer is made up from examples and from the arguments.
 *
 * @param owners - The callers that own rows.
 * @param hasDatabase - Whether SQLite and Kysely can be loaded.
 */
export function mockStore(
  owners: readonly string[] = [],
  hasDatabase = isBuiltin('node:sqlite') && hasPeer('kysely'),
): Store {
  if (!hasDatabase) return withoutDatabase;
  const store = sqliteStore({ file: ':memory:' });
  return { ...store, isUp: true, serve: (schema, given) => serve(schema, given, store, owners) };
}

const missing = () => Promise.reject(new Error('--mock has no database here: it needs Node.js 22.13 and Kysely.'));

const withoutDatabase: Store = {
  engine: 'sqlite',
  isUp: true,
  open: missing,
  migrate: missing,
  close: () => Promise.resolve(),
  serve: (schema) => ({ resolvers: madeUp(schema, schema, {}), diagnostics: [] }),
};

function serve(schema: GqlSchema, given: readonly Resolvers[], store: Store, owners: readonly string[]): ServedStore {
  const plan = mockSchema(schema);
  let opened: Promise<Kysely<StoreRows>> | undefined;
  const stored = new Set(schema.objects.filter(isStored).map(({ name }) => name));
  const open = (model: StoreModel) => {
    const kept = { engine: store.engine, open: () => store.open(unlinked(model, stored)) };
    opened ??= seedStore(kept, plan.seeds, model, { rows, seed: 1, owners, isPartial: true }).then(() => kept.open());
    return opened;
  };
  const { model } = storeModelOf(plan.schema);
  const { connect, close, ...own } = storedResolvers(plan.schema, { ...store, open }, given);
  const { Mutation = {}, ...others } = own.resolvers;
  const writes = Object.entries(Mutation).map(([name, resolve]) => {
    const operation = schema.mutations.find((one) => one.name === name) as GqlOperation;
    return [name, writing(operation, resolve as Resolver, plan, model, () => open(model))] as const;
  });
  const served: Resolvers = { ...others, Mutation: Object.fromEntries(writes) };
  const resolvers = madeUp(schema, plan.seeds, served);
  return { resolvers, diagnostics: [], open: () => open(model), connect, close };
}

/** Rows may be deleted to which others refer by columns that may be null: no topology asked for that rule. */
function unlinked({ tables }: StoreModel, stored: ReadonlySet<string>): StoreModel {
  const free = (column: Column): Column => {
    const { references, ...kept } = column;
    return references === undefined || !column.isNullable ? column : { ...kept, isIndexed: true };
  };
  return {
    tables: tables.map((table) => (stored.has(table.type) ? table : { ...table, columns: table.columns.map(free) })),
  };
}

/** Runs a mutation with its arguments as columns, and copies the row to the other tables about its subject. */
function writing(
  { type, name }: GqlOperation,
  resolve: Resolver,
  { given, subjects }: MockPlan,
  model: StoreModel,
  open: () => Promise<Kysely<StoreRows>>,
): Resolver {
  const written = baseName(type);
  const subject = subjects.find((types) => types.includes(written)) ?? [];
  const table = model.tables.find((one) => one.type === written);
  const { relations = [] } = table ?? {};
  const keyOf = (to: string) => tableNamed(model, to).key;
  const twins = model.tables.filter((one) => one !== table && !one.keys && !table?.keys && subject.includes(one.type));
  return async (parent, args, context, info) => {
    const columns = [...(given.get(name) ?? [])].flatMap(([column, path]) => {
      const value = follow(args, path);
      const nested = relations.find(({ field }) => field === column);
      return value === undefined ? [] : [[column, nested ? withoutKeys(value, keyOf(nested.to)) : value]];
    });
    const result: unknown = await resolve(parent, Object.fromEntries(columns), context, info);
    if (table === undefined || twins.length === 0 || result === null) return result;
    const db = await open();
    for (const twin of twins) await copyRow(db, table, twin, readProperty(result, table.key));
    return result;
  };
}

/** New rows get keys of their own: the key of an example is that of a row. */
function withoutKeys(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutKeys(item, key));
  return value === null ? null : { ...(value as object), [key]: undefined };
}

/** Gives a row of one table to another one, in which columns of its own have their defaults. */
async function copyRow(db: Kysely<StoreRows>, from: Table, to: Table, key: unknown): Promise<void> {
  const found = await db.selectFrom(from.name).selectAll().where(from.key, '=', key).executeTakeFirst();
  if (found === undefined) {
    await db.deleteFrom(to.name).where(to.key, '=', key).execute();
    return;
  }
  const shared = to.columns.filter(({ name, kind }) =>
    from.columns.some((column) => column.name === name && column.kind === kind),
  );
  const values = Object.fromEntries(
    shared.filter(({ name }) => name !== to.key).map(({ name }) => [name, found[name]]),
  );
  await db
    .insertInto(to.name)
    .values({ ...values, [to.key]: key })
    .onConflict((conflict) =>
      Object.keys(values).length === 0
        ? conflict.column(to.key).doNothing()
        : conflict.column(to.key).doUpdateSet(values),
    )
    .execute();
}

/** Adds to the resolvers of a store those of all other operations and fields, whose values are made up. */
function madeUp(schema: GqlSchema, seeds: GqlSchema, stored: Resolvers): Resolvers {
  const make = makerOf(schema, seeds);
  const queryOf = queriesByType(schema);
  const races = new Map([
    ...schema.unions.map(({ name, members }) => [name, members] as const),
    ...(schema.internal?.races ?? []).map(({ target, members }) => [target, members] as const),
  ]);
  // Races of queries run as they do without a mock.
  const isRaced = (type: TypeRef) => races.get(baseName(type))?.some((name) => queryOf.has(name)) === true;
  const operations = (list: readonly GqlOperation[]) =>
    list
      .filter(({ edges, renamed, type }) => edges.length > 0 && renamed === undefined && !isRaced(type))
      .map((operation): [string, Resolver] => [operation.name, (_parent, args) => make.result(operation, args)]);
  const typesOf = schema.objects
    .filter(({ node }) => node !== undefined)
    .map((type) => [type.name, { ...fieldsOf(type, make.field, isRaced), ...stored[type.name] }]);
  return {
    ...Object.fromEntries(typesOf),
    Query: { ...Object.fromEntries(operations(schema.queries)), ...stored.Query },
    Mutation: { ...Object.fromEntries(operations(schema.mutations)), ...stored.Mutation },
  };
}

type Make = (field: GqlField) => unknown;

/** Gives a field that an object lacks a value. */
function fieldsOf({ fields }: GqlObjectType, make: Make, isRaced: (type: TypeRef) => boolean) {
  const own = fields.filter(({ renamed, type }) => renamed === undefined && !isRaced(type));
  return Object.fromEntries(
    own.map((field): [string, Resolver] => [
      field.name,
      (parent) => readProperty(parent, field.name) ?? (hasOwn(parent, field.name) ? null : make(field)),
    ]),
  );
}

function hasOwn(parent: unknown, name: string): boolean {
  return typeof parent === 'object' && parent !== null && Object.hasOwn(parent, name);
}

/** Makes values of types. An object has the keys that lead to rows, and gets its other fields when they are read. */
function makerOf(schema: GqlSchema, seeds: GqlSchema) {
  const { tables } = storeModelOf(seeds).model;
  const first = (field: GqlField) => firstValue(seeds, field);
  const exampleOf = ({ type }: Table, column: string) => {
    const found = namedType(seeds, type);
    const field = found.kind === 'object' ? found.type.fields.find(({ name }) => name === column) : undefined;
    return field && first(field);
  };
  const objectOf = (name: string): object => {
    const [member] = memberNames(namedType(schema, name));
    if (member !== undefined) return { __typename: member, ...objectOf(member) };
    const table = tables.find(({ type }) => type === name);
    if (table === undefined) return {};
    const keys = keysOf(table).map((key) => [key, exampleOf(table, key)]);
    const references = foreignKeysOf(table).flatMap(({ columns, to }) => {
      const owner = tables.find((one) => one.name === to) as Table;
      return keysOf(owner).map((key, at) => [columns[at], exampleOf(owner, key)]);
    });
    return Object.fromEntries([...keys, ...references]);
  };
  const wrapped = (type: TypeRef, item: unknown): unknown => {
    const bare = nullable(type);
    return bare.kind === 'list' ? [wrapped(bare.of, item)] : item;
  };
  const field = (one: GqlField): unknown => {
    if (one.page !== undefined) return [objectOf(one.page.node)];
    const name = baseName(one.type);
    return isComposite(schema, name) ? (one.fallback ?? wrapped(one.type, objectOf(name))) : first(one);
  };
  return {
    field,
    /** The result of an operation: what its arguments say of the fields of the same names, and examples. */
    result({ type, name, page }: GqlOperation, args: Readonly<Record<string, unknown>>): unknown {
      const item = itemType({ type, ...(page && { page }) });
      if (!isComposite(schema, item))
        return first({ name, type, description: undefined, fallback: undefined, span: undefined });
      const object = { ...objectOf(item), ...echo(schema, item, args) };
      return page === undefined ? wrapped(type, object) : [object];
    },
  };
}

/** The arguments, and the fields of their inputs, that have the name and the type of a field of the result. */
function echo(schema: GqlSchema, name: string, args: Readonly<Record<string, unknown>>): object {
  const found = namedType(schema, name);
  if (found.kind !== 'object') return {};
  const flat = Object.values(args).filter(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  );
  const values: Record<string, unknown> = Object.assign({}, ...flat, args);
  const named = found.type.fields.filter(({ name: field }) => (values[field] ?? undefined) !== undefined);
  return Object.fromEntries(named.map(({ name: field }) => [field, values[field]]));
}
