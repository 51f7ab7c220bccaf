import type { GraphQLTypeResolver } from 'graphql';
import { countPromise } from '../../../base/values/guarded-list.js';
import { readProperty } from '../../../base/values/read-property.js';
import type { GqlUnionType } from '../../../compiler/schema/gql-schema.js';
import { noteResolverError } from '../errors/error-marks.js';
import type { ConstantObjects } from './constants.js';
import type { GivenResolvers } from './given-resolvers.js';
import { RaceWinner } from './race.js';

/**
 * Finds the member of a union, or the type of an interface, that a value has, in this order: the race that it won, the
 * `__resolveType` of the union, `__typename` on the value, the member whose `__isTypeOf` returns true, the only member.
 */
export function createTypeResolver(
  union: Pick<GqlUnionType, 'name' | 'members'>,
  given: GivenResolvers,
  constants: ConstantObjects,
): GraphQLTypeResolver<unknown, unknown> {
  const resolveType = given.get(union.name, '__resolveType') as
    | GraphQLTypeResolver<unknown, unknown>
    | undefined;
  const checks = union.members.flatMap((member) => {
    const check = given.get(member, '__isTypeOf') as IsTypeOf | undefined;
    return check === undefined ? [] : [{ member, check }];
  });
  const resolve: GraphQLTypeResolver<unknown, unknown> = async (value, context, info, type) => {
    const told =
      (await resolveType?.(value, context, info, type)) ??
      readProperty(value, '__typename') ??
      constants.originOf(value)?.typeName;
    if (typeof told === 'string') return told;
    for (const { member, check } of checks) if (await check(value, context, info)) return member;
    if (union.members.length === 1) return union.members[0];
    throw new Error(
      `Cannot determine which of ${union.members.join(', ')} this value is: ` +
        `add __typename to the value, or give ${union.name}.__resolveType.`,
    );
  };
  return (value, context, info, type) => {
    if (value instanceof RaceWinner) return value.typeName;
    countPromise();
    return Promise.resolve(resolve(value, context, info, type)).catch((error: unknown) => {
      noteResolverError(error);
      throw error;
    });
  };
}

type IsTypeOf = (
  value: unknown,
  context: unknown,
  info: Parameters<GraphQLTypeResolver<unknown, unknown>>[2],
) => boolean | Promise<boolean>;
