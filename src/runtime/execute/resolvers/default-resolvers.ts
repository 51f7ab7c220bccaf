import type { GraphQLFieldResolver, GraphQLIsTypeOfFn, GraphQLSchema, GraphQLTypeResolver } from 'graphql';
import { printPath } from '../../../base/source/json-pointer.js';
import { countPromise } from '../../../base/values/guarded-list.js';
import { proceed } from '../../../base/values/maybe-promise.js';
import { readProperty } from '../../../base/values/read-property.js';
import { queriesByType } from '../../../compiler/api/reach/reach.js';
import { named } from '../../../compiler/graph/type-ref.js';
import type { GqlField, GqlOperation, GqlSchema, GqlUnionType } from '../../../compiler/schema/gql-schema.js';
import { namedType, objectFields } from '../../../compiler/schema/schema-index.js';
import type { Monitor } from '../../logs/monitor.js';
import { noteResolverError } from '../errors/error-marks.js';
import { notImplemented, operationNotImplemented } from '../errors/not-implemented.js';
import { defaultOf } from '../graphql-js/releases.js';
import { givenSignalOf, withBranchSignal } from './abort-signal.js';
import { createCompleteness, printMisfit } from './completeness.js';
import { type ConstantObjects, coverConstants, createConstantObjects, nestedType } from './constants.js';
import type { GivenResolvers } from './given-resolvers.js';
import { internalValue } from './internal-values.js';
import { type Contestant, race } from './race.js';
import { RaceWinner } from './race-winner.js';
import { traceRace } from './spans.js';

export type FieldResolver = GraphQLFieldResolver<unknown, unknown>;

const neither = 'has neither a resolver nor a constant';

/**
 * Makes the default resolvers of a topology: they serve its constants, race its unions, and otherwise throw an error
 * that names the edge.
 *
 * @param resolveQuery - Returns the resolver of a query, given or default; called when a race runs.
 */
