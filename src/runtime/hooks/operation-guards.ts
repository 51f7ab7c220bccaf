import { OptionError } from '../../base/diagnostics/option-error.js';
import { type MaybePromise, proceed } from '../../base/values/maybe-promise.js';
import { operationCoordinate } from '../../compiler/api/operation-coordinate.js';
import { allOperations, type GqlSchema, type OperationKind } from '../../compiler/schema/gql-schema.js';
import { withInternal } from '../../compiler/schema/schema-index.js';
import type { HookOperation } from './server-hooks.js';

/** The call of an operation, as its guard sees it. */
export interface GuardedOperation<Arguments = Readonly<Record<string, unknown>>>
  extends Omit<HookOperation, 'arguments'> {
  /** Its arguments, coerced. */
  readonly arguments: Arguments;
}

/**
 * Decides whether a caller may run an operation with these arguments, on every protocol. Returns `true`, or `false` to
 * refuse it with 403, or a promise of one of them. May throw a `GraphQLError` to refuse it with another message.
 */
export type OperationGuard<Arguments = Readonly<Record<string, unknown>>> = {
  /** Decides. It is a method, so that guards may declare narrower types of arguments. */
  allow(operation: GuardedOperation<Arguments>): boolean | PromiseLike<boolean>;
}['allow'];

/**
 * The guards of operations: root type → operation → guard. The resolver types that `gg-svc types` writes give each guard
 * the types of its arguments.
 *
 * @typeParam TResolvers - The type of the resolvers.
 */
export type OperationGuards<TResolvers = Readonly<Record<string, object>>> = {
  readonly [Root in 'Query' | 'Mutation' | 'Subscription']?: string extends keyof TResolvers
    ? Readonly<Record<string, OperationGuard>>
    : Root extends keyof TResolvers
      ? {
          readonly [Name in keyof NonNullable<TResolvers[Root]>]?: ResolverGuard<NonNullable<TResolvers[Root]>[Name]>;
        }
      : never;
};

/** The guard of an operation, with the arguments of its resolver; `subscribe` is the resolver of a subscription. */
export type ResolverGuard<TResolver> =
  NonNullable<TResolver> extends infer Given
    ? Extract<
        Given | (Given extends { readonly subscribe: infer Subscribe } ? Subscribe : never),
        (...given: never[]) => unknown
      > extends (parent: never, args: infer Arguments, ...rest: never[]) => unknown
      ? OperationGuard<Arguments>
      : OperationGuard
    : never;

/** The guard of an operation; undefined if it has none. */
export type GuardLookup = ((kind: OperationKind, name: string) => OperationGuard | undefined) | undefined;

/**
 * Reads the option `guards`; undefined without guards.
 *
 * @throws {TypeError} If a guard is not a function, or names an unknown operation: it would protect nothing.
 */
export function readGuards(given: unknown, model: GqlSchema): GuardLookup {
  if (given === undefined) return undefined;
  const names = new Set(allOperations(withInternal(model)).map(operationCoordinate));
  const found = new Map<string, OperationGuard>();
  for (const [root, guards] of entriesOf(given, 'guards')) {
    for (const [name, guard] of entriesOf(guards, `guards.${root}`)) {
      if (guard === undefined) continue;
      if (typeof guard !== 'function') throw new OptionError(`guards.${root}.${name}`, 'be a function');
      const unknown = `guards.${root}.${name} guards nothing: there is no such operation.`;
      if (!names.has(`${root}.${name}`)) throw new OptionError('guards', 'be of operations', unknown);
      found.set(`${root}.${name}`, guard as OperationGuard);
    }
  }
  return found.size === 0 ? undefined : (kind, name) => found.get(operationCoordinate({ kind, name }));
}

/**
 * Calls a guard.
 *
 * @throws {TypeError} If it returns neither `true` nor `false`.
 */
export function askGuard(guard: OperationGuard, operation: HookOperation): MaybePromise<boolean> {
  return proceed(guard(operation) as unknown, (said) => {
    if (typeof said === 'boolean') return said;
    throw new TypeError('A guard must return true or false.');
  });
}

function entriesOf(given: unknown, name: string): readonly (readonly [string, unknown])[] {
  if (given === undefined) return [];
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return Object.entries(given);
  throw new OptionError(name, 'be an object');
}
