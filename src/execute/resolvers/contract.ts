import type { GraphQLResolveInfo } from 'graphql';

/**
 * Type name → field name → resolver. Own properties count, nothing inherited does.
 *
 * - `Query` and `Mutation`: a resolver, or a value to serve.
 * - `Subscription`: a function that returns an async iterable (an async generator function, for
 *   instance), or `{ subscribe, resolve }`. An event is the value of the field, or an object that holds it
 *   under the name of the field.
 * - Object types: a resolver or a value for a field; `__isTypeOf` to recognize members of a union.
 * - Unions: `__resolveType`, which returns the name of the member.
 * - Custom scalars: a `GraphQLScalarType`.
 */
export type Resolvers<TContext = unknown> = {
  readonly [typeName: string]: TypeResolvers<TContext> | object;
};

/** The resolvers of one type: field name → resolver or value; for unions `__resolveType`; a scalar itself. */
export type TypeResolvers<TContext = unknown> = {
  /** By the name of the field. */
  readonly [field: string]: Resolver<TContext> | SubscriptionResolver<TContext> | FieldValue;
};

/** A value that is served as it is, in place of a resolver. */
export type FieldValue =
  | string
  | number
  | boolean
  | null
  | readonly unknown[]
  | { readonly [key: string]: unknown };

/**
 * A function that gives the value of a field: the parent value, the arguments, the context of the
 * request, and what graphql-js tells about the field. It may be asynchronous.
 */
export type Resolver<TContext = unknown> = {
  /** Gives the value. It is a method, so that users may declare the arguments that they know they get. */
  resolve(
    parent: unknown,
    args: Readonly<Record<string, unknown>>,
    context: TContext,
    info: GraphQLResolveInfo,
  ): unknown;
}['resolve'];

/** A field of `Subscription`: where its events come from, and what each of them becomes. */
export interface SubscriptionResolver<TContext = unknown> {
  /** Returns an async iterable of events, or a promise of one. */
  readonly subscribe: Resolver<TContext>;
  /** Makes the value of the field out of an event. Unless given, the event is the value. */
  readonly resolve?: Resolver<TContext>;
  /** Whether subscribers also get the events of its FORK edges, filtered by the arguments. */
  readonly joins?: boolean;
}

/** The part of an EventTarget that is used. Events are `CustomEvent`s whose `detail` is the payload. */
export interface EventTargetLike {
  /** Calls a listener with each event of a type from now on. */
  addEventListener(type: string, listener: (event: Event) => void): void;
  /** Calls it no more. */
  removeEventListener(type: string, listener: (event: Event) => void): void;
  /** Calls the listeners of the event's type. */
  dispatchEvent(event: Event): boolean;
}

/**
 * Subscription name → sink for its events. A mutation answers once its sinks have accepted its events, and fails with
 * the error of a sink that refuses one; subscribers get an event after that.
 */
export type EventSinks = {
  /** By the name of the subscription. */
  readonly [subscription: string]: (event: unknown) => Promise<void>;
};

/** One GraphQL operation, as it is sent to a server. */
export interface OperationRequest {
  /** The GraphQL document. */
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
  /** Which operation of the document is meant, where it holds several. */
  readonly operationName?: string | null | undefined;
  /** Cancels the operation and its resolvers. */
  readonly signal?: AbortSignal | undefined;
}
