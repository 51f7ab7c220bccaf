import type { GraphQLResolveInfo } from 'graphql';
import type { Principal } from '../../auth/principal.js';

/**
 * Type name → field name → resolver. Only own properties count.
 *
 * - `Query` and `Mutation`: a resolver, or a value to serve.
 * - `Subscription`: a function that returns an async iterable (an async generator function, for instance), or `{
 * subscribe, resolve }`. An event is the value of the field, or an object that contains it under the name of the field.
 * - Object types: a resolver, a batch resolver or a value for a field; `__isTypeOf` to recognize members of a union.
 * - Unions: `__resolveType`, which returns the name of the member.
 * - Custom scalars: a `GraphQLScalarType`.
 */
export type Resolvers<TContext = unknown> = { readonly [typeName: string]: TypeResolvers<TContext> | object };

/** The resolvers of one type: field name → resolver or value; for unions `__resolveType`; a scalar itself. */
export type TypeResolvers<TContext = unknown> = {
  /** By the name of the field. */
  readonly [field: string]: Resolver<TContext> | SubscriptionResolver<TContext> | BatchResolver<TContext> | FieldValue;
};

/** A value that is served as it is, in place of a resolver. */
export type FieldValue = string | number | boolean | null | readonly unknown[] | { readonly [key: string]: unknown };

/**
 * A function that returns the value of a field, or a promise of it. Its arguments are the parent value, the field's
 * arguments, the context of the request, and the `GraphQLResolveInfo` of graphql-js.
 */
export type Resolver<TContext = unknown> = {
  /** Returns the value. It is a method, so that implementations may declare narrower types of arguments. */
  resolve(
    parent: unknown,
    args: Readonly<Record<string, unknown>>,
    context: TContext,
    info: GraphQLResolveInfo,
  ): unknown;
}['resolve'];

/**
 * The resolver of a field that is read by a key: `authorId` for `author`, `tagIds` for the list `tags`, else the `id` of
 * the parent. The keys that one operation wants in one tick are one call, so that a list of n parents costs one
 * read and not n.
 */
export interface BatchResolver<TContext = unknown> {
  /**
   * Returns a value for each key, in the order of the keys: null where there is none, an `Error` where one failed.
   *
   * @param keys - Each key once.
   * @param args - The arguments of the field.
   */
  batch(
    keys: readonly unknown[],
    context: TContext,
    args: Readonly<Record<string, unknown>>,
  ): readonly unknown[] | PromiseLike<readonly unknown[]>;
}

/** A field of `Subscription`: the source of its events, and the value of each event. */
export interface SubscriptionResolver<TContext = unknown> {
  /** Returns an async iterable of events, or a promise of one. */
  readonly subscribe: Resolver<TContext>;
  /** Returns the value of the field for an event. Default: the event itself. */
  readonly resolve?: Resolver<TContext>;
  /** Whether subscribers also get the events of its FORK edges, filtered by the arguments. */
  readonly joins?: boolean;
}

/** One GraphQL operation, as clients send it. */
export interface OperationRequest {
  /** The GraphQL document. */
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
  /** The name of the operation, if the document has several. */
  readonly operationName?: string | null | undefined;
  /**
   * The caller, which needs access to all fields of the operation; null if it is unknown. Absent for the program itself,
   * which may run every operation.
   */
  readonly principal?: Principal | null | undefined;
  /** Cancels the operation and its resolvers. */
  readonly signal?: AbortSignal | undefined;
}
