import {
  buildSchema,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLUnionType,
  isIntrospectionType,
  isObjectType,
} from 'graphql';
import { isPromiseLike } from '../../base/values/maybe-promise.js';
import { readProperty } from '../../base/values/read-property.js';
import { eventsOfMutations } from '../../compiler/api/chains/chains.js';
import { rootTypeOf } from '../../compiler/api/operation-coordinate.js';
import { isResumable } from '../../compiler/api/resume-argument.js';
import { schemaToGraphQL } from '../../compiler/emit/graphql.js';
import { resumeArgument } from '../../compiler/graph/names.js';
import { baseName } from '../../compiler/graph/type-ref.js';
import type { GqlField, GqlOperation, GqlSchema } from '../../compiler/schema/gql-schema.js';
import { memberNames, namedType, objectFields, withInternal } from '../../compiler/schema/schema-index.js';
import type { EventHub } from '../brokers/event-hub.js';
import { defaultLimits } from '../limits/limits.js';
import { isPassing, notePassing } from './compiled/passed-text.js';
import { operationNotImplemented } from './errors/not-implemented.js';
import { createEventChecks, withChecks } from './events/event-checks.js';
import { isForked, openFork } from './events/fork-source.js';
import { joinEvents } from './events/joined-events.js';
import { publishResults } from './events/publish-results.js';
import { createBatchedField, isBatchResolver, KeyedBatch, keysOfBatch, noteKeyedField } from './resolvers/batch.js';
import type { Resolvers, SubscriptionResolver } from './resolvers/contract.js';
import {
  createDefaultResolvers,
  createTypeResolver,
  type FieldResolver,
  withDefaults,
} from './resolvers/default-resolvers.js';
import { createFallbacks } from './resolvers/fallback.js';
import { type GivenResolvers, lookUpResolvers } from './resolvers/given-resolvers.js';
import { createArgumentGuard, guardField, isPlainReader, markPlain } from './resolvers/guard-field.js';
import { attachExactIds, attachScalars } from './resolvers/internal-values.js';
import { eventOf, ResumedRoot } from './resolvers/operation-root.js';
import { ownedField, ownedResult } from './resolvers/owned.js';
import { ownersOf } from './resolvers/owner-of.js';
import { pagedResolver, pageReader } from './resolvers/pages.js';
import { RaceWinner } from './resolvers/race-winner.js';
import { traceField, traceResolver } from './resolvers/spans.js';

/**
 * Makes a schema that graphql-js executes: the SDL of the model, with a resolver on every field. A field without a
 * given resolver has a default one (see `default-resolvers.ts`).
 *
 * @param maps - The resolvers, checked against the schema; the first map that has one for a field wins.
 */
