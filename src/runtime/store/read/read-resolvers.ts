import type { GraphQLResolveInfo } from 'graphql';
import { keysOf, type StoreModel, type Table } from '../../../analysis/store/model.js';
import type { StoredRead } from '../../../analysis/store/reads.js';
import { baseName } from '../../../compiler/graph/type-ref.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { namedType, objectFields, withInternal } from '../../../compiler/schema/schema-index.js';
import { notePassing, PassedText, takesText } from '../../execute/compiled/passed-text.js';
import type { Resolver, Resolvers } from '../../execute/resolvers/contract.js';
import { ownersOf } from '../../execute/resolvers/owner-of.js';
import { columnOf } from './conditions.js';
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
  let loaded: Promise<typeof import('./select-rows.js')> | undefined;
  const statements = () => {
    loaded ??= import('./select-rows.js');
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
      const resolve: Resolver = async (_parent, args, _context, info) =>
        (await statements()).selectRows(whole, args, info, info.fieldName === query.name);
      notePassing(resolve);
      return [[query.name, resolve]];
    }),
  );
  const ofTables = model.tables.map((table) => {
    const relations = table.relations.flatMap(({ field, kind, columns, to }) => {
      const source = sourceOf(`${table.type}.${field}`);
      if (source === undefined) return [];
      const [own, other] =
        kind === 'one' ? ([columns, keysOf(tables.get(to) as Table)] as const) : ([keysOf(table), columns] as const);
      const resolver = new StoredRelation(
        source,
        own,
        other,
        own.map((name) => keyOf(schema, table, name)),
        async (keys, _context, args, info) =>
          (await statements()).selectByKeys(source, other, keysIn(other, keys), args, info as GraphQLResolveInfo),
        (parent, args, info) => heldIn(source, parent, args, info),
      );
      return [[field, resolver]];
    });
    return [table.type, Object.fromEntries(relations)];
  });
  return { Query, ...Object.fromEntries(ofTables) };
}

/** The keys of a batch: the text of one that has several fields is the JSON of their values. */
function keysIn({ length }: readonly string[], keys: readonly unknown[]): readonly (readonly unknown[])[] {
  return keys.map((key) => (length === 1 ? [key] : JSON.parse(String(key))));
}

/** The value of a relation that was read with its row. */
function heldIn(source: Source, parent: unknown, args: Args, info: GraphQLResolveInfo): unknown {
  const name = heldAs(info.path.key);
  const found = (parent as Row | null)?.[name];
  // Its rows are read anew where a plan has given up.
  if (found instanceof PassedText) return takesText(info) ? found : undefined;
  if (found === undefined || source.read.shape !== 'page') return found;
  const totalCount = (parent as Row)[countOf(name)];
  const order = { sort: sortOf(source.table, source.read.order, args), isBackward: args.last !== undefined };
  return shaped(source, order, found as readonly Row[], totalCount);
}

/** The columns of a table that must be the id of the caller. */
function ownersOfRows(schema: GqlSchema, { type }: Table): readonly string[] {
  const found = namedType(schema, type);
  return found.kind === 'object' ? ownersOf(found.type) : [];
}

function keyOf(schema: GqlSchema, table: Table, name: string) {
  const field = objectFields(schema, table.type).find((one) => one.name === columnOf(table, name).name);
  if (field === undefined) throw new Error(`invariant: ${table.type} has the field ${name}`);
  return { field: name, type: baseName(field.type), isList: false };
}
