import { baseName, nullable, type TypeRef } from '../graph/type-ref.js';
import type { GqlField, GqlObjectType, GqlOperation, GqlSchema } from './gql-schema.js';
import { indexSchema } from './schema-index.js';

/** A subscription whose events are the results of mutations. */
export interface FedSubscription {
  readonly subscription: GqlOperation;
  readonly event: GqlObjectType;
  /** The mutations, and the type of their result; undefined for a union. */
  readonly mutations: readonly {
    readonly mutation: GqlOperation;
    readonly result: GqlObjectType | undefined;
    /** The fields that the event requires, and neither the result nor a constant gives. */
    readonly missing: readonly GqlField[];
  }[];
}

/**
 * The subscriptions that mutations feed: those with a FORK edge that starts at the target of a FOLD edge. Events that
 * are unions are left out.
 */
export function fedSubscriptions(schema: GqlSchema): readonly FedSubscription[] {
  if (schema.subscriptions.length === 0 || schema.mutations.length === 0) return [];
  const byTarget = new Map<string, GqlOperation[]>();
  for (const mutation of schema.mutations) {
    for (const { to } of mutation.edges) {
      const known = byTarget.get(to);
      if (known === undefined) byTarget.set(to, [mutation]);
      else if (known.at(-1) !== mutation) known.push(mutation);
    }
  }
  // The subscriptions of one edge share its list of sources, so each list is searched once.
  const bySources = new Map<readonly string[], readonly GqlOperation[]>();
  const mutationsOf = (from: readonly string[]): readonly GqlOperation[] => {
    const known = bySources.get(from);
    if (known !== undefined) return known;
    const found = from.flatMap((id) => byTarget.get(id) ?? []);
    bySources.set(from, found);
    return found;
  };
  return schema.subscriptions.flatMap((subscription): FedSubscription[] => {
    const feeding = [...new Set(subscription.edges.flatMap(({ from }) => mutationsOf(from)))];
    const event = objectOf(schema, subscription.type);
    if (event === undefined || feeding.length === 0) return [];
    const mutations = feeding.map((mutation) => {
      const result = objectOf(schema, mutation.type);
      const isKnown = result === undefined || result === event;
      const missing = isKnown ? [] : event.fields.filter((field) => isMissing(schema, field, result));
      return { mutation, result, missing };
    });
    return [{ subscription, event, mutations }];
  });
}

/** Whether a field of an event is required, and neither the result of the mutation nor a constant gives it. */
function isMissing(schema: GqlSchema, { name, type, fallback }: GqlField, result: GqlObjectType): boolean {
  if (type.kind !== 'nonNull' || fallback !== undefined || hasConstant(schema, type)) return false;
  const given = result.fields.find((field) => field.name === name);
  return given === undefined || !isAlike(schema, given.type, type);
}

/** Whether an omitted object is served from its constants. */
function hasConstant(schema: GqlSchema, type: TypeRef): boolean {
  if (nullable(type).kind === 'list') return false;
  return objectOf(schema, type)?.fields.some(({ fallback }) => fallback !== undefined) === true;
}

/** Whether both are lists or single, and leaves or not. */
function isAlike(schema: GqlSchema, one: TypeRef, other: TypeRef): boolean {
  const shapeOf = (type: TypeRef): string => {
    const bare = nullable(type);
    if (bare.kind === 'list') return `[${shapeOf(bare.of)}]`;
    const kind = indexSchema(schema).types.get(bare.name)?.kind;
    return kind === 'object' || kind === 'union' ? 'object' : 'leaf';
  };
  return shapeOf(one) === shapeOf(other);
}

function objectOf(schema: GqlSchema, type: TypeRef): GqlObjectType | undefined {
  const found = indexSchema(schema).types.get(baseName(type));
  return found?.kind === 'object' ? found.type : undefined;
}
