import { GraphQLError } from 'graphql';
import { type MaybePromise, proceed } from '../../../base/values/maybe-promise.js';
import { readProperty } from '../../../base/values/read-property.js';
import type { FieldResolver } from './default-resolvers.js';
import { ownerOf } from './owner-of.js';
import { RaceWinner } from './race-winner.js';

/**
 * A field that only the owner of its object may read: each of the named fields of the object must be the caller's id.
 * Without names, it is the resolver itself.
 *
 * @param readOwner - Reads such a field, in place of the property of the object; undefined without a resolver for it.
 */
export function ownedField(
  names: readonly string[],
  readOwner: (name: string) => FieldResolver | undefined,
  resolver: FieldResolver,
): FieldResolver {
  if (names.length === 0) return resolver;
  return (parent, args, context, info) => {
    const owner = ownerOf(info.rootValue);
    if (owner === undefined) return resolver(parent, args, context, info);
    const check = (at: number): MaybePromise<undefined> => {
      const name = names[at];
      if (name === undefined) return undefined;
      const read = readOwner(name);
      const found = read === undefined ? readProperty(parent, name) : read(parent, {}, context, info);
      const value: unknown = typeof found === 'function' ? found.call(parent, {}, context, info) : found;
      return proceed(value, (settled) => {
        if (!owner.owns(settled)) throw foreign();
        return check(at + 1);
      });
    };
    return proceed(check(0), () => resolver(parent, args, context, info));
  };
}

/** A query whose result names its owner: a field of the object, or of each object of a list or a page. */
export function ownedResult(names: readonly string[], resolver: FieldResolver): FieldResolver {
  if (names.length === 0) return resolver;
  return (parent, args, context, info) => {
    const owner = ownerOf(info.rootValue);
    const result = resolver(parent, args, context, info);
    if (owner === undefined) return result;
    const check = async (value: unknown): Promise<void> => {
      const found = value instanceof RaceWinner ? value.value : value;
      if (found === null || found === undefined) return;
      if (Array.isArray(found)) {
        for (const item of found) await check(item);
        return;
      }
      const edges = readProperty(found, 'edges');
      if (Array.isArray(edges)) {
        for (const edge of edges) await check(readProperty(edge, 'node'));
        return;
      }
      for (const name of names) {
        const property = readProperty(found, name);
        const named: unknown =
          typeof property === 'function' ? await property.call(found, {}, context, info) : await property;
        if (!owner.owns(named)) throw foreign();
      }
    };
    return (async () => {
      const value = await result;
      await check(value);
      return value;
    })();
  };
}

/** The error about data of another caller. */
export function foreign(): GraphQLError {
  return new GraphQLError('This belongs to another caller.', { extensions: { code: 'FORBIDDEN' } });
}
