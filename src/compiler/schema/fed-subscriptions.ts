import { remember } from '../graph/maps.js';
import { baseName, nullable, type TypeRef } from '../graph/type-ref.js';
import type { GqlField, GqlObjectType, GqlOperation, GqlSchema } from './gql-schema.js';

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
  const byTarget = new Map<string, Set<GqlOperation>>();
  for (const mutation of schema.mutations) {
    for (const { to } of mutation.edges) {
      remember(byTarget, to, () => new Set()).add(mutation);
    }
  }
  // The subscriptions of one edge share its list of sources, so each list is searched once.
  const bySources = new Map<readonly string[], readonly GqlOperation[]>();
  const mutationsOf = (from: readonly string[]): readonly GqlOperation[] =>
    remember(bySources, from, () => [...new Set(from.flatMap((id) => [...(byTarget.get(id) ?? [])]))]);
  // The index of the schema would live as long as the schema, and flow rules ask only once.
  const types = new CompositeTypes(
    new Map(schema.objects.map((type) => [type.name, type])),
    new Set(schema.unions.map(({ name }) => name)),
  );
  return schema.subscriptions.flatMap((subscription): FedSubscription[] => {
    const [only, ...others] = subscription.edges;
    const feeding =
      only !== undefined && others.length === 0
        ? mutationsOf(only.from)
        : [...new Set(subscription.edges.flatMap(({ from }) => mutationsOf(from)))];
    const event = types.objectOf(subscription.type);
    if (event === undefined || feeding.length === 0) return [];
    const mutations = feeding.map((mutation) => {
      const result = types.objectOf(mutation.type);
      const missing = result === undefined || result === event ? none : types.missingOf(event, result);
      return { mutation, result, missing };
    });
    return [{ subscription, event, mutations }];
  });
}

const none: readonly never[] = [];

/** The types with fields. */
class CompositeTypes {
  constructor(
    private readonly objects: ReadonlyMap<string, GqlObjectType>,
    private readonly unions: ReadonlySet<string>,
  ) {}

  objectOf(type: TypeRef): GqlObjectType | undefined {
    return this.objects.get(baseName(type));
  }

  /** The fields that an event requires, and neither the result of the mutation nor a constant gives. */
  missingOf(event: GqlObjectType, result: GqlObjectType): readonly GqlField[] {
    return event.fields.filter(({ name, type, fallback }) => {
      if (type.kind !== 'nonNull' || fallback !== undefined) return false;
      const given = result.fields.find((field) => field.name === name)?.type;
      // Equal references are one object nearly always.
      if (given === type || (given !== undefined && this.#shapeOf(given) === this.#shapeOf(type)))
        return false;
      return !this.#hasConstant(type);
    });
  }

  /** Whether an omitted object is served from its constants. */
  #hasConstant(type: TypeRef): boolean {
    if (nullable(type).kind === 'list') return false;
    return this.objectOf(type)?.fields.some(({ fallback }) => fallback !== undefined) === true;
  }

  /** A list or a single value, of leaves or not. */
  #shapeOf(type: TypeRef): string {
    const bare = nullable(type);
    if (bare.kind === 'list') return `[${this.#shapeOf(bare.of)}]`;
    return this.objects.has(bare.name) || this.unions.has(bare.name) ? 'object' : 'leaf';
  }
}
