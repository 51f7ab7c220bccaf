import type { GraphQLResolveInfo } from 'graphql';
import { keysOf, type Relation, type StoreModel, type Table } from '../../../analysis/store/model.js';
import type { StoredRead } from '../../../analysis/store/reads.js';
import { type MaybePromise, proceed } from '../../../base/values/maybe-promise.js';
import { readProperty } from '../../../base/values/read-property.js';
import { eventsOfMutations } from '../../../compiler/api/chains/chains.js';
import { appendTo } from '../../../compiler/graph/maps.js';
import { baseName, printTypeRef } from '../../../compiler/graph/type-ref.js';
import type { GqlField, GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { namedType, objectFields, withInternal } from '../../../compiler/schema/schema-index.js';
import { notePassing, PassedText, takesText } from '../../execute/compiled/passed-text.js';
import type { KeyedBatch } from '../../execute/resolvers/batch.js';
import type { Resolver, Resolvers } from '../../execute/resolvers/contract.js';
import { ownersOf } from '../../execute/resolvers/owner-of.js';
import { noRow } from '../store-error.js';
import { sortOf } from './order.js';
import { type Args, type OpenStore, type Row, type Source, shaped } from './plan.js';
import { countOf, heldAs, StoredRelation } from './relation.js';

/** The resolvers of queries into stored nodes, and of the fields of stored nodes that lead to other rows. */
export function readResolvers(
  schema: GqlSchema,
  model: StoreModel,
  reads: ReadonlyMap<string, StoredRead>,
  store: OpenStore,
): Resolvers {
  // The statements need graphql-js, which is loaded for the first of them. `import()` resolves the path in each call.
  let loaded: MaybePromise<typeof import('./select-rows.js')> | undefined;
  const statements = () => {
    loaded ??= import('./select-rows.js').then((module) => {
      loaded = module;
      return module;
    });
    return loaded;
  };
  const tables = new Map(model.tables.map((table) => [table.name, table]));
  const sourceOf = (coordinate: string): Source | undefined => {
    const read = reads.get(coordinate);
    if (read === undefined) return undefined;
    const table = tables.get(read.table) as Table;
    return { store, table, read, owners: ownersOfRows(schema, table) };
  };
  const Query = Object.fromEntries(
    withInternal(schema).queries.flatMap((query) => {
      const source = sourceOf(`Query.${query.name}`);
      if (source === undefined) return [];
      const isArgument = (name: string) => query.arguments.some((argument) => argument.name === name);
      const named = ownersOf(query).filter((name) => !isArgument(name));
      const owners = [...new Set([...source.owners, ...named])];
      const whole = { ...source, owners };
      const isNeeded = query.type.kind === 'nonNull' && source.read.shape === 'one';
      const resolve: Resolver = (_parent, args, _context, info) =>
        proceed(statements(), ({ selectRows }) => {
          const found = selectRows(whole, args, info, info.fieldName === query.name);
          return isNeeded ? proceed(found, (row) => row ?? missing(source.table.type, query)) : found;
        });
      notePassing(resolve);
      return [[query.name, resolve]];
    }),
  );
  const relationIn = (table: Table, { field, kind, columns, to }: Relation, held: Held) => {
    const source = sourceOf(`${table.type}.${field}`);
    if (source === undefined) return [];
    const target = tables.get(to) as Table;
    const [own, other] = kind === 'one' ? [columns, keysOf(target)] : [keysOf(table), columns];
    const keys = own.map((name, at) => {
      const type = typeOf(schema, table, name) ?? typeOf(schema, target, other[at] as string);
      return { field: name, type: type as string, isList: false };
    });
    const resolver = new StoredRelation(
      source,
      own,
      other,
      keys,
      async (wanted, _context, args, info) =>
        (await statements()).selectByKeys(source, other, keysIn(other, wanted), args, info as GraphQLResolveInfo),
      (...call) => held(source, ...call),
    );
    return [[field, resolver] as const];
  };
  const ofTables = model.tables.map((table) => {
    const relations = table.relations.flatMap((relation) => relationIn(table, relation, heldIn));
    return [table.type, Object.fromEntries(relations)] as const;
  });
  const ofEvents = eventRelations(schema, model).map(([type, table, relations]) => {
    const found = relations.flatMap((relation) =>
      relationIn(table, relation, (_source, event) => readProperty(event, relation.field)),
    );
    return [type, Object.fromEntries(found)] as const;
  });
  return { Query, ...Object.fromEntries([...ofEvents, ...ofTables]) };
}

/**
 * The relations of a table that an event of its mutations has, too. The event contains the columns of the row, by which
 * the other rows are read when it is delivered.
 */
function eventRelations(
  schema: GqlSchema,
  { tables }: StoreModel,
): readonly (readonly [type: string, table: Table, relations: readonly Relation[]])[] {
  const written = new Map<string, Table[]>();
  for (const [mutation, subscriptions] of eventsOfMutations(schema)) {
    const result = schema.mutations.find(({ name }) => name === mutation);
    const table = tables.find(({ type }) => result && type === baseName(result.type));
    if (table !== undefined) for (const { type } of subscriptions) appendTo(written, baseName(type), table);
  }
  return [...written].flatMap(([event, [table, ...others]]) => {
    if (table === undefined || others.some((other) => other !== table) || tables.some(({ type }) => type === event))
      return [];
    const shown = objectFields(schema, event).map(({ name, type }) => `${name}: ${printTypeRef(type)}`);
    const isShown = ({ name, type, page }: GqlField) =>
      page === undefined && shown.includes(`${name}: ${printTypeRef(type)}`);
    const names = objectFields(schema, table.type)
      .filter(isShown)
      .map(({ name }) => name);
    return [[event, table, table.relations.filter(({ field }) => names.includes(field))] as const];
  });
}

function missing(type: string, query: GqlOperation): never {
  throw noRow(
    type,
    query.arguments.map(({ name }) => name),
  );
}

/** The keys of a batch: the text of one that has several fields is the JSON of their values. */
function keysIn({ length }: readonly string[], keys: readonly unknown[]): readonly (readonly unknown[])[] {
  return keys.map((key) => (length === 1 ? [key] : JSON.parse(String(key))));
}

type Held = (source: Source, ...call: Parameters<NonNullable<KeyedBatch['held']>>) => unknown;

/** The value of a relation that was read with its row. */
function heldIn(source: Source, parent: unknown, args: Args, info: GraphQLResolveInfo): unknown {
  const name = heldAs(info.path.key);
  const found = (parent as Row | null)?.[name];
  // Its rows are read anew where a plan has given up.
  if (found instanceof PassedText) return takesText(info) ? found : undefined;
  if (found === undefined || source.read.shape !== 'page') return found;
  const totalCount = (parent as Row)[countOf(name)];
  const order = { sort: sortOf(source.table, source.read, args), isBackward: args.last !== undefined };
  return shaped(source, order, found as readonly Row[], totalCount);
}

/** The columns of a table that must be the id of the caller. */
function ownersOfRows(schema: GqlSchema, { type }: Table): readonly string[] {
  const found = namedType(schema, type);
  return found.kind === 'object' ? ownersOf(found.type) : [];
}

/** The type of the field of a column; undefined for a column without one, which has the type of the other key. */
function typeOf(schema: GqlSchema, table: Table, column: string): string | undefined {
  const field = objectFields(schema, table.type).find(({ name }) => name === column);
  return field && baseName(field.type);
}
