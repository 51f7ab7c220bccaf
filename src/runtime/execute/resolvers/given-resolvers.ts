import type { ScalarImplementation } from '../../scalars/standard-scalars.js';
import type { Resolver, Resolvers, SubscriptionResolver } from './contract.js';

/** The resolvers of users and layers, by the names of types and fields. */
export interface GivenResolvers {
  has(typeName: string, field: string): boolean;
  /** The resolver of a field: a function, a value, or for a subscription `{ subscribe, resolve }`. */
  get(typeName: string, field: string): unknown;
  scalar(name: string): ScalarImplementation | undefined;
}

/**
 * Looks up resolvers in several maps; the first match wins. Only own properties count, so a field named
 * `constructor` does not find `Object.prototype.constructor`.
 */
export function lookUpResolvers<TContext>(maps: readonly Resolvers<TContext>[]): GivenResolvers {
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
    get,
    has: (typeName, field) => get(typeName, field) !== undefined,
    scalar: (name) => entriesOf(name)[0] as ScalarImplementation | undefined,
  };
}

export function asSubscriptionResolver<TContext>(given: unknown): SubscriptionResolver<TContext> {
  return typeof given === 'function'
    ? { subscribe: given as Resolver<TContext> }
    : (given as SubscriptionResolver<TContext>);
}