export function buildExecutableSchema<TContext>(
  schema: GqlSchema,
  maps: readonly Resolvers<TContext>[],
  hub: EventHub,
  pageSize: number = defaultLimits.pageSize,
): GraphQLSchema {
  const executable = buildSchema(schemaToGraphQL(schema), { noLocation: true, assumeValidSDL: true });
  const whole = withInternal(schema);
  const given = lookUpResolvers(maps, schema);
  const guard = createArgumentGuard(whole);
  attachScalars(schema, executable, given);
  attachExactIds(executable);

  const resolveRoot = (operation: GqlOperation): FieldResolver =>
    traceResolver(
      whole,
      operation,
      asResolver(given.get(rootTypeOf(operation.kind), operation.name)) ?? defaults.operation(operation),
    );
  // The steps of a call check the arguments of operations. A race passes its own on, which a branch may not allow.
  const resolveBranch = (query: GqlOperation): FieldResolver => guard(query.arguments, resolveQuery(query));
  const resolveQuery = (query: GqlOperation, own = resolveRoot(query)): FieldResolver => {
    const isArgument = (name: string) => query.arguments.some((argument) => argument.name === name);
    const owners = ownersOf(query).filter((name) => !isArgument(name));
    return ownedResult(owners, withFallback(query, own));
  };
  const withFallback = createFallbacks(whole, {
    resolveQuery: resolveBranch,
    withDefaults: (query, args) => withDefaults(executable, query, args),
    monitor: hub.monitor,
  });
  const defaults = createDefaultResolvers(whole, executable, given, resolveBranch, hub.monitor);
  const checks = createEventChecks(schema, executable, defaults.completeness, hub.monitor);
  const checkedHub = withChecks(hub, checks);

  for (const query of schema.queries) {
    const own = resolveRoot(query);
    const resolver = resolveQuery(query, own);
    const answering = query.page === undefined ? resolver : pagedResolver(query, resolver, pageSize);
    const field = fieldOf(executable, 'Query', query.name);
    field.resolve = ofOperation(answering);
    if (answering === own && isPassing(given.get('Query', query.name))) notePassing(field);
  }
  const events = eventsOfMutations(schema);
  for (const mutation of schema.mutations) {
    const own = resolveRoot(mutation);
    const fed = events.get(mutation.name)?.map(({ name }) => name) ?? [];
    const resolver = publishResults(own, checkedHub, fed);
    fieldOf(executable, 'Mutation', mutation.name).resolve = ofOperation(resolver);
  }
  for (const operation of schema.subscriptions) {
    attachSubscription(schema, fieldOf(executable, 'Subscription', operation.name), given, hub, operation);
  }
  const members = new Set(schema.unions.flatMap((union) => union.members));
  for (const type of schema.objects) {
    const resolverOf = (field: GqlField): FieldResolver => {
      const value = given.get(type.name, field.name);
      let own = asResolver(value);
      if (isBatchResolver(value)) {
        const wanted = keysOfBatch(schema, type, field, value);
        const keys = wanted.flatMap((key) => {
          const keyField = type.fields.find(({ name }) => name === key.field);
          if (keyField !== undefined) return [{ ...key, read: resolverOf(keyField) }];
          // The column of a relation of a store, which no field shows.
          return value instanceof KeyedBatch ? [{ ...key, read: createFieldReader(key.field, () => null) }] : [];
        });
        if (keys.length > 0 && keys.length === wanted.length)
          own = createBatchedField(`${type.name}.${field.name}`, keys, value);
      }
      if (own === undefined) return readField(field, defaults.field(type.name, field));
      const isCode = typeof value === 'function' || isBatchResolver(value);
      return isCode ? traceField(schema, type.name, field, own) : own;
    };
    for (const field of type.fields) {
      const resolver = resolverOf(field);
      const place = { name: `${type.name}.${field.name}`, page: field.page };
      const answering = field.page === undefined ? resolver : pagedResolver(place, resolver, pageSize);
      const owners = [...ownersOf(type), ...ownersOf(field)];
      const owned = ownedField(owners, (name) => asResolver(given.get(type.name, name)), answering);
      const guarded = guard(field.arguments, owned);
      const value = given.get(type.name, field.name);
      if (value instanceof KeyedBatch) {
        const page = field.page && pageReader(place, pageSize);
        const related = fieldOf(executable, type.name, field.name);
        if (field.page === undefined && guarded === owned) notePassing(related);
        noteKeyedField(related, {
          batch: value,
          owners: ownersOf(field),
          read: (args) => page?.(args).given ?? args,
          isGuarded: guarded !== owned,
        });
      }
      // Only the parent of a union member's fields can be a race winner.
      fieldOf(executable, type.name, field.name).resolve = members.has(type.name) ? unwrapping(guarded) : guarded;
    }
  }
  for (const type of Object.values(executable.getTypeMap())) {
    if (isObjectType(type) && !isIntrospectionType(type)) Object.values(type.getFields()).forEach(guardField);
  }
  for (const { name } of [...schema.unions, ...(schema.interfaces ?? [])]) {
    const type = executable.getType(name) as GraphQLInterfaceType | GraphQLUnionType;
    const members = memberNames(namedType(schema, name));
    type.resolveType = createTypeResolver({ name, members }, given, defaults.constants);
  }
  return executable;
}

