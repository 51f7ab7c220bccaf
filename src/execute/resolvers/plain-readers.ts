import type { GraphQLFieldResolver } from 'graphql';

type FieldResolver = GraphQLFieldResolver<never, never>;

const plainReaders = new WeakSet<object>();

/** Notes that a resolver does no more, where its parent has a value for the field, than read that value. */
export function markPlain<Reader extends FieldResolver>(reader: Reader): Reader {
  plainReaders.add(reader);
  return reader;
}

/** Whether a resolver was noted so. */
export function isPlainReader(resolver: object | undefined): boolean {
  return resolver !== undefined && plainReaders.has(resolver);
}
