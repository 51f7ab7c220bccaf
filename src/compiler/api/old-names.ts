import { type Diagnostic, diagnose, type Outcome } from '../../base/diagnostics/diagnostic.js';
import { perObject } from '../graph/maps.js';
import {
  allOperations,
  type GqlField,
  type GqlObjectType,
  type GqlOperation,
  type GqlRenamed,
  type GqlSchema,
} from '../schema/gql-schema.js';
import { routeCoordinate, routeText } from '../schema/route-path.js';
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

/** The schema without the aliases of old names, for everything that users see under one name only. */
export const withoutOldNames = perObject((schema: GqlSchema): GqlSchema => {
  const isCurrent = ({ renamed }: Pick<Renamable, 'renamed'>) => renamed === undefined;
  const { objects, queries, mutations, subscriptions } = schema;
  const isPlain = ({ fields }: GqlObjectType) => fields.every(isCurrent);
  if ([queries, mutations, subscriptions].every((list) => list.every(isCurrent)) && objects.every(isPlain))
    return schema;
  return {
    ...schema,
    queries: queries.filter(isCurrent),
    mutations: mutations.filter(isCurrent),
    subscriptions: subscriptions.filter(isCurrent),
    objects: objects.map((type) => (isPlain(type) ? type : { ...type, fields: type.fields.filter(isCurrent) })),
  };
});

/** Why an alias is deprecated, as documents say it. {@link readRenamed} reads it. */
function writeRenamed({ to, until }: GqlRenamed): string {
  return `Renamed to ${to}; served until ${until}.`;
}

/** The alias that the reason of a deprecation names; undefined for any other reason. */
export function readRenamed(reason: string): GqlRenamed | undefined {
  const [, to, until] = /^Renamed to (\w+); served until (\d{4}-\d{2})\.$/.exec(reason) ?? [];
  return to === undefined || until === undefined ? undefined : { to, until };
}

/**
 * The aliases of old names in a schema, with the coordinates of each: those of its operation and route, or of its
 * field.
 */
export function aliasesOf(schema: GqlSchema) {
  const ofOperations = allOperations(schema).flatMap((one) => {
    if (one.renamed === undefined) return [];
    const coordinates = [operationCoordinate(one), routeCoordinate(one)];
    return [{ ...one.renamed, name: one.name, coordinates, span: one.edges[0]?.span }];
  });
  const ofFields = [...schema.objects, ...(schema.interfaces ?? [])].flatMap((type) =>
    type.fields.flatMap(({ name, renamed, span }) =>
      renamed === undefined ? [] : [{ ...renamed, name, coordinates: [`${type.name}.${name}`], span }],
    ),
  );
  return [...ofOperations, ...ofFields];
}

/** A warning for each old name whose last month is over (GG5029). */
export function expiredNames(schema: GqlSchema, today: string): readonly Diagnostic[] {
  return aliasesOf(schema).flatMap(({ name, to, until, span }) =>
    span !== undefined && until < today.slice(0, until.length)
      ? [diagnose('GG5029', { old: name, current: to, until }, span)]
      : [],
  );
}
