import { appendTo, perObject, remember } from '../graph/maps.js';
import { baseName, nullable, type TypeRef } from '../graph/type-ref.js';
import type { GqlEdgeOrigin, GqlField, GqlObjectType, GqlOperation, GqlSchema } from './gql-schema.js';
import { isComposite, objectFields } from './schema-index.js';

export type FedSubscription = ReturnType<typeof fedSubscriptions>[number];

type Feeds = (subscription: GqlOperation) => readonly GqlOperation[];

/** The mutations that feed a subscription: those with a FOLD edge to the start of one of its FORK edges. */
export const feedsOf = perObject((schema: GqlSchema): Feeds => {
  const byTarget = new Map<string, GqlOperation[]>();
  for (const mutation of schema.mutations)
    for (const { to } of mutation.edges) if (byTarget.get(to)?.at(-1) !== mutation) appendTo(byTarget, to, mutation);
  // The subscriptions of one edge share its list of sources, so each list is searched once.
  const bySources = new Map<readonly string[], readonly GqlOperation[]>();
  const mutationsOf = (from: readonly string[]): readonly GqlOperation[] =>
    from.length === 1
      ? (byTarget.get(from[0] as string) ?? none)
      : remember(bySources, from, () => [...new Set(from.flatMap((id) => byTarget.get(id) ?? []))]);
  return ({ edges }) =>
    edges.length === 1
      ? mutationsOf((edges[0] as GqlEdgeOrigin).from)
      : [...new Set(edges.flatMap(({ from }) => mutationsOf(from)))];
});

/**
 * The subscriptions that mutations feed: those with a FORK edge that starts at the target of a FOLD edge. Events that
 * are unions are left out.
 */
export function fedSubscriptions(schema: GqlSchema) {
  if (schema.subscriptions.length === 0 || schema.mutations.length === 0) return [];
  const feeding = feedsOf(schema);
  const objects = objectsOf(schema);
  return schema.subscriptions.flatMap((subscription) => {
    const event = objects.get(baseName(subscription.type));
    const all = feeding(subscription);
    if (event === undefined || all.length === 0) return [];
    const mutations = all.map((mutation) => {
      const result = objects.get(baseName(mutation.type));
      const missing = result === undefined || result === event ? none : missingOf(schema, event, result);
      return { mutation, result, missing };
    });
    return [{ subscription, event, mutations }];
  });
}

const none: readonly never[] = [];

/** The object types of the events and of the results, which are few: an index of all types would cost more. */
function objectsOf({ subscriptions, mutations, objects }: GqlSchema): ReadonlyMap<string, GqlObjectType> {
  const wanted = new Set<string>();
  for (const { type } of subscriptions) wanted.add(baseName(type));
  for (const { type } of mutations) wanted.add(baseName(type));
  const found = new Map<string, GqlObjectType>();
  for (const type of objects) if (wanted.has(type.name)) found.set(type.name, type);
  return found;
}

/** The fields that an event requires, and neither the result of the mutation nor a constant gives. */
function missingOf(schema: GqlSchema, event: GqlObjectType, result: GqlObjectType): readonly GqlField[] {
  return event.fields.filter(({ name, type, fallback }) => {
    if (type.kind !== 'nonNull' || fallback !== undefined) return false;
    const given = result.fields.find((field) => field.name === name)?.type;
    // Equal references are one object nearly always.
    if (given === type || (given !== undefined && shapeOf(schema, given) === shapeOf(schema, type))) return false;
    // An omitted object is served from its constants.
    const bare = nullable(type);
    return bare.kind === 'list' || objectFields(schema, bare.name).every((field) => field.fallback === undefined);
  });
}

/** A list or a single value, of leaves or not. */
function shapeOf(schema: GqlSchema, type: TypeRef): string {
  const bare = nullable(type);
  if (bare.kind === 'list') return `[${shapeOf(schema, bare.of)}]`;
  return isComposite(schema, bare.name) ? 'object' : 'leaf';
}
