import { type GraphQLField, type GraphQLOutputType, isListType, isNonNullType } from 'graphql';
import { formatCheck } from '../../../base/json-schema/formats.js';
import { guardResult } from '../../../base/values/guarded-list.js';
import { createArgumentChecks } from '../../../compiler/api/argument-checks.js';
import type { GqlArgument, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { argumentError } from '../errors/argument-error.js';
import { noteResolverError } from '../errors/error-marks.js';
import type { FieldResolver } from './default-resolvers.js';
import { ResumedRoot } from './operation-root.js';

/** Guards the resolvers of a field: see `guardResult`. Their errors are remembered as resolver errors. */
export function guardField(field: GraphQLField<unknown, unknown>): void {
  const { resolve, subscribe } = field;
  if (resolve !== undefined) {
    const isPlain = isPlainReader(resolve);
    const guarded = guard(isPlain ? resolve : once(resolve), listDepthOf(field.type));
    field.resolve = isPlain ? markPlain(guarded) : guarded;
  }
  if (subscribe !== undefined) field.subscribe = guard(subscribe, 0);
}

/** Does not call a resolver that a compiled plan has called. */
function once(resolve: FieldResolver): FieldResolver {
  return (parent, args, context, info) => {
    const { rootValue } = info;
    return rootValue instanceof ResumedRoot
      ? rootValue.reads.replay(info.path, () => resolve(parent, args, context, info))
      : resolve(parent, args, context, info);
  };
}

function guard(resolve: FieldResolver, listDepth: number): FieldResolver {
  return (...call) => {
    let value: unknown;
    try {
      value = resolve(...call);
    } catch (error) {
      noteResolverError(error);
      throw error;
    }
    return guardResult(value, listDepth, noteResolverError);
  };
}

function listDepthOf(type: GraphQLOutputType): number {
  if (isNonNullType(type)) return listDepthOf(type.ofType);
  return isListType(type) ? 1 + listDepthOf(type.ofType) : 0;
}

const plainReaders = new WeakSet<object>();

/** Marks a resolver that only reads the property of its parent, if the parent has it. */
export function markPlain<Reader extends FieldResolver>(reader: Reader): Reader {
  plainReaders.add(reader);
  return reader;
}

/** Whether compiled plans may read the property instead of calling this resolver. */
export function isPlainReader(resolver: object | undefined): boolean {
  return resolver !== undefined && plainReaders.has(resolver);
}

/**
 * Compiles the constraints of a schema. A guarded resolver throws one BAD_USER_INPUT with the path of the first value
 * that breaks one, and lists all; without constraints, it is the resolver itself.
 */
export function createArgumentGuard(schema: GqlSchema) {
  const checksOf = createArgumentChecks(schema, formatCheck);
  return (args: readonly GqlArgument[] | undefined, resolver: FieldResolver): FieldResolver => {
    const check = args === undefined ? undefined : checksOf(args);
    if (check === undefined) return resolver;
    return (parent, values, context, info) => {
      const found = check(values);
      if (found.length === 0) return resolver(parent, values, context, info);
      throw argumentError(found);
    };
  };
}
