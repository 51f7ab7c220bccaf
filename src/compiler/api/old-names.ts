import { type Diagnostic, diagnose } from '../../base/diagnostics/diagnostic.js';
import type { Outcome } from '../../base/diagnostics/outcome.js';
import { remember } from '../graph/maps.js';
import type { GqlField, GqlObjectType, GqlOperation, GqlRenamed, GqlSchema } from '../schema/gql-schema.js';
import { routeText } from '../schema/route-path.js';
import { operationCoordinate } from './operation-coordinate.js';

type Renamable = Pick<GqlField, 'name' | 'oldNames' | 'renamed'>;

/** Adds a deprecated alias for each old name of an operation and a field. A name that is taken is an error (GG3068). */
export function withOldNames(schema: GqlSchema): Outcome<GqlSchema> {
  const { objects, interfaces = [], queries, mutations, subscriptions } = schema;
  const types = [...objects, ...interfaces];
  const all: readonly (readonly Renamable[])[] = [
    ...types.map(({ fields }) => fields),
    ...[queries, mutations, subscriptions],
  ];
  const diagnostics: Diagnostic[] = [];
  if (!all.some((list) => list.some(({ oldNames }) => oldNames !== undefined))) return { value: schema, diagnostics };
  const ofRoot = (operations: readonly GqlOperation[]) =>
    withAliases(
      operations,
      ({ oldNames = [] }) => oldNames,
      (taken, one) => {
        const [edge] = one.edges;
        if (edge) diagnostics.push(diagnose('GG3068', { taken, coordinate: operationCoordinate(one) }, edge.span));
      },
    ).map((one) => {
      if (one.renamed === undefined) return one;
      const { route: _, etag, ...alias } = one;
      // The path of an alias of a write has no read.
      return etag === undefined || one.kind === 'mutation' ? alias : { ...alias, etag };
    });
  const fieldsOf = new Map(interfaces.map(({ name, fields }) => [name, fields]));
  const ofType = (type: GqlObjectType): GqlObjectType => {
    // GraphQL requires each field of an interface, and so each of its aliases, of the types that implement it.
    const inherited = type.interfaces?.flatMap((name) => fieldsOf.get(name) ?? []) ?? [];
    const oldNamesOf = (field: GqlField) =>
      [field, ...inherited.filter(({ name }) => name === field.name)].flatMap(({ oldNames = [] }) => oldNames);
    const fields = withAliases(type.fields, oldNamesOf, (taken, { name, span }) => {
      const coordinate = `${type.name}.${name}`;
      if (span) diagnostics.push(diagnose('GG3068', { taken, coordinate }, span));
    });
    return { ...type, fields };
  };
  const value: GqlSchema = {
    ...schema,
    objects: objects.map(ofType),
    ...(schema.interfaces && { interfaces: interfaces.map(ofType) }),
    queries: ofRoot(queries),
    mutations: ofRoot(mutations),
    subscriptions: ofRoot(subscriptions),
  };
  const answering = [...value.queries, ...value.mutations];
  for (const alias of answering) {
    const [edge] = alias.edges;
    if (alias.renamed === undefined || edge === undefined) continue;
    const route = routeText(alias);
    const owner = answering.find((one) => one !== alias && routeText(one) === route);
    if (owner !== undefined)
      diagnostics.push(diagnose('GG3039', { route, taken: `the route of ${owner.name}` }, edge.span));
  }
  return { value, diagnostics };
}

/** A list in which the aliases of an item follow it. */
function withAliases<Item extends Renamable>(
  items: readonly Item[],
  oldNamesOf: (item: Item) => NonNullable<Item['oldNames']>,
  reportTaken: (taken: string, item: Item) => void,
): readonly Item[] {
  const taken = new Set(items.map(({ name }) => name));
  return items.flatMap((item) => {
    const { oldNames: _, ...plain } = item;
    const olds = new Map(oldNamesOf(item).map((old) => [old.name, old]));
    const aliases = [...olds.values()].flatMap(({ name, until }) => {
      if (taken.has(name)) {
        reportTaken(name, item);
        return [];
      }
      taken.add(name);
      const renamed = { to: item.name, until };
      return [{ ...plain, name, deprecated: writeRenamed(renamed), renamed } as unknown as Item];
    });
    return [item, ...aliases];
  });
}

const current = new WeakMap<GqlSchema, GqlSchema>();

/** The schema without the aliases of old names, for everything that users see under one name only. */
export function withoutOldNames(schema: GqlSchema): GqlSchema {
  return remember(current, schema, () => {
    const kept = <Item extends Pick<Renamable, 'renamed'>>(items: readonly Item[]) =>
      items.every(({ renamed }) => renamed === undefined)
        ? items
        : items.filter(({ renamed }) => renamed === undefined);
    const { objects, queries, mutations, subscriptions } = schema;
    const plain = { queries: kept(queries), mutations: kept(mutations), subscriptions: kept(subscriptions) };
    const isPlain = ({ fields }: GqlObjectType) => kept(fields) === fields;
    const isSame = Object.entries(plain).every(([key, list]) => schema[key as keyof typeof plain] === list);
    if (isSame && objects.every(isPlain)) return schema;
    return {
      ...schema,
      ...plain,
      objects: objects.map((type) => (isPlain(type) ? type : { ...type, fields: kept(type.fields) })),
    };
  });
}

/** Why an alias is deprecated, as documents say it. {@link readRenamed} reads it. */
function writeRenamed({ to, until }: GqlRenamed): string {
  return `Renamed to ${to}; served until ${until}.`;
}

/** What the reason of a deprecation says of an alias; undefined for any other reason. */
export function readRenamed(reason: string): GqlRenamed | undefined {
  const [, to, until] = /^Renamed to (\w+); served until (\d{4}-\d{2})\.$/.exec(reason) ?? [];
  return to === undefined || until === undefined ? undefined : { to, until };
}
