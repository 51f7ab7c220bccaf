import type { ScalarImplementation } from '../../scalars/standard-scalars.js';
import type { Resolvers } from './contract.js';

/** The resolvers of users and layers, by the names of types and fields. */
export type GivenResolvers = ReturnType<typeof lookUpResolvers>;

/**
 * Looks up resolvers in several maps; the first match wins. Only own properties count, so a field named
 * `constructor` does not find `Object.prototype.constructor`.
 */
export function lookUpResolvers<TContext>(maps: readonly Resolvers<TContext>[]) {
  const entriesOf = (typeName: string): readonly object[] =>
    maps.flatMap((map) => {
      const entry = Object.hasOwn(map, typeName) ? map[typeName] : undefined;
      return entry === undefined ? [] : [entry];
    });
  const get = (typeName: string, field: string): unknown =>
    entriesOf(typeName)
      .filter((entry) => Object.hasOwn(entry, field))
      .map((entry) => (entry as Record<string, unknown>)[field])
      .find((value) => value !== undefined);
  return {
    /** The resolver of a field: a function, a value, or for a subscription `{ subscribe, resolve }`. */
    get,
    has: (typeName: string, field: string) => get(typeName, field) !== undefined,
    scalar: (name: string) => entriesOf(name)[0] as ScalarImplementation | undefined,
  };
}