function attachSubscription(
  schema: GqlSchema,
  field: GraphQLField<unknown, unknown>,
  given: GivenResolvers,
  hub: EventHub,
  operation: GqlOperation,
): void {
  if (isForked(operation, given)) {
    const isNoFilter = isResumable(operation);
    field.subscribe = (_root, { [resumeArgument]: after, ...filters }, _context, info) =>
      openFork(hub, field, isNoFilter ? filters : { ...filters, [resumeArgument]: after }, info);
    field.resolve = (root) => eventOf(root);
    return;
  }
  const resolver = given.get('Subscription', operation.name);
  if (resolver === undefined) {
    field.subscribe = () => {
      throw operationNotImplemented(schema, operation);
    };
    return;
  }
  const { subscribe, resolve, joins } = (
    typeof resolver === 'function' ? { subscribe: resolver } : resolver
  ) as SubscriptionResolver;
  const start: FieldResolver = (parent, args, context, info) => subscribe(parent, args, context, info);
  const joined = joins === true && operation.edges.length > 0 ? joinEvents(hub, field, start) : start;
  const traced = traceResolver(schema, operation, joined);
  field.subscribe = (_root, args, context, info) => traced(undefined, args, context, info);
  field.resolve =
    resolve === undefined
      ? createEventReader(operation.name, objectFields(schema, baseName(operation.type)))
      : (root, args, context, info) => resolve(eventOf(root), args, context, info);
}

/**
 * An event is the value of the field, or contains it under the name of the field, as in graphql-js. If the type of the
 * value also has a field of that name, an event counts as a container only if that member is an object and its only
 * member.
 */
function createEventReader(name: string, fields: readonly GqlField[]): FieldResolver {
  const isOwnField = fields.some((field) => field.name === name);
  return (root) => {
    const event = eventOf(root);
    const held = readProperty(event, name);
    if (held === undefined) return event;
    const isHolder = !isOwnField || (typeof held === 'object' && Object.keys(event as object).length === 1);
    return isHolder ? held : event;
  };
}

/** If the parent is a race winner, reads fields from the winning value. */
function unwrapping(resolver: FieldResolver): FieldResolver {
  const unwrapped: FieldResolver = (parent, ...call) =>
    resolver(parent instanceof RaceWinner ? parent.value : parent, ...call);
  return isPlainReader(resolver) ? markPlain(unwrapped) : unwrapped;
}

/** Reads a field from its parent (methods are called); if the parent has no value, the default resolver provides it. */
function createFieldReader(name: string, fallback: FieldResolver): FieldResolver {
  return (parent, args, context, info) => {
    const { rootValue } = info;
    const property =
      rootValue instanceof ResumedRoot
        ? rootValue.reads.replay(info.path, () => readProperty(parent, name))
        : readProperty(parent, name);
    const value = typeof property === 'function' ? property.call(parent, args, context, info) : property;
    if (isPromiseLike(value)) {
      return Promise.resolve(value).then((settled) =>
        settled === undefined ? fallback(parent, args, context, info) : settled,
      );
    }
    return value === undefined ? fallback(parent, args, context, info) : value;
  };
}

/** An alias for an old name is read from the field that has the name of today; so it is no plain reader. */
function readField({ name, renamed }: GqlField, fallback: FieldResolver): FieldResolver {
  return renamed === undefined ? markPlain(createFieldReader(name, fallback)) : createFieldReader(renamed.to, fallback);
}

/** The resolver of a root field, which has no parent. */
function ofOperation(resolver: FieldResolver): FieldResolver {
  return (_root, args, context, info) => resolver(undefined, args, context, info);
}

/** A value in place of a function is served as it is. */
function asResolver(given: unknown): FieldResolver | undefined {
  if (given === undefined) return undefined;
  return typeof given === 'function' ? (given as FieldResolver) : () => given;
}

function fieldOf(executable: GraphQLSchema, type: string, field: string): GraphQLField<unknown, unknown> {
  const found = (executable.getType(type) as GraphQLObjectType | undefined)?.getFields()[field];
  if (found === undefined) throw new Error(`invariant: the executable schema has no field ${type}.${field}`);
  return found;
}
