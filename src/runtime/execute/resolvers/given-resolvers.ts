import { rootTypeOf } from '../../../compiler/api/operation-coordinate.js';
import { allOperations, type GqlSchema } from '../../../compiler/schema/gql-schema.js';
import type { ScalarImplementation } from '../../scalars/standard-scalars.js';
import type { Resolvers } from './contract.js';

/** The resolvers of users and layers, by the names of types and fields. */
export type GivenResolvers = ReturnType<typeof lookUpResolvers>;

/** Looks up resolvers; the first own property wins. An old name has the resolver of the name of today. */
export function lookUpResolvers<TContext>(maps: readonly Resolvers<TContext>[], schema: GqlSchema) {
  const named = [
    ...allOperations(schema).map((one) => [rootTypeOf(one.kind), one] as const),
    ...schema.objects.flatMap(({ name, fields }) => fields.map((field) => [name, field] as const)),
  ];
  const today = new Map(
    named.flatMap(([type, { name, renamed }]) => (renamed ? [[`${type}.${name}`, renamed.to]] : [])),
  );
  const entriesOf = (typeName: string): readonly object[] =>
    maps.flatMap((map) => {
      const entry = Object.hasOwn(map, typeName) ? map[typeName] : undefined;
      return entry === undefined ? [] : [entry];
    });
  const find = (typeName: string, field: string): unknown =>
    entriesOf(typeName)
      .filter((entry) => Object.hasOwn(entry, field))
      .map((entry) => (entry as Record<string, unknown>)[field])
      .find((value) => value !== undefined);
  const get = (typeName: string, field: string): unknown => {
    const found = find(typeName, field);
    const current = found === undefined && today.size > 0 ? today.get(`${typeName}.${field}`) : undefined;
    return current === undefined ? found : find(typeName, current);
  };
  return {
    /** The resolver of a field: a function, a value, or for a subscription `{ subscribe, resolve }`. */
    get,
    has: (typeName: string, field: string) => get(typeName, field) !== undefined,
    scalar: (name: string) => entriesOf(name)[0] as ScalarImplementation | undefined,
  };
}