export function createDefaultResolvers(
  schema: GqlSchema,
  executable: GraphQLSchema,
  given: GivenResolvers,
  resolveQuery: (operation: GqlOperation) => FieldResolver,
  monitor: Monitor,
) {
  const coverage = coverConstants(schema, given.has);
  const constants = createConstantObjects((typeName) =>
    Object.fromEntries(
      objectFields(schema, typeName).flatMap(({ name, type, fallback }) =>
        fallback === undefined ? [] : [[name, internalValue(executable, type, fallback)]],
      ),
    ),
  );
  const queryOf = queriesByType(schema);
  const raceOf = new Map(schema.internal?.races.map(({ target, name }) => [target, name]));

  /** Whether a race has a branch that may return a value. */
  const canRun = (members: readonly string[], withQueries: boolean): boolean =>
    members.some((member) => {
      const query = withQueries ? queryOf.get(member) : undefined;
      return coverage.some.has(member) || (query !== undefined && given.has('Query', query.name));
    });

  /** An incomplete value does not win a race. */
  const requireComplete = (member: string, value: unknown, operation: GqlOperation | undefined): unknown => {
    if (value === null || value === undefined) return value;
    const found = completeness.incompleteAt(named(member), value);
    if (found === undefined) return value;
    const place = printPath(found.path, member);
    throw constants.originOf(value) === undefined
      ? new Error(`${printMisfit(found, member)}.`)
      : notImplemented(schema, `${place} ${neither}`, operation);
  };

  /**
   * Mutations race only constants: a query in place of a mutation would change nothing.
   *
   * @param served - The type that the winner is served as in an internal race; else it has its own.
   */
  const startRace = (
    union: string,
    operation: GqlOperation | undefined,
    [, args, context, info]: Parameters<FieldResolver>,
    served?: string,
  ): Promise<RaceWinner | null> => {
    const { members, delays = [], policy } = unionOf(schema, union);
    const contestants = members.map((member, index): Contestant => {
      const query = operation?.kind === 'mutation' ? undefined : queryOf.get(member);
      return {
        typeName: member,
        delay: delays[index] ?? 0,
        start: (signal) => {
          if (query !== undefined) {
            const own = withBranchSignal(info, signal);
            const value = resolveQuery(query)(undefined, withDefaults(executable, query, args), context, own);
            return proceed(value, (settled: unknown) => requireComplete(served ?? member, settled, query));
          }
          if (coverage.some.has(member)) {
            return requireComplete(served ?? member, constants.make(member, operation), operation);
          }
          throw notImplemented(schema, `${member} has neither a query nor a constant`);
        },
      };
    });
    return traceRace(schema, union, () =>
      race(union, contestants, givenSignalOf(info), (...end) => monitor.raceEnded?.(union, ...end), policy),
    );
  };

  /** The resolver that races a union, or a type with an internal race: then it gives the value of the winner. */
  const raceTo = (
    type: string,
    withQueries: boolean,
    operationOf: (parent: unknown) => GqlOperation | undefined,
  ): FieldResolver | undefined => {
    const internal = raceOf.get(type);
    const union = internal ?? type;
    if (!canRun(unionOf(schema, union).members, withQueries)) return undefined;
    if (internal === undefined) return (...call) => startRace(union, operationOf(call[0]), call);
    return (...call) => startRace(union, operationOf(call[0]), call, type).then((winner) => winner?.value ?? null);
  };

  /** The resolver of a field for which its parent has no value, if there is one. */
  const supply = ({ type, fallback }: GqlField): FieldResolver | undefined => {
    if (fallback !== undefined) return () => internalValue(executable, type, fallback);
    const nested = nestedType(schema, type);
    if (nested === undefined) return undefined;
    const operationOf = (parent: unknown) => constants.originOf(parent)?.operation;
    const raced = raceTo(nested, true, operationOf);
    if (raced !== undefined || namedType(schema, nested).kind === 'union') return raced;
    if (type.kind === 'nonNull') {
      if (!coverage.some.has(nested)) return undefined;
      return (parent) => constants.make(nested, operationOf(parent));
    }
    if (!coverage.whole.has(nested)) return undefined;
    // In a value of a resolver, an omitted nullable field is null.
    return (parent) => {
      const origin = constants.originOf(parent);
      return origin === undefined ? null : constants.make(nested, origin.operation);
    };
  };
  const completeness = createCompleteness(schema, executable, (owner, field) =>
    field.renamed || given.has(owner, field.name) ? 'always' : supply(field) === undefined ? 'never' : 'ifMissing',
  );

  return {
    constants,
    completeness,
    operation(operation: GqlOperation): FieldResolver {
      const type = nestedType(schema, operation.type);
      const raced = type && raceTo(type, operation.kind === 'query', () => operation);
      if (raced) return raced;
      if (type !== undefined && namedType(schema, type).kind !== 'union' && coverage.some.has(type)) {
        return () => constants.make(type, operation);
      }
      return () => {
        throw operationNotImplemented(schema, operation);
      };
    },
    /** Returns the value of a field for which its parent has none. */
    field(owner: string, field: GqlField): FieldResolver {
      const supplied = supply(field);
      if (supplied !== undefined) return supplied;
      if (field.type.kind !== 'nonNull') return () => null;
      return (parent) => {
        const origin = constants.originOf(parent);
        if (origin !== undefined) {
          throw notImplemented(schema, `${owner}.${field.name} ${neither}`, origin.operation);
        }
        // Probably a response of another API, which has the value itself as its `data`.
        if (typeof readProperty(parent, 'data') === 'object') {
          throw new Error(
            `${owner}.${field.name} is missing: the resolver returned an object with “data” in place of ${owner}; return the ${owner} itself.`,
          );
        }
        return undefined;
      };
    },
  };
}

function unionOf(schema: GqlSchema, name: string): Pick<GqlUnionType, 'members' | 'delays' | 'policy'> {
  const found = namedType(schema, name);
  return found.kind === 'union' ? found.type : { members: [] };
}

/** A branch or a fallback gets the arguments of its operation, and the defaults of its own query for those that it lacks. */
export function withDefaults(
  executable: GraphQLSchema,
  query: GqlOperation,
  args: Parameters<FieldResolver>[1],
): Record<string, unknown> {
  const declared = executable.getQueryType()?.getFields()[query.name]?.args;
  const defaults =
    declared === undefined
      ? query.arguments.map(({ name, type, fallback }) => {
          return [name, fallback && internalValue(executable, type, fallback)] as const;
        })
      : declared.map((argument) => [argument.name, defaultOf(argument)] as const);
  return { ...Object.fromEntries(defaults.filter(([, value]) => value !== undefined)), ...args };
}

/** Finds the type of a value: by its race, `__resolveType`, `__typename`, `__isTypeOf`, or as the only one. */
export function createTypeResolver(
  union: Pick<GqlUnionType, 'name' | 'members'>,
  given: GivenResolvers,
  constants: ConstantObjects,
): GraphQLTypeResolver<unknown, unknown> {
  const resolveType = given.get(union.name, '__resolveType') as GraphQLTypeResolver<unknown, unknown> | undefined;
  const checks = union.members.flatMap((member) => {
    const check = given.get(member, '__isTypeOf') as GraphQLIsTypeOfFn<unknown, unknown> | undefined;
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
